// What web itself decides - logins, tokens, refusals at the gate - told to the host's audit; kept in files for the next host while none
// answers (AU1). Never holds up what it tells of.
import type { Clock } from "#lib/base/clock.ts";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { AuditSink } from "#server/audit/audit-sink.ts";
import { RepeatedActs } from "#server/audit/repeated-acts.ts";
import { spoolAct } from "#server/audit/spool.ts";
import type { HostLink } from "./host-link.ts";
import type { WebLog } from "./web-log.ts";

interface Told {
  readonly act: AuditAct;
  readonly at: number;
}

/** Acts in one message to the host. */
const batchActs = 100;
const patienceMs = 2_000;

export class AuditReports implements AuditSink {
  private queue: Told[] = [];
  private sending: Promise<void> | null = null;
  private readonly repeats: RepeatedActs;

  constructor(
    private readonly link: HostLink,
    private readonly folder: string,
    private readonly clock: Clock,
    private readonly log: WebLog,
  ) {
    this.repeats = new RepeatedActs(this, clock);
  }

  record(act: AuditAct): void {
    const told = { act, at: this.clock.now() };
    if (this.queue.length >= limits.auditSpool) this.keep([told]);
    else this.queue.push(told);
    this.start();
  }

  /** Of those who may try again and again: told once, then counted. */
  refused(act: AuditAct): void {
    this.repeats.record(act);
  }

  /** What is counted and what waits is told first. */
  async close(): Promise<void> {
    this.repeats.dispose();
    while (this.sending) await this.sending;
  }

  private start(): void {
    this.sending ??= this.send().finally(() => {
      this.sending = null;
      // What came between the last look at the queue and now.
      if (this.queue.length > 0) this.start();
    });
  }

  private async send(): Promise<void> {
    // A turn later: what comes in the same turn goes in one message.
    await Promise.resolve();
    while (this.queue.length > 0) {
      const acts = this.queue.splice(0, batchActs);
      if (!(await this.told(acts))) this.keep(acts);
    }
  }

  private async told(acts: readonly Told[]): Promise<boolean> {
    try {
      const host = this.link.current();
      const body = { acts };
      // In all: an answer that trickles must not keep web from ending.
      const signal = AbortSignal.timeout(patienceMs);
      const reply = await host?.request("POST", "/internal/audit", { body, signal });
      return reply?.status === 200;
    } catch {
      // It went away, or hangs.
      return false;
    }
  }

  private keep(acts: readonly Told[]): void {
    const lost = acts.filter(({ act, at }) => !spoolAct(this.folder, act, at)).length;
    if (lost > 0)
      this.log("error", "acts are missing from the audit: no host, and no file", { lost });
  }
}
