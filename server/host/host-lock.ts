// One host for one state directory (HO4): waits for one that is only just going away, and refuses beside one that serves.
import { type Clock, sleep } from "#lib/base/clock.ts";
import { readHostRecord } from "#server/state/host-record.ts";
import { type HeldLock, takeLock } from "#server/state/process-lock.ts";
import type { StateDir } from "#server/state/state-dir.ts";

/** Another host holds the state directory and serves it, or never came to. */
export class HostAlreadyRuns extends Error {
  override readonly name = "HostAlreadyRuns";
}

const patienceMs = 10_000;
const againMs = 25;

/** Throws HostAlreadyRuns. */
export async function holdStateDir(dir: StateDir, clock: Clock): Promise<HeldLock> {
  const deadline = clock.monotonic() + patienceMs;
  for (;;) {
    const result = takeLock(dir.hostLock);
    if (result.kind === "taken") return result.lock;
    const { pid } = result.holder;
    if (readHostRecord(dir)?.pid === pid) {
      throw new HostAlreadyRuns(`a cotty host (pid ${pid}) serves ${dir.root} already`);
    }
    if (clock.monotonic() > deadline) {
      throw new HostAlreadyRuns(`process ${pid} holds ${dir.hostLock} and does not come to serve`);
    }
    await sleep(clock, againMs);
  }
}

/** Throws HostAlreadyRuns: the file of the lock may be the one of another by now. */
export function assertMine(lock: HeldLock, dir: StateDir): void {
  if (!lock.isMine()) {
    throw new HostAlreadyRuns(`another cotty host took ${dir.root} in the same moment`);
  }
}
