"use client";
// What was done and by whom, over all sessions; also what was refused. Newest first, with filters.
import { TriangleAlert } from "lucide-react";
import { useEffect, useId, useState } from "react";
import { useApp, useSessions, useUi } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { cx } from "#components/ui/cx.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import { ScrollRegion } from "#components/ui/scroll-region.tsx";
import { type AuditActName, type AuditEntry, auditActs } from "#lib/protocol/audit.ts";
import { TypedText } from "./typed-text.tsx";

interface Filter {
  session: string;
  actor: string;
  act: AuditActName | "";
  refusedOnly: boolean;
}
interface Page {
  entries: readonly AuditEntry[];
  before: number | null;
  warning: string | null;
}

const pageSize = 100;
const everything: Filter = { session: "", actor: "", act: "", refusedOnly: false };
const control =
  "h-8 min-w-0 rounded-control border border-line-strong bg-bg-0 px-2 text-caption text-text-1 pointer-coarse:h-11";

export default function AuditDialog() {
  const app = useApp();
  const s = useStrings();
  const words = s.keyboard.audit;
  const isOpen = useUi((state) => state.isAuditOpen);
  const sessions = useSessions();
  const [filter, setFilter] = useState(everything);
  const [page, setPage] = useState<Page | "failed" | null>(null);
  const close = () => app.ui.setState({ isAuditOpen: false });

  const load = (before: number | null) => {
    const { session, actor, act, refusedOnly } = filter;
    return app.api.readAudit({
      query: {
        limit: pageSize,
        ...(session === "" ? {} : { session }),
        ...(actor.trim() === "" ? {} : { actor: actor.trim() }),
        ...(act === "" ? {} : { act }),
        ...(refusedOnly ? { refused: "1" as const } : {}),
        ...(before === null ? {} : { before }),
      },
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is made of the filter.
  useEffect(() => {
    if (!isOpen) return;
    let isCurrent = true;
    // A name that is being typed is asked for once.
    const timer = setTimeout(() => {
      load(null).then(
        ({ entries, before, warning }) =>
          isCurrent && setPage({ entries: [...entries].reverse(), before, warning }),
        () => isCurrent && setPage("failed"),
      );
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [isOpen, filter]);

  async function more() {
    if (page === null || page === "failed" || page.before === null) return;
    try {
      const older = await load(page.before);
      const entries = [...page.entries, ...[...older.entries].reverse()];
      setPage({ entries, before: older.before, warning: older.warning });
    } catch {
      setPage("failed");
    }
  }

  const there = page === null || page === "failed" ? null : page;
  return (
    <Dialog
      open={isOpen}
      onClose={close}
      wide
      title={words.title}
      description={words.lead}
      actions={<Button onClick={close}>{s.common.close}</Button>}
    >
      {there?.warning ? (
        <p
          role="alert"
          className="flex items-start gap-2 rounded-card bg-attention-fill p-3 text-body text-text-1"
        >
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-attention" />
          {there.warning}
        </p>
      ) : null}
      <div className="flex flex-wrap items-end gap-2">
        <Field label={words.session}>
          {(id) => (
            <select
              id={id}
              value={filter.session}
              onChange={(event) => setFilter({ ...filter, session: event.target.value })}
              className={cx(control, "w-36")}
            >
              <option value="">{words.all}</option>
              {sessions.map((session) => (
                <option key={session.id} value={session.id}>
                  {session.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.act}>
          {(id) => (
            <select
              id={id}
              value={filter.act}
              onChange={(event) =>
                setFilter({ ...filter, act: event.target.value as Filter["act"] })
              }
              className={cx(control, "w-32")}
            >
              <option value="">{words.all}</option>
              {auditActs.map((act) => (
                <option key={act} value={act}>
                  {words.acts[act]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.actor}>
          {(id) => (
            <input
              id={id}
              value={filter.actor}
              onChange={(event) => setFilter({ ...filter, actor: event.target.value })}
              className={cx(control, "w-36")}
            />
          )}
        </Field>
        <label className="flex h-8 items-center gap-2 text-caption text-text-2 nowrap">
          <input
            type="checkbox"
            checked={filter.refusedOnly}
            onChange={(event) => setFilter({ ...filter, refusedOnly: event.target.checked })}
            className="size-4 accent-accent"
          />
          {words.refusedOnly}
        </label>
      </div>
      <ScrollRegion label={words.title} className="min-h-40">
        {page === null ? <p className="text-text-3">{s.common.loading}</p> : null}
        {page === "failed" ? <p className="text-danger">{words.failed}</p> : null}
        {there?.entries.length === 0 ? <p className="text-text-2">{words.none}</p> : null}
        <ol className="flex flex-col divide-y divide-line">
          {there?.entries.map((entry) => (
            <Entry
              key={entry.n}
              entry={entry}
              nameOf={(id) => app.infoOf(id)?.name ?? id.slice(0, 8)}
            />
          ))}
        </ol>
        {there?.before != null ? (
          <Button size="banner" className="mt-2" onClick={() => void more()}>
            {words.more}
          </Button>
        ) : null}
      </ScrollRegion>
    </Dialog>
  );
}

function Field({ label, children }: { label: string; children: (id: string) => React.ReactNode }) {
  const id = useId();
  return (
    <span className="flex flex-col gap-1">
      <label htmlFor={id} className="text-overline text-text-3">
        {label}
      </label>
      {children(id)}
    </span>
  );
}

function Entry({ entry, nameOf }: { entry: AuditEntry; nameOf: (id: string) => string }) {
  const s = useStrings();
  const isRefused = entry.outcome !== "done";
  const what = [entry.what, entry.note, entry.summary].filter(Boolean).join(" · ");
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 py-1.5 text-caption tnum">
      <time dateTime={entry.at} className="text-text-3">
        {s.format.time(new Date(entry.at))}
      </time>
      <span className="min-w-0">
        <span className="font-strong text-text-1">{entry.actor?.name ?? "Cotty"}</span>{" "}
        <span className="text-text-2">{s.keyboard.audit.acts[entry.act]}</span>
        {entry.session ? <span className="text-text-3"> · {nameOf(entry.session)}</span> : null}
        {entry.times ? <span className="text-text-3"> · ×{entry.times + 1}</span> : null}
        {what === "" ? null : (
          <span className="block truncate font-mono text-text-2" title={what}>
            <TypedText text={what} />
          </span>
        )}
      </span>
      <span className={isRefused ? "text-danger" : "text-text-3"}>
        {isRefused ? s.keyboard.audit.refused(entry.outcome) : ""}
      </span>
    </li>
  );
}
