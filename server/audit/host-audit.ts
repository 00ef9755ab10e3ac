// The audit as the host has it: written, read, and fed with what web and the CLI left in files while no host was there.
import type { AuditAct, AuditQuery, AuditReply } from "#lib/protocol/audit.ts";
import { limits } from "#lib/protocol/limits.ts";
import { AuditLog, type AuditLogOptions } from "./audit-log.ts";
import type { AuditSink } from "./audit-sink.ts";
import { readAudit } from "./read-audit.ts";
import { removeSpooled, spooledActs } from "./spool.ts";

export class HostAudit implements AuditSink {
  private readonly log: AuditLog;

  constructor(private readonly options: AuditLogOptions) {
    this.log = new AuditLog(options);
  }

  get warning(): string | null {
    return this.log.warning;
  }

  record(act: AuditAct, atMs?: number): void {
    this.log.record(act, atMs);
  }

  /** As `AuditLog.settled`. */
  settled(): Promise<void> | null {
    return this.log.settled();
  }

  /** A host that ends writes that it did. Where the newest line is another, what it had not written yet is missing, and the audit says so. */
  async noteEnd(): Promise<void> {
    // What cannot be read cannot be written to either, and people are warned of that.
    const newest = await readAudit(this.options.folder, { limit: 1 }).then(
      ({ entries }) => entries[0],
      () => undefined,
    );
    if (newest === undefined || newest.act === "host_stop") return;
    this.log.record({
      act: "gap",
      actor: null,
      session: null,
      outcome: "done",
      what: `the host before ended without its last line: missing are at most ${limits.typingEntryMs / 1_000} s of people's typing, counts of repeated refusals, what nobody was answered yet, and after a power cut the last seconds`,
      request: null,
    });
  }

  async read(query: AuditQuery): Promise<AuditReply> {
    await this.log.flush();
    const page = await readAudit(this.options.folder, query);
    return { entries: [...page.entries], before: page.before, warning: this.warning };
  }

  /** What happened while no host was there. The files go once the entries are on disk; killed in between, they are told twice. */
  async takeIn(): Promise<void> {
    const spooled = spooledActs(this.options.folder);
    if (spooled.length === 0) return;
    for (const { act, atMs } of spooled) this.log.record(act, atMs);
    await this.log.flush();
    if (this.warning === null) removeSpooled(spooled);
  }

  close(): Promise<void> {
    return this.log.close();
  }
}
