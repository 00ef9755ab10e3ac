// How a command went: a shape and a colour for each result, so that colour alone never tells.
import { Check, CircleHelp, X } from "lucide-react";
import type { Strings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { type CommandResult, resultOf } from "#lib/store/command-view.ts";

export const resultTones: Record<CommandResult, string> = {
  running: "text-idle",
  ok: "text-human",
  failed: "text-danger",
  unknown: "text-text-3",
};

export function ResultMark({ result, size = 12 }: { result: CommandResult; size?: number }) {
  return (
    <span
      data-result={result}
      className={cx("inline-flex shrink-0 items-center justify-center", resultTones[result])}
      style={{ width: size, height: size }}
    >
      <Shape result={result} size={size} />
    </span>
  );
}

function Shape({ result, size }: { result: CommandResult; size: number }) {
  switch (result) {
    case "ok":
      return <Check size={size} strokeWidth={2.5} aria-hidden />;
    case "failed":
      return <X size={size} strokeWidth={2.5} aria-hidden />;
    case "unknown":
      return <CircleHelp size={size} strokeWidth={2} aria-hidden />;
    case "running":
      // Half filled, as for a session at work.
      return (
        <svg width={size - 2} height={size - 2} viewBox="0 0 10 10" aria-hidden focusable="false">
          <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="1.75" />
          <path d="M5 1a4 4 0 0 1 0 8z" fill="currentColor" />
        </svg>
      );
  }
}

export function resultWord(record: CommandRecord | undefined, s: Strings): string {
  const { results } = s.commands;
  const result = resultOf(record);
  if (result === "failed") return results.failed(record?.exit_code ?? 1);
  if (result === "unknown" && record?.flags.includes("incomplete")) return results.incomplete;
  return results[result];
}

/** One line of it, whatever was typed. */
export function commandText(
  record: Pick<CommandRecord, "command"> | undefined,
  s: Strings,
): string {
  return record?.command?.replace(/\s*\n\s*/g, " \u23ce ").trim() || s.commands.unnamed;
}

export function typistText(by: readonly string[], me: string | undefined, s: Strings): string {
  if (by.length === 0) return s.commands.nobody;
  return s.format.list(by.map((name) => (name === me ? s.commands.you : name)));
}

export function durationOrNothing(ms: number, least: number, s: Strings): string {
  return ms < least ? "" : s.format.duration(ms);
}
