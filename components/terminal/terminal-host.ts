// Answers a terminal's questions with the page's dialogs and notices.

import type { Question, UiStateStore } from "#components/dashboard/ui-state.ts";
import type { Strings } from "#components/strings/strings.ts";
import { notify } from "#components/ui/toast.tsx";
import type { SettingsStore } from "#lib/store/settings.ts";
import type { TerminalHost } from "#lib/xterm/terminal-status.ts";

export function createTerminalHosts(options: {
  ui: UiStateStore;
  settings: SettingsStore;
  strings: Strings;
  nameOf: (id: string) => string;
  leave: (id: string) => void;
  commandKey: (id: string, act: "copy_output" | "rerun", index: number) => void;
  /** Another person would like the keyboard of a session. */
  asked: (id: string, by: { id: string; name: string }) => void;
  /** This person would like the keyboard of a session. */
  ask: (id: string) => void;
}): (id: string) => TerminalHost {
  const { ui, settings, strings: s } = options;
  /** Sessions for which the person does not want to be asked before pasting, until the page goes. */
  const pastesFreely = new Set<string>();

  function ask(question: Question) {
    ui.setState(({ questions }) => ({ questions: [...questions, question] }));
    return () =>
      ui.setState(({ questions }) => ({ questions: questions.filter((one) => one !== question) }));
  }

  return (id) => ({
    confirmPaste: (question) =>
      pastesFreely.has(id)
        ? Promise.resolve("paste" as const)
        : new Promise((resolve) => {
            const done = ask({
              kind: "paste",
              sessionId: id,
              question,
              answer(answer, askAgain) {
                if (!askAgain) pastesFreely.add(id);
                done();
                resolve(answer);
              },
            });
          }),
    confirmLink: (question) =>
      new Promise((resolve) => {
        const done = ask({
          kind: "link",
          sessionId: id,
          question,
          answer(open) {
            done();
            resolve(open);
          },
        });
      }),
    confirmClipboard: (text) =>
      new Promise((resolve) => {
        notify({
          id: `clipboard-${id}`,
          text: s.clipboard.asks(options.nameOf(id)),
          detail: s.clipboard.size(text.length),
          action: { label: s.clipboard.allow, run: () => resolve(true) },
          second: { label: s.clipboard.block, run: () => resolve(false) },
          durationMs: 15_000,
          onGone: () => resolve(false),
        });
      }),
    leave: () => options.leave(id),
    commandKey: (act, index) => options.commandKey(id, act, index),
    find: () => ui.setState({ searching: id }),
    zoom: (step) => settings.getState().zoom(step),
    copyBlocked: () => notify({ id: "clipboard", text: s.clipboard.pasteBlocked }),
    secretNotCopied: () => notify({ id: "secret-copy", text: s.keyboard.secret.notCopied }),
    answerDropped: () => notify({ id: `answer-${id}`, text: s.keyboard.answer.dropped }),
    keySwallowed(name, mustAsk) {
      const { swallowed, mustBeAsked, other, actions } = s.keyboard;
      const who = name || other.someone;
      notify({
        id: `swallowed-${id}`,
        text: mustAsk ? mustBeAsked(who) : swallowed(who),
        // Who may not go on typing has something to read and to press.
        durationMs: mustAsk ? 6_000 : 2_000,
        ...(mustAsk ? { action: { label: actions.ask, run: () => options.ask(id) } } : {}),
      });
    },
    asked: (by) => options.asked(id, by),
    readOnlyKey: () => notify({ id: "read-only", text: s.terminal.readonlyText }),
  });
}
