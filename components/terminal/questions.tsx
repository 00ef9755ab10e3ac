"use client";
// The questions terminals ask: paste this, open that. One at a time, oldest first; no answer means no.
import { useId, useRef, useState } from "react";
import { useApp, useUi } from "#components/dashboard/app-context.tsx";
import type { Question } from "#components/dashboard/ui-state.ts";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { CopyTextButton } from "#components/ui/copy-button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { LinkQuestion } from "#lib/xterm/terminal-status.ts";
import { withVisibleControls } from "./visible-text.ts";

export default function Questions() {
  const question = useUi((state) => state.questions[0]);
  // Each question is its own dialog: a checked box or a focus never carries over to the next.
  if (!question) return null;
  return question.kind === "paste" ? (
    <PasteDialog key={keyOf(question)} asked={question} />
  ) : (
    <LinkDialog
      key={keyOf(question)}
      question={question.question}
      sessionId={question.sessionId}
      onAnswer={question.answer}
    />
  );
}

const keys = new WeakMap<Question, number>();
let nextKey = 0;
function keyOf(question: Question): number {
  const known = keys.get(question);
  if (known !== undefined) return known;
  nextKey += 1;
  keys.set(question, nextKey);
  return nextKey;
}

function PasteDialog({ asked }: { asked: Extract<Question, { kind: "paste" }> }) {
  const app = useApp();
  const s = useStrings();
  const confirm = useRef<HTMLButtonElement>(null);
  const box = useId();
  const [dontAsk, setDontAsk] = useState(false);
  const { lines, text, preview } = asked.question;
  const answer = (how: "paste" | "one_line" | "cancel") => {
    asked.answer(how, how === "cancel" || !dontAsk);
    app.focusTerminal(asked.sessionId);
  };
  const more = lines - preview.length;
  return (
    <Dialog
      open
      wide
      onClose={() => answer("cancel")}
      title={s.paste.title(lines)}
      description={
        lines > 1 ? s.paste.text(app.infoOf(asked.sessionId)?.name ?? "") : s.paste.large
      }
      initialFocus={confirm}
      actions={
        <>
          <label
            htmlFor={box}
            className="mr-auto flex min-h-8 items-center gap-2 text-caption text-text-2"
          >
            <input
              id={box}
              type="checkbox"
              checked={dontAsk}
              onChange={(event) => setDontAsk(event.target.checked)}
              className="size-4 accent-accent"
            />
            {s.paste.dontAsk}
          </label>
          <Button look="quiet" onClick={() => answer("cancel")}>
            {s.common.cancel}
          </Button>
          {lines > 1 ? <Button onClick={() => answer("one_line")}>{s.paste.oneLine}</Button> : null}
          <Button ref={confirm} look="primary" onClick={() => answer("paste")}>
            {s.paste.paste}
          </Button>
        </>
      }
    >
      <div className="min-h-0 overflow-hidden rounded-control border border-line bg-bg-0">
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be focusable.
          tabIndex={0}
          aria-label={s.paste.preview}
          className="focus-inset max-h-64 overflow-auto rounded-control"
        >
          <pre className="w-max min-w-full p-3 text-caption leading-[18px]">
            {preview.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place.
              <div key={index} className="flex gap-3">
                <span className="w-5 shrink-0 select-none text-right text-text-3" aria-hidden>
                  {index + 1}
                </span>
                <span>{withVisibleControls(line) || " "}</span>
              </div>
            ))}
          </pre>
        </section>
        <p className="flex justify-between border-line border-t px-3 py-1.5 text-caption text-text-3 tnum">
          <span>{more > 0 ? s.paste.more(more) : ""}</span>
          <span>{s.paste.counts(lines, [...text].length)}</span>
        </p>
      </div>
    </Dialog>
  );
}

function LinkDialog({
  question,
  sessionId,
  onAnswer,
}: {
  question: LinkQuestion;
  sessionId: string;
  onAnswer: (open: boolean) => void;
}) {
  const app = useApp();
  const s = useStrings();
  const confirm = useRef<HTMLButtonElement>(null);
  const answer = (open: boolean) => {
    onAnswer(open);
    app.focusTerminal(sessionId);
  };
  return (
    <Dialog
      open
      onClose={() => answer(false)}
      title={s.link.title}
      description={s.link.text}
      initialFocus={confirm}
      actions={
        <>
          <CopyTextButton size="normal" text={question.url} label={s.link.copy} />
          <span className="flex-1" />
          <Button look="quiet" onClick={() => answer(false)}>
            {s.common.cancel}
          </Button>
          <Button ref={confirm} look="primary" onClick={() => answer(true)}>
            {s.link.open}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2 rounded-control border border-line bg-bg-0 p-3">
        {question.host ? (
          <p className="break-all font-mono font-semibold text-lead">{question.host}</p>
        ) : null}
        <p className="max-h-32 overflow-y-auto break-all font-mono text-caption text-text-2">
          {question.url}
        </p>
      </div>
    </Dialog>
  );
}
