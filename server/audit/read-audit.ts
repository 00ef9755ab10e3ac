// Reads entries, newest first, as people ask for them: of a session, of somebody, refused ones. Reads files; judges nothing (verify.ts does).
import type { AuditEntry, AuditQuery } from "#lib/protocol/audit.ts";
import { linesBackward, listAuditFiles } from "./audit-files.ts";
import { judgeLine } from "./chain.ts";

export interface AuditPage {
  /** Oldest first. */
  readonly entries: readonly AuditEntry[];
  readonly before: number | null;
}

const defaultPage = 100;
/** Lines looked at for one reply: what is rarer than that is found by asking again. */
const maxLines = 20_000;

export async function readAudit(folder: string, query: AuditQuery): Promise<AuditPage> {
  const { limit = defaultPage, before = Number.POSITIVE_INFINITY } = query;
  const found: AuditEntry[] = [];
  const isPossible = sieve(query);
  let looked = 0;
  for (const { path, first } of listAuditFiles(folder).reverse()) {
    if (first >= before) continue;
    for await (const { line, isTorn } of linesBackward(path)) {
      const n = isTorn ? null : numberOf(line);
      if (n === null || n >= before) continue;
      looked += 1;
      if (isPossible(line)) {
        const judged = judgeLine(line);
        if (judged.kind === "entry" && matches(judged.entry, query)) found.push(judged.entry);
      }
      if (found.length >= limit || looked >= maxLines)
        return { entries: found.reverse(), before: n > 0 ? n : null };
    }
  }
  return { entries: found.reverse(), before: null };
}

/** Most lines of a long audit are somebody else's: those are passed over without being parsed. */
function sieve({ session, actor, act, refused }: AuditQuery): (line: Buffer) => boolean {
  const needed = [
    ...(session === undefined ? [] : [`"session":${JSON.stringify(session)}`]),
    // Of an id or a name.
    ...(actor === undefined ? [] : [`":${JSON.stringify(actor)}`]),
    ...(act === undefined ? [] : [`"act":"${act}"`]),
  ];
  return (line) =>
    needed.every((text) => line.includes(text)) &&
    (refused === undefined || !line.includes('"outcome":"done"'));
}

/** An entry begins with its number. */
function numberOf(line: Buffer): number | null {
  const digits = /^\{"n":(\d{1,15}),/.exec(line.subarray(0, 24).toString("latin1"))?.[1];
  return digits === undefined ? null : Number(digits);
}

function matches(entry: AuditEntry, { session, actor, act, refused }: AuditQuery): boolean {
  if (session !== undefined && entry.session !== session) return false;
  if (actor !== undefined && entry.actor?.id !== actor && entry.actor?.name !== actor) return false;
  if (act !== undefined && entry.act !== act) return false;
  return refused === undefined || entry.outcome !== "done";
}
