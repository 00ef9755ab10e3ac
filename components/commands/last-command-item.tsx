// In the line below a terminal: the newest command, how it went and how long it took. A press goes to it.
import { useSession } from "#components/dashboard/app-context.tsx";
import { useNow } from "#components/dashboard/use-now.ts";
import { useStrings } from "#components/strings/strings.ts";
import type { LastCommand } from "#lib/protocol/session.ts";
import { type CommandResult, shownDurationMs } from "#lib/store/command-view.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";
import { durationOrNothing, ResultMark } from "./result-mark.tsx";

export function LastCommandItem({ id, terminal }: { id: string; terminal: SessionTerminal }) {
  const last = useSession(id)?.last_command ?? null;
  return last?.command ? <Item last={last} terminal={terminal} /> : null;
}

function Item({ last, terminal }: { last: LastCommand; terminal: SessionTerminal }) {
  const s = useStrings();
  const now = useNow(last.running ? 1_000 : null);
  const result = resultOfLast(last);
  const { results } = s.commands;
  const word = result === "failed" ? results.failed(last.exit_code ?? 1) : results[result];
  const lasted = last.running
    ? s.format.duration(now - Date.parse(last.started_at))
    : durationOrNothing(last.duration_ms ?? 0, shownDurationMs, s);
  return (
    <button
      type="button"
      data-testid="last-command"
      title={s.commands.last(last.command ?? "")}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => terminal.commands.jump(last.index)}
      className="focus-inset inline-flex h-full min-w-0 shrink items-center gap-1.5 px-2 text-text-2 transition-colors duration-120 hover:bg-bg-2 hover:text-text-1 max-tablet:hidden"
    >
      <ResultMark result={result} />
      <span className="min-w-0 max-w-64 truncate font-mono">{last.command}</span>
      <span className="shrink-0 text-text-3 nowrap">
        <span className={result === "failed" ? "text-danger" : "sr-only"}>{word}</span>
        {result === "failed" && lasted !== "" ? " \u00b7 " : ""}
        {lasted}
      </span>
    </button>
  );
}

function resultOfLast({ running, exit_code }: LastCommand): CommandResult {
  if (running) return "running";
  if (exit_code === null) return "unknown";
  return exit_code === 0 ? "ok" : "failed";
}
