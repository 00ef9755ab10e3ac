// What people write at a command line, read: times, sizes, cells, numbers. Each parser refuses with how it is written.
import { InvalidArgumentError } from "commander";
import { limits } from "#lib/protocol/limits.ts";

const units: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** "5", "0.5", "500ms", "10s", "5m", "2h" -> milliseconds; a bare number is seconds, as `sleep` has it. */
export function parseSpan(written: string): number {
  const match = /^(\d{1,7}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(written);
  const ms = match ? Math.round(Number(match[1]) * (units[match[2] ?? "s"] ?? 0)) : -1;
  if (ms < 0 || ms > limits.waitMs.max)
    throw new InvalidArgumentError(
      "Write seconds, or a number and a unit: 5, 0.5, 500ms, 10m, 2h.",
    );
  return ms;
}

/** "120x40". */
export function parseSize(written: string): { cols: number; rows: number } {
  const match = /^(\d{1,4})[x×,](\d{1,4})$/.exec(written);
  if (!match) throw new InvalidArgumentError("Write COLSxROWS, such as 120x40.");
  return { cols: Number(match[1]), rows: Number(match[2]) };
}

/** "10,3": column and row from 0. */
export function parseCell(written: string): { x: number; y: number } {
  const match = /^(\d{1,4}),(\d{1,4})$/.exec(written);
  if (!match) throw new InvalidArgumentError("Write COLUMN,ROW counted from 0, such as 10,3.");
  return { x: Number(match[1]), y: Number(match[2]) };
}

export function parseWhole(written: string): number {
  if (!/^\d{1,9}$/.test(written)) throw new InvalidArgumentError("Write a whole number.");
  return Number(written);
}

/** "FOO=bar", repeatable. */
export function parseVariable(
  written: string,
  before: Record<string, string> | undefined,
): Record<string, string> {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/.exec(written);
  if (!match) throw new InvalidArgumentError("Write NAME=VALUE.");
  return { ...before, [match[1] as string]: match[2] as string };
}

export function repeatable(written: string, before: string[] | undefined): string[] {
  return [...(before ?? []), written];
}

/** Of `--tail`. */
export function parseLines(written: string): number {
  const { max } = limits.scrollbackLines;
  const lines = /^\d{1,9}$/.test(written) ? Number(written) : 0;
  if (lines < 1 || lines > max) throw new InvalidArgumentError(`Give a number from 1 to ${max}.`);
  return lines;
}

const { default: usualBytes, min: fewestBytes, max: mostBytes } = limits.outputBytes;
export const bytesHelp = `at most so much text, ${fewestBytes} to ${mostBytes} (default: ${usualBytes})`;

/** Of `--max-bytes`. */
export function parseBytes(written: string): number {
  const bytes = /^\d{1,9}$/.test(written) ? Number(written) : 0;
  if (bytes < fewestBytes || bytes > mostBytes)
    throw new InvalidArgumentError(`Give a number from ${fewestBytes} to ${mostBytes}.`);
  return bytes;
}
