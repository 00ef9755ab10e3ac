// Where acts are reported. Whoever acts needs nothing else of the audit.
import type { AuditAct } from "#lib/protocol/audit.ts";

export interface AuditSink {
  /** Never throws and never waits. `atMs`: wall time of an act that is told later; left out: now. */
  record(act: AuditAct, atMs?: number): void;
}

/** For sessions whose acts nobody keeps: tests and tools. */
export const noAudit: AuditSink = { record: () => {} };
