// Overlays in the browser's history: each open one has an entry of its own, so that Back closes it before it leaves the page. Going
// back takes effect later, so every change only says how many entries there should be, and one step at a time makes it so. Knows
// nothing about what an overlay is.

/** What is needed of a window; a test has one of its own. */
export interface Entries {
  readonly history: Pick<History, "state" | "pushState" | "go">;
  addEventListener(type: "popstate", listener: (event: Event) => void): void;
}

export interface Overlay {
  close(): void;
}

export class BackStack {
  private readonly overlays: Overlay[] = [];
  private readonly waiting = new Set<() => void>();
  /** A step of our own is under way: the next popstate is its arrival and nobody's wish. */
  private isStepping = false;
  private willSettle = false;

  /** To be made before anybody else listens: Chromium calls a window's listeners in the order they came, capturing or not. */
  constructor(private readonly entries: Entries) {
    entries.addEventListener("popstate", (event) => this.arrived(event));
  }

  /** From now on Back closes this overlay first. Returns how to say that it was closed. */
  open(overlay: Overlay): () => void {
    this.overlays.push(overlay);
    this.settleSoon();
    return () => {
      const at = this.overlays.indexOf(overlay);
      if (at < 0) return;
      this.overlays.splice(at, 1);
      this.settleSoon();
    };
  }

  /**
   * Runs `task` while the page's own entry is the current one: now, or when the overlays on top of it are gone. Whoever writes the address
   * earlier writes it into an overlay's entry, and going back from that brings the old one back. Returns how to call it off.
   */
  onPage(task: () => void): () => void {
    if (this.isOnPage) {
      task();
      return () => {};
    }
    this.waiting.add(task);
    this.settleSoon();
    return () => this.waiting.delete(task);
  }

  private get isOnPage(): boolean {
    return this.overlays.length === 0 && this.depth === 0 && !this.isStepping;
  }

  /** How many overlays the current entry was made for. */
  private get depth(): number {
    return Number((this.entries.history.state as { cottyOverlays?: number })?.cottyOverlays ?? 0);
  }

  /** Later, since one overlay often closes as another opens: then nothing has to move. */
  private settleSoon(): void {
    if (this.willSettle) return;
    this.willSettle = true;
    queueMicrotask(() => {
      this.willSettle = false;
      this.settle();
    });
  }

  private settle(): void {
    if (this.isStepping) return;
    const { history } = this.entries;
    const wanted = this.overlays.length;
    while (this.depth < wanted)
      history.pushState({ ...history.state, cottyOverlays: this.depth + 1 }, "");
    if (this.depth > wanted) {
      this.isStepping = true;
      history.go(wanted - this.depth);
      return;
    }
    if (!this.isOnPage) return;
    const tasks = [...this.waiting];
    this.waiting.clear();
    for (const task of tasks) task();
  }

  private arrived(event: Event): void {
    if (this.isStepping) {
      this.isStepping = false;
      event.stopImmediatePropagation();
      this.settle();
      return;
    }
    const { depth } = this;
    // Between two entries of the page itself.
    if (depth === 0 && this.overlays.length === 0) return;
    // The page listens to popstate too (which session is open); this step was only for the overlay, or forward into a closed one.
    event.stopImmediatePropagation();
    for (const overlay of this.overlays.splice(depth).reverse()) overlay.close();
    this.settle();
  }
}
