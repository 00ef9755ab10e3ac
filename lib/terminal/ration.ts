// A bucket that refills with time: how much of something costly a stream may ask for at once and in the long run.

export class Ration {
  private left: number;
  private sinceMs: number | null = null;

  constructor(
    private readonly capacity: number,
    private readonly perSecond: number,
  ) {
    this.left = capacity;
  }

  /** What may be taken now. `nowMs` is monotonic. */
  available(nowMs: number): number {
    this.sinceMs ??= nowMs;
    const gained = Math.floor(((nowMs - this.sinceMs) * this.perSecond) / 1000);
    if (gained > 0) {
      this.left = Math.min(this.capacity, this.left + gained);
      this.sinceMs = nowMs;
    }
    return this.left;
  }

  /** Takes `amount`, all or nothing. */
  take(amount: number, nowMs: number): boolean {
    if (this.available(nowMs) < amount) return false;
    this.left -= amount;
    return true;
  }
}
