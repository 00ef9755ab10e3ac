"use client";
// The line below a terminal: its size and whose, where it is, what draws it.
import { Check, Copy, FolderClosed, Maximize } from "lucide-react";
import { LastCommandItem } from "#components/commands/last-command-item.tsx";
import { useSession } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { useCopy } from "#components/ui/copy-button.tsx";
import { Tooltip } from "#components/ui/tooltip.tsx";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";
import { useTerminalSnapshot } from "./use-terminal.ts";

const item =
  "inline-flex h-full shrink-0 items-center gap-1.5 px-2 nowrap focus-inset hover:bg-bg-2 hover:text-text-1 transition-colors duration-120";

export function StatusLine({ id, terminal }: { id: string; terminal: SessionTerminal }) {
  const s = useStrings();
  const { size, sizeOwner, isForeignSize, isReadOnly, renderer, status } =
    useTerminalSnapshot(terminal);
  const session = useSession(id);
  const { copied, copy } = useCopy();
  const owners = {
    me: s.statusLine.followsMe,
    other: s.statusLine.followsOther,
    nobody: s.statusLine.followsNobody,
  } as const;
  const canTakeSize = isForeignSize && sizeOwner !== "me" && !isReadOnly && status.kind === "live";
  return (
    <section
      aria-label={s.statusLine.label}
      className="flex h-[26px] shrink-0 items-center overflow-hidden border-line border-t bg-bg-1 px-1 text-[11px] text-text-3 tnum pointer-coarse:h-11 pointer-coarse:text-caption"
    >
      {size ? (
        <span className="shrink-0 px-2 nowrap" data-testid="size">
          {s.statusLine.size(size.cols, size.rows)}
          <span className="hidden tablet:inline"> · {owners[sizeOwner]}</span>
        </span>
      ) : null}
      {canTakeSize ? (
        <Tooltip content={s.statusLine.useMySizeHint} side="top">
          <button
            type="button"
            className={`${item} font-strong text-accent`}
            onClick={() => {
              // biome-ignore lint/correctness/useHookAtTopLevel: "use my size" is an act, not a hook.
              terminal.useMySize();
              terminal.focus();
            }}
          >
            <Maximize size={12} strokeWidth={2} aria-hidden />
            {s.statusLine.useMySize}
          </button>
        </Tooltip>
      ) : null}
      {session ? (
        <span
          className="inline-flex min-w-0 items-center gap-1.5 px-2 font-mono"
          title={s.statusLine.cwd(session.cwd)}
        >
          <FolderClosed size={12} strokeWidth={1.75} className="shrink-0" aria-hidden />
          <span className="truncate">{session.cwd}</span>
        </span>
      ) : null}
      <LastCommandItem id={id} terminal={terminal} />
      <span className="ml-auto" />
      <Tooltip content={copied ? s.common.copied : s.statusLine.copyId} side="top">
        <button
          type="button"
          className={`${item} max-tablet:hidden font-mono`}
          aria-label={s.statusLine.copyId}
          onClick={() => copy(id)}
        >
          {copied ? (
            <Check size={12} strokeWidth={2} className="text-human" aria-hidden />
          ) : (
            <Copy size={12} strokeWidth={1.75} aria-hidden />
          )}
          {id.slice(0, 8)}
        </button>
      </Tooltip>
      {renderer === "none" ? null : (
        <Tooltip content={s.statusLine.rendererHint} side="top">
          <span className="inline-flex h-full shrink-0 items-center px-2 max-desktop:hidden">
            {s.statusLine.renderer(renderer)}
          </span>
        </Tooltip>
      )}
    </section>
  );
}
