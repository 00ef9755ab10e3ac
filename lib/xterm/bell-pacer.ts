// At most three bells in any second reach the eye (WCAG 2.3.1 and plain mercy).
import type { Clock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";

const perSecond = 3;

export class BellPacer implements Disposable {
  private readonly bells = new Emitter<void>();
  private rungMs: number[] = [];

  readonly onBell = this.bells.event;

  constructor(private readonly clock: Clock) {}

  ring(): void {
    const now = this.clock.monotonic();
    this.rungMs = this.rungMs.filter((at) => now - at < 1_000);
    if (this.rungMs.length >= perSecond) return;
    this.rungMs.push(now);
    this.bells.fire();
  }

  dispose(): void {
    this.bells.dispose();
  }
}
