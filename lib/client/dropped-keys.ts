// How many keys reached nobody in this interruption (AT8). Counts them; keys are kept nowhere.
import { Emitter, type Event } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";

export class DroppedKeys implements Disposable {
  private readonly changes = new Emitter<number>();
  private dropped = 0;
  /** Sent since the other end was last heard. When it turns out to be dead, nobody knows of them: they count as not sent (B121). */
  private unanswered = 0;
  /** With the count. */
  readonly onChange: Event<number> = this.changes.event;

  get count(): number {
    return this.dropped;
  }

  drop(): void {
    this.dropped += 1;
    this.changes.fire(this.dropped);
  }

  sent(): void {
    this.unanswered += 1;
  }

  /** The other end lives: it has what was sent. */
  heard(): void {
    this.unanswered = 0;
  }

  /** An interruption begins. */
  interrupted(): void {
    this.dropped = 0;
  }

  /** It began with an end that had been dead for a while. */
  foundDead(): void {
    this.dropped = this.unanswered;
    if (this.dropped > 0) this.changes.fire(this.dropped);
  }

  dispose(): void {
    this.changes.dispose();
  }
}
