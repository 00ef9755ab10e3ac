// Between those who try again and again and the audit: the first of its kind is told at once, what follows is counted and told as one entry.
// A flood of wrong tokens costs two lines a minute.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { AuditSink } from "./audit-sink.ts";

interface Repeated {
  readonly last: AuditAct;
  readonly times: number;
  readonly end: Disposable;
}

export class RepeatedActs implements AuditSink, Disposable {
  private readonly repeated = new Map<string, Repeated>();

  constructor(
    private readonly sink: AuditSink,
    private readonly clock: Clock,
  ) {}

  record(act: AuditAct): void {
    const { actor, session, outcome, what } = act;
    let key = JSON.stringify([act.act, actor?.id, session, outcome, what]);
    // More kinds than are told apart are one kind: whoever invents names to fill the audit gains nothing.
    if (!this.repeated.has(key) && this.repeated.size >= limits.auditRepeats)
      key = JSON.stringify([act.act, outcome]);
    const known = this.repeated.get(key);
    if (known) {
      this.repeated.set(key, { ...known, last: act, times: known.times + 1 });
      return;
    }
    const end = this.clock.after(limits.auditRepeatMs, () => this.close(key));
    this.repeated.set(key, { last: act, times: 0, end });
    this.sink.record(act);
  }

  dispose(): void {
    for (const key of [...this.repeated.keys()]) this.close(key);
  }

  private close(key: string): void {
    const known = this.repeated.get(key);
    if (!known) return;
    this.repeated.delete(key);
    known.end.dispose();
    if (known.times > 0) this.sink.record({ ...known.last, times: known.times });
  }
}
