// Tells what a person typed from what xterm emits by itself (AT3, LS2): xterm reports both through one event, so the DOM event
// that is being dispatched at that moment decides. No DOM event at all means the terminal answered the program: not ours to send.
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { listenAt } from "./dom-listener.ts";

export type Cause = "typed" | "report" | "none";

const typedEvents = [
  "keydown",
  "keypress",
  "keyup",
  "beforeinput",
  "input",
  "compositionstart",
  "compositionupdate",
  "compositionend",
] as const;

const reportEvents = [
  "mousedown",
  "mouseup",
  "mousemove",
  "wheel",
  "click",
  "auxclick",
  "contextmenu",
  "pointerdown",
  "pointerup",
  "pointermove",
  "touchstart",
  "touchmove",
  "touchend",
  "focus",
  "blur",
  "focusin",
  "focusout",
] as const;

/**
 * xterm reads its text area one task after a composition ended or a soft keyboard's key 229 came, outside any event.
 * The time is generous; nothing but a person's text is emitted outside events while the terminal's own answers are silenced.
 */
export const compositionGraceMs = 150;

export class InputCause implements Disposable {
  private readonly store = new DisposableStore();
  /** Events being dispatched, outermost first: a focus event may be dispatched inside a key event. */
  private running: { event: Event; cause: Cause }[] = [];
  private composedUntilMs = Number.NEGATIVE_INFINITY;

  /** Listens in the capture phase of `target` (the document): before xterm, and for what is dragged out of the terminal. */
  constructor(
    target: EventTarget,
    private readonly clock: Clock,
  ) {
    const listen = (type: string, cause: Cause) => {
      const options = { capture: true, passive: true };
      this.store.add(listenAt(target, type, (event) => this.note(event, cause), options));
    };
    for (const type of typedEvents) listen(type, "typed");
    for (const type of reportEvents) listen(type, "report");
  }

  /** Why data that xterm emits right now is emitted. */
  now(): Cause {
    this.prune();
    const innermost = this.running.at(-1);
    if (innermost) return innermost.cause;
    return this.clock.monotonic() <= this.composedUntilMs ? "typed" : "none";
  }

  dispose(): void {
    this.running = [];
    this.store.dispose();
  }

  private note(event: Event, cause: Cause): void {
    this.prune();
    this.running.push({ event, cause });
    const { type } = event;
    const isSoftKey = type === "keydown" && (event as KeyboardEvent).keyCode === 229;
    if (isSoftKey || type === "input" || type.startsWith("composition"))
      this.composedUntilMs = this.clock.monotonic() + compositionGraceMs;
  }

  private prune(): void {
    // An event's phase is NONE (0) again when its dispatch is over, whoever stopped its propagation.
    this.running = this.running.filter(({ event }) => event.eventPhase !== 0);
  }
}
