// Reads the whole audit and says whether it is what was written (AU1): the first line that is not is named.
import { basename } from "node:path";
import { linesForward, listAuditFiles } from "./audit-files.ts";
import {
  breakOf,
  type ChainHead,
  emptyChain,
  entryBeforeMore,
  type JudgedLine,
  judgeLine,
} from "./chain.ts";

export interface AuditFault {
  /** Name of the file, and line in it, from 1. */
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export interface Verification {
  readonly entries: number;
  /** Number of the oldest entry that is kept; null: there are none. */
  readonly first: number | null;
  /** Hash of the newest entry: who notes it elsewhere can prove later that nothing before it was changed. */
  readonly head: string | null;
  /** In order, at most `maxFaults`. */
  readonly faults: readonly AuditFault[];
  /** A last line without its end: a process was killed while it wrote. No fault of the chain. */
  readonly torn: AuditFault | null;
  /** With `expected`: whether a line with that hash is in the chain. */
  readonly hasExpected: boolean;
}

const maxFaults = 20;

/** `expected`: a head that was noted earlier. */
export async function verifyAudit(folder: string, expected?: string): Promise<Verification> {
  const faults: AuditFault[] = [];
  let torn: AuditFault | null = null;
  let head: ChainHead | null = null;
  let entries = 0;
  let first: number | null = null;
  let hasExpected = false;
  /** Entries before this number were removed by ourselves, as the chain says. */
  let retired = 0;
  let beginning: AuditFault | null = null;
  const files = listAuditFiles(folder);
  for (const { path } of files) {
    const file = basename(path);
    let number = 0;
    for await (const { line, isTorn } of linesForward(path)) {
      number += 1;
      const whole = isTorn ? entryBeforeMore(line) : null;
      if (isTorn && !whole && path === files.at(-1)?.path) {
        torn = {
          file,
          line: number,
          reason: "it is torn: a process was ended while it wrote it, or is writing it now",
        };
        continue;
      }
      if (whole) add(faults, { file, line: number, reason: "its end was changed" });
      const judged = whole ?? judgeLine(line);
      if (judged.kind === "bad") {
        add(faults, { file, line: number, reason: judged.reason });
        continue;
      }
      const { entry, hash } = judged;
      const broken = breakOf(judged, head ?? beginningOf(judged));
      if (broken) add(faults, { file, line: number, reason: broken });
      head = { next: entry.n + 1, hash };
      if (first === null && entry.n > 0 && faults.length === 0)
        beginning = { file, line: number, reason: "what came before it is gone" };
      first ??= entry.n;
      if (entry.act === "retention") retired = Number(/\d+/.exec(entry.what ?? "")?.[0] ?? 0);
      entries += 1;
      hasExpected ||= hash === expected;
    }
  }
  if (beginning && first !== null && first > retired) faults.unshift(beginning);
  return { entries, first, head: head?.hash ?? null, faults, torn, hasExpected };
}

/** The oldest kept entry follows one that is gone, or none. */
function beginningOf({ entry, prev }: Extract<JudgedLine, { kind: "entry" }>): ChainHead {
  return entry.n === 0 ? emptyChain : { next: entry.n, hash: prev };
}

function add(faults: AuditFault[], fault: AuditFault): void {
  if (faults.length < maxFaults) faults.push(fault);
}
