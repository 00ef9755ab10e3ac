// Drives the reconnect machine with a clock and the page's signals: calls `connect` whenever a new attempt is due.
import type { Clock } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { PageSignals } from "./page-signals.ts";
import { connecting, type ReconnectEvent, type ReconnectState, reconnect } from "./reconnect.ts";

export interface ReconnectTimerOptions {
  clock: Clock;
  page: PageSignals;
  random?: () => number;
  /** Starts one attempt. Its end is told with `opened` or `closed`. */
  connect: () => void;
}

export class ReconnectTimer implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<ReconnectState>());
  private timer: Disposable | null = null;
  private current: ReconnectState;

  readonly onChange: Event<ReconnectState> = this.changes.event;

  constructor(private readonly options: ReconnectTimerOptions) {
    this.current = connecting(options.clock.now());
    this.store.add(options.page.onWake(() => this.tell({ kind: "woken" })));
  }

  get state(): ReconnectState {
    return this.current;
  }

  /** The first attempt. */
  start(): void {
    this.options.connect();
  }

  tell(event: ReconnectEvent): void {
    if (this.store.isDisposed) return;
    const { clock, random = Math.random } = this.options;
    const before = this.current;
    const next = reconnect(before, event, clock.now(), random());
    if (next === before) return;
    this.current = next;
    this.timer?.dispose();
    this.timer =
      next.kind === "waiting"
        ? clock.after(Math.max(0, next.untilMs - clock.now()), () => this.tell({ kind: "due" }))
        : null;
    this.changes.fire(next);
    // Asked of the field, not of `next`: a listener may have disposed this or moved on.
    if (this.current === next && next.kind === "connecting") this.options.connect();
  }

  dispose(): void {
    this.timer?.dispose();
    this.timer = null;
    this.store.dispose();
  }
}
