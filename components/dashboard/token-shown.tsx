"use client";
// A token that was just made: the one time it is seen, and whether its agent has called.
import { CircleCheck, LoaderCircle, TriangleAlert } from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { CodeBox } from "#components/ui/code-box.tsx";
import type { CreatedToken } from "#lib/protocol/tokens.ts";

export function TokenShown({
  made,
  hasCalled,
  onAnother,
}: {
  made: CreatedToken;
  hasCalled: boolean;
  onAnother: () => void;
}) {
  const s = useStrings();
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <CodeBox code={made.token} label={s.connect.token(made.name)} />
      <p className="flex items-start gap-2 text-caption text-text-2">
        <TriangleAlert
          size={14}
          strokeWidth={1.75}
          className="mt-0.5 shrink-0 text-attention"
          aria-hidden
        />
        {s.connect.shownOnce}
      </p>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p
          role="status"
          className="flex items-center gap-2 text-body"
          data-called={hasCalled || undefined}
        >
          {hasCalled ? (
            <CircleCheck size={16} strokeWidth={1.75} className="text-human" aria-hidden />
          ) : (
            <LoaderCircle
              size={16}
              strokeWidth={1.75}
              className="motion-safe:animate-spin text-text-3"
              aria-hidden
            />
          )}
          <span className={hasCalled ? "font-strong" : "text-text-2"}>
            {hasCalled ? s.connect.called : s.connect.waiting}
          </span>
        </p>
        <Button look="quiet" size="banner" onClick={onAnother}>
          {s.connect.another}
        </Button>
      </div>
    </div>
  );
}
