// At most so many WebGL contexts at once: browsers drop the oldest one without asking when there are too many (xterm.js #2253).
// The holder that was used longest ago gives its context up and goes on with the DOM renderer.

export interface SlotHolder {
  /** Give the context up now; the slot is already taken back. */
  giveUp(): void;
}

export class WebglSlots {
  /** Least recently used first. */
  private holders: SlotHolder[] = [];

  constructor(private readonly count: number) {}

  /** Takes a slot, or marks the holder's own as just used. */
  take(holder: SlotHolder): void {
    const others = this.holders.filter((other) => other !== holder);
    const evicted = others.length >= this.count ? others.shift() : undefined;
    this.holders = [...others, holder];
    evicted?.giveUp();
  }

  free(holder: SlotHolder): void {
    this.holders = this.holders.filter((other) => other !== holder);
  }

  holds(holder: SlotHolder): boolean {
    return this.holders.includes(holder);
  }
}
