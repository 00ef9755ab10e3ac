// Web's way to the host that lives now. A new host has a new record and a new key; both are noticed at the next use, so web finds
// a restarted host by itself (HO1, HO6).
import { statSync } from "node:fs";
import { findHost, type HostEndpoint } from "#server/state/host-endpoint.ts";
import { incompatibility } from "#server/state/host-record.ts";
import type { StateDir } from "#server/state/state-dir.ts";
import type { Answerable } from "./answer.ts";
import { silentLog, type WebLog } from "./web-log.ts";

/** What clients hear while there is no host; it may be back in a moment. */
export const hostLost = {
  code: "HOST_LOST",
  detail: "the process that holds the terminals does not answer",
  retryAfterMs: 1_000,
} as const satisfies Answerable;

export class HostLink {
  private found: HostEndpoint | null = null;
  private stamp = "";

  constructor(
    private readonly dir: StateDir,
    private readonly log: WebLog = silentLog,
  ) {}

  /** null: no host, or one that this version cannot talk to. */
  current(): HostEndpoint | null {
    const stamp = this.readStamp();
    if (stamp === "") return null;
    if (stamp === this.stamp) return this.found;
    const found = this.find();
    this.found = found && !incompatibility(found.record) ? found : null;
    // A host may be half started: what was not found is looked for again.
    this.stamp = this.found ? stamp : "";
    return this.found;
  }

  /** The host did not answer: look again, even if the record looks the same. */
  forget(): void {
    this.stamp = "";
  }

  private find(): HostEndpoint | undefined {
    try {
      return findHost(this.dir);
    } catch (error) {
      // A key or record that others could read or write is not used; the operator has to know why nothing works.
      const message = error instanceof Error ? error.message : String(error);
      this.log("error", "the host's files are not usable", { message });
      return undefined;
    }
  }

  private readStamp(): string {
    try {
      const record = statSync(this.dir.hostRecord);
      const key = statSync(this.dir.hostKey);
      return `${record.ino} ${record.mtimeMs} ${key.ino} ${key.mtimeMs}`;
    } catch {
      // No record or no key: no host.
      return "";
    }
  }
}
