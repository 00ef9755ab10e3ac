// What a person can do with a command: copy it, copy what it printed, type it again, go to it. Nothing here presses Enter.

import { noticeFailure } from "#components/dashboard/failure-notice.ts";
import type { Strings } from "#components/strings/strings.ts";
import type { TerminalPool } from "#components/terminal/terminal-pool.ts";
import { notify } from "#components/ui/toast.tsx";
import type { ApiClient } from "#lib/client/api-client.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";

export interface CommandActions {
  copyCommand(record: CommandRecord): void;
  copyOutput(id: string, index: number): Promise<void>;
  /** Types the line at the prompt as this person; Enter is theirs. */
  rerun(id: string, record: CommandRecord): void;
  /** Opens the session and scrolls to the command. */
  jump(id: string, index: number): void;
  /** C or R while the command is selected in its terminal. */
  byKey(id: string, act: "copy_output" | "rerun", index: number): void;
  /** A terminal of this page is there now: carries out what was waiting for it. */
  terminalMade(id: string): void;
}

export function createCommandActions(deps: {
  api: ApiClient;
  terminals: Pick<TerminalPool, "terminal">;
  strings: Strings;
  infoOf: (id: string) => SessionInfo | undefined;
  recordOf: (id: string, index: number) => CommandRecord | undefined;
  open: (id: string) => void;
  focusTerminal: (id: string) => void;
}): CommandActions {
  const { api, terminals, strings: s } = deps;
  const waiting = new Map<string, number>();

  function write(text: string, done?: string): void {
    // On plain http away from localhost there is no clipboard object at all.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error("none"));
    written.then(
      () => done && notify({ id: "copied", text: done }),
      () => notify({ id: "clipboard", text: s.clipboard.blocked, detail: text.slice(0, 200) }),
    );
  }

  function goTo(id: string, index: number): boolean {
    const terminal = terminals.terminal(id);
    if (!terminal) return false;
    if (!terminal.commands.jump(index)) notify({ id: "command-gone", text: s.commands.lineGone });
    return true;
  }

  const actions: CommandActions = {
    copyCommand(record) {
      if (record.command !== null) write(record.command, s.common.copied);
    },
    async copyOutput(id, index) {
      try {
        const { output } = await api.readCommandOutput({
          params: { id, index },
          query: { max_bytes: limits.outputBytes.max },
        });
        const text = terminals.terminal(id)?.withoutSecrets(output.text) ?? output.text;
        if (text !== output.text) notify({ id: "secret-copy", text: s.keyboard.secret.notCopied });
        if (text === "") notify({ id: "copied", text: s.commands.copiedNothing });
        else {
          const isWhole = !output.truncated && !output.evicted;
          write(text, isWhole ? s.commands.copied : s.commands.copiedPart);
        }
      } catch (error) {
        noticeFailure(s.commands.copyFailed, error, s);
      }
    },
    rerun(id, record) {
      if (record.command === null) return;
      terminals.terminal(id)?.pasteText(record.command.replace(/[\r\n]+$/, ""));
      deps.focusTerminal(id);
    },
    jump(id, index) {
      deps.open(id);
      if (!goTo(id, index)) waiting.set(id, index);
    },
    byKey(id, act, index) {
      if (act === "copy_output") {
        void actions.copyOutput(id, index);
        return;
      }
      const record = deps.recordOf(id, index);
      const isReadOnly = terminals.terminal(id)?.getSnapshot().isReadOnly ?? true;
      const why = whyNoRerun(deps.infoOf(id), isReadOnly, s);
      if (why !== undefined) notify({ id: "no-rerun", text: why });
      else if (record) actions.rerun(id, record);
    },
    terminalMade(id) {
      const index = waiting.get(id);
      waiting.delete(id);
      if (index !== undefined) goTo(id, index);
    },
  };
  return actions;
}

/** Why a command cannot be typed now; undefined: it can. */
export function whyNoRerun(
  session: Pick<SessionInfo, "phase" | "integration" | "last_command"> | undefined,
  isReadOnly: boolean,
  s: Strings,
): string | undefined {
  if (isReadOnly) return s.commands.rerunReader;
  if (!session || session.phase === "exited") return s.commands.rerunBusy;
  // The shell's own word comes before what is concluded from looking.
  const isBetween =
    session.integration.startsWith("osc") && session.last_command?.running === false;
  return isBetween || session.phase === "idle" ? undefined : s.commands.rerunBusy;
}
