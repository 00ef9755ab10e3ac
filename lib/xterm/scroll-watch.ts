// Where the person is in the scrollback: kept over a fresh snapshot where it can be found again, and what they miss meanwhile (B124).
import type { Terminal } from "@xterm/xterm";
import { captureAnchor, findAnchor, isAtBottom, type ScrollAnchor } from "./scroll-anchor.ts";

export class ScrollWatch {
  private anchor: ScrollAnchor | null = null;
  private wasUp = false;
  private isBehind = false;
  private isLost = false;

  constructor(
    private readonly terminal: Pick<Terminal, "buffer" | "rows" | "scrollToLine">,
    private readonly changed: () => void,
  ) {}

  get isScrolledUp(): boolean {
    return !isAtBottom(this.terminal.buffer.active);
  }

  /** Something was printed since the person scrolled up. */
  get hasNewOutput(): boolean {
    return this.isBehind;
  }

  /** The place was not found in the last snapshot. Until the next scroll. */
  get hasJumped(): boolean {
    return this.isLost;
  }

  beforeRestart(): void {
    this.anchor = captureAnchor(this.terminal.buffer.active, this.terminal.rows);
  }

  restored(): void {
    if (!this.anchor) return;
    const line = findAnchor(this.terminal.buffer.active, this.anchor);
    this.anchor = null;
    if (line !== null) this.terminal.scrollToLine(line);
    // Told as the state it leads to, so that the scroll itself does not count as the person's.
    this.wasUp = this.isScrolledUp;
    this.isLost = line === null;
    this.isBehind = this.isBehind && this.wasUp;
    this.changed();
  }

  printed(): void {
    if (this.isBehind || !this.isScrolledUp) return;
    this.isBehind = true;
    this.changed();
  }

  scrolled(): void {
    const isUp = this.isScrolledUp;
    if (isUp === this.wasUp) return;
    this.wasUp = isUp;
    this.isLost = false;
    if (!isUp) this.isBehind = false;
    this.changed();
  }
}
