"use client";
// Why a session has the status it has: the rule that decided, how sure it is, and everything that was seen (PH4).
import { useCallback, useEffect, useState } from "react";
import { useApp, useSession, useUi } from "#components/dashboard/app-context.tsx";
import { failureText } from "#components/dashboard/failure-notice.ts";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import type { Explanation } from "#lib/protocol/wait.ts";

type Answer =
  | { kind: "asking" }
  | { kind: "known"; why: Explanation }
  | { kind: "failed"; detail: string };

export default function ExplainDialog() {
  const id = useUi((state) => state.explaining);
  return id === null ? null : <OpenDialog id={id} />;
}

function OpenDialog({ id }: { id: string }) {
  const app = useApp();
  const s = useStrings();
  const name = useSession(id)?.name ?? id.slice(0, 8);
  const [answer, setAnswer] = useState<Answer>({ kind: "asking" });
  const ask = useCallback(async () => {
    try {
      setAnswer({ kind: "known", why: await app.api.explainSession({ params: { id } }) });
    } catch (error) {
      setAnswer({ kind: "failed", detail: String(error) });
    }
  }, [app, id]);
  useEffect(() => void ask(), [ask]);
  const close = () => app.ui.setState({ explaining: null });
  const why = answer.kind === "known" ? answer.why : null;
  return (
    <Dialog
      open
      wide
      onClose={close}
      title={s.explain.title(name, why ? s.explain.words[why.phase] : "\u2026")}
      description={
        why
          ? why.because
          : answer.kind === "failed"
            ? failureText(answer.detail, s)
            : s.common.loading
      }
      actions={
        <>
          <Button onClick={() => void ask()}>{s.explain.again}</Button>
          <Button look="primary" onClick={close}>
            {s.common.close}
          </Button>
        </>
      }
    >
      {why ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keys where it is long.
        <div className="min-h-0 overflow-y-auto" tabIndex={0}>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-caption">
            <Pair name={s.explain.rung} value={why.rung} />
            <dt className="text-text-3">{s.explain.confidence}</dt>
            <dd>{s.explain.confidences[why.confidence]}</dd>
            <dt className="col-span-2 pt-2 text-overline text-text-3">{s.explain.observation}</dt>
            {Object.entries(why.observation).map(([key, value]) => (
              <Pair
                key={key}
                name={key.replaceAll("_", " ")}
                value={shown(value, s.explain.nothing)}
              />
            ))}
          </dl>
        </div>
      ) : null}
    </Dialog>
  );
}

function Pair({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-text-3 nowrap">{name}</dt>
      <dd className="min-w-0 break-words font-mono">{value}</dd>
    </>
  );
}

function shown(value: unknown, nothing: string): string {
  if (value === null || value === undefined || value === "") return nothing;
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([key, one]) => `${key.replaceAll("_", " ")} ${shown(one, nothing)}`)
    .join(", ");
}
