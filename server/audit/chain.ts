// The chain of the audit (AU1): how a line is made from an act, and how a line is judged. Pure.
import { createHash } from "node:crypto";
import { type AuditAct, type AuditEntry, auditEntrySchema } from "#lib/protocol/audit.ts";

/** Where the next line goes: its number, and the hash that it has to name. */
export interface ChainHead {
  readonly next: number;
  readonly hash: string;
}

export const emptyChain: ChainHead = { next: 0, hash: "0".repeat(64) };

export type JudgedLine =
  | { kind: "entry"; entry: AuditEntry; prev: string; hash: string }
  | { kind: "bad"; reason: string };

/** A line without its newline. `prev` and `hash` are its last members: the hash is over everything before it, `prev` included. */
export function makeLine(
  act: AuditAct,
  atMs: number,
  head: ChainHead,
): { line: string; head: ChainHead } {
  const body = { n: head.next, at: new Date(atMs).toISOString(), ...act, prev: head.hash };
  const text = JSON.stringify(body);
  const hash = hashOf(text);
  return { line: sealed(text, hash), head: { next: head.next + 1, hash } };
}

const sealedEnd = /^,"hash":"([0-9a-f]{64})"\}$/;
const sealedBegin = ',"hash":"';
/** Of `,"hash":"…"}`. */
const sealedEndBytes = 75;

/** Judges one line by itself: that it is ours and that its hash is its own. */
export function judgeLine(line: Buffer): JudgedLine {
  const cut = line.length - sealedEndBytes;
  const hash = cut > 0 && sealedEnd.exec(line.subarray(cut).toString("latin1"))?.[1];
  if (!hash) return { kind: "bad", reason: "it is not an entry" };
  const text = Buffer.concat([line.subarray(0, cut), closing]);
  if (hashOf(text) !== hash) return { kind: "bad", reason: "its hash does not fit its text" };
  try {
    const body = JSON.parse(text.toString("utf8")) as { prev?: unknown };
    const entry = auditEntrySchema.safeParse(body).data;
    if (!entry || typeof body.prev !== "string")
      return { kind: "bad", reason: "it is not an entry" };
    return { kind: "entry", entry, prev: body.prev, hash };
  } catch {
    return { kind: "bad", reason: "it is not JSON" };
  }
}

/**
 * Of a last line that has no end: the entry that stands whole in it with something behind it. A process that is killed leaves a beginning of an
 * entry, and never more than one; so somebody changed the newline.
 */
export function entryBeforeMore(line: Buffer): Extract<JudgedLine, { kind: "entry" }> | null {
  for (let at = line.indexOf(sealedBegin); at >= 0; at = line.indexOf(sealedBegin, at + 1)) {
    const end = at + sealedEndBytes;
    if (end >= line.length) return null;
    const judged = judgeLine(line.subarray(0, end));
    if (judged.kind === "entry") return judged;
  }
  return null;
}

/** Why `line` cannot follow `head`; null: it does. */
export function breakOf(
  line: Extract<JudgedLine, { kind: "entry" }>,
  head: ChainHead,
): string | null {
  if (line.entry.n !== head.next) return `it is number ${line.entry.n}, and ${head.next} was due`;
  if (line.prev !== head.hash) return "it does not follow the line before it";
  return null;
}

function sealed(text: string, hash: string): string {
  return `${text.slice(0, -1)},"hash":"${hash}"}`;
}

const closing = Buffer.from("}");

function hashOf(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}
