// Where the chain on disk ends, and what a process that was killed in the middle of a line left there.
import { statSync, truncateSync } from "node:fs";
import { linesBackward, listAuditFiles } from "./audit-files.ts";
import { type ChainHead, emptyChain, entryBeforeMore, judgeLine } from "./chain.ts";

export interface ChainEnd {
  readonly head: ChainHead;
  /** First entry of the file that can go on; null: the next line needs a new file. */
  readonly first: number | null;
  /** Removed from the end of the newest file. */
  readonly tornBytes: number;
}

/** Heals the newest file: a torn last line is cut off. A damaged one stays for `cotty audit verify` to name, and a new file begins. */
export async function findEnd(folder: string): Promise<ChainEnd> {
  const files = listAuditFiles(folder).reverse();
  let tornBytes = 0;
  let isNewest = true;
  /** The newest file, when nothing is in it. */
  let empty: number | null = null;
  for (const { path, first } of files) {
    let isSound = isNewest;
    let lines = 0;
    for await (const { line, isTorn } of linesBackward(path)) {
      const whole = isTorn ? entryBeforeMore(line) : null;
      if (whole) isSound = false;
      else if (isTorn) {
        const bytes = line.length;
        if (!isNewest) continue;
        truncateSync(path, statSync(path).size - bytes);
        tornBytes = bytes;
        continue;
      }
      lines += 1;
      const judged = whole ?? judgeLine(line);
      if (judged.kind === "bad") {
        isSound = false;
        continue;
      }
      const head = { next: judged.entry.n + 1, hash: judged.hash };
      return { head, first: isSound ? first : empty === head.next ? empty : null, tornBytes };
    }
    if (isNewest && lines === 0) empty = first;
    isNewest = false;
  }
  // Nothing readable: what is there keeps its names, so the next file must not take one of them.
  const next = empty ?? (files[0] ? files[0].first + 1 : 0);
  return { head: { ...emptyChain, next }, first: empty, tornBytes };
}
