// `host-sessions.json`: the processes of the living sessions, so that the next host can end what a killed one left behind (HO6).
import { rmSync } from "node:fs";
import * as z from "zod/mini";
import { readPrivateFile, writePrivateFile } from "#server/state/private-file.ts";
import { processStartTime } from "#server/state/process-identity.ts";

const recordSchema = z.object({ pid: z.int(), startTime: z.int(), session: z.string() });
type LedgerRecord = z.infer<typeof recordSchema>;

export class SessionLedger {
  private readonly records = new Map<string, LedgerRecord>();

  constructor(private readonly path: string) {}

  /** What an earlier host wrote and did not take back; empty when it ended as it should, or the file cannot be understood. */
  leftBehind(): readonly LedgerRecord[] {
    const text = readPrivateFile(this.path);
    if (text === undefined) return [];
    try {
      return z.array(recordSchema).safeParse(JSON.parse(text)).data ?? [];
    } catch {
      return [];
    }
  }

  /** Brings the file to the sessions there are; on disk when it returns. A session stays listed after its exit, for its children's sake. */
  update(sessions: readonly { id: string; pid: number }[]): void {
    const present = new Set(sessions.map(({ id }) => id));
    let changed = false;
    for (const id of this.records.keys()) {
      if (!present.has(id)) changed = this.records.delete(id) || changed;
    }
    for (const { id, pid } of sessions) {
      if (this.records.has(id)) continue;
      // 0 fits no process: then the session's name in the environment of its processes must do.
      this.records.set(id, { pid, startTime: processStartTime(pid) ?? 0, session: id });
      changed = true;
    }
    if (changed) writePrivateFile(this.path, JSON.stringify([...this.records.values()]));
  }

  remove(): void {
    this.records.clear();
    rmSync(this.path, { force: true });
  }
}
