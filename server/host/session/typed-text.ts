// What an agent typed, as it may be kept for people: control characters visible, secrets hidden (SX1), bounded. Never for what people type.
import { limits } from "#lib/protocol/limits.ts";
import { plainLine, visibleBytes } from "#lib/terminal/visible-bytes.ts";

/** A text with the values of the session's secrets hidden. */
export type Hide = (text: string) => string;

/** Looked through behind the cut: a value across it must not leave its beginning. */
const behindCut = 4_096;

export function typedText(bytes: Uint8Array, hide: Hide): string {
  const text = hide(visibleBytes(bytes, limits.auditSummaryChars + behindCut));
  if (text.length <= limits.auditSummaryChars) return text;
  return `${text.slice(0, limits.auditSummaryChars).replace(/[\ud800-\udbff]$/, "")}…`;
}

export function saidText(text: string, maxChars: number, hide: Hide): string {
  return hide(plainLine(text, maxChars + behindCut)).slice(0, maxChars);
}
