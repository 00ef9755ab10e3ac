"use client";
// A field for a password on touch screens, where a terminal's own text area shows suggestions. The value lives in the field alone: it is
// never in React's state, and cleared when it is sent, when the focus leaves the form, and when the page is hidden.
import { Eye, EyeOff } from "lucide-react";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { useApp, useSession, useUi } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { limits } from "#lib/protocol/limits.ts";

export default function AnswerSheet() {
  const app = useApp();
  const s = useStrings();
  const answering = useUi((state) => state.answering);
  // The last one stays while the sheet goes away.
  const last = useRef(answering ?? "");
  if (answering !== null) last.current = answering;
  const id = last.current;
  const session = useSession(id);
  const field = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const [isShown, setShown] = useState(false);
  const entry = useStore(app.terminals.store, (entries) => entries[id]);
  const terminal = entry?.kind === "ready" ? entry.terminal : null;
  const isAsked = session?.credential != null && !session.exited;
  const close = () => app.ui.setState({ answering: null });

  useEffect(() => {
    if (answering === null) return;
    const clear = () => {
      if (document.visibilityState === "hidden" && field.current) field.current.value = "";
    };
    document.addEventListener("visibilitychange", clear);
    return () => document.removeEventListener("visibilitychange", clear);
  }, [answering]);
  useEffect(() => {
    if (answering !== null && !isAsked) app.ui.setState({ answering: null });
  }, [app, answering, isAsked]);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    const input = field.current;
    if (!input || !terminal) return;
    terminal.answer(input.value);
    input.value = "";
    close();
  }

  return (
    <Dialog
      open={answering !== null}
      onClose={close}
      title={s.keyboard.answer.title(session?.name ?? "")}
      description={s.keyboard.answer.text}
      initialFocus={field}
      actions={
        <>
          <Button onClick={close}>{s.common.cancel}</Button>
          <Button
            look="primary"
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => form.current?.requestSubmit()}
          >
            {s.keyboard.answer.send}
          </Button>
        </>
      }
    >
      <form
        ref={form}
        onSubmit={onSubmit}
        autoComplete="off"
        onBlur={(event) => {
          const to = event.relatedTarget;
          const isInside = to instanceof Node && event.currentTarget.parentElement?.contains(to);
          if (!isInside && field.current) field.current.value = "";
        }}
        className="flex items-center gap-2"
      >
        <input
          ref={field}
          type={isShown ? "text" : "password"}
          aria-label={s.keyboard.answer.field}
          maxLength={limits.typedSecretChars}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="send"
          className="h-11 min-w-0 flex-1 rounded-control border border-line-strong bg-bg-0 px-3 text-[16px] text-text-1"
        />
        <button
          type="button"
          aria-label={s.keyboard.answer.show}
          aria-pressed={isShown}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => setShown(!isShown)}
          className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-text-2 hover:bg-bg-2"
        >
          {isShown ? <EyeOff size={20} aria-hidden /> : <Eye size={20} aria-hidden />}
        </button>
      </form>
    </Dialog>
  );
}
