// How many waits an actor has pending (WT6), and all of them, so that none outlives its request or its host.
import type { Disposable } from "#lib/base/lifecycle.ts";
import { toDisposable } from "#lib/base/lifecycle.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";

export class Waiters {
  private readonly pending = new Map<string, number>();

  /** Until it is disposed. Throws TOO_MANY_WAITS. */
  enter(actorId: string, waits = 1): Disposable {
    const before = this.pending.get(actorId) ?? 0;
    if (before + waits > limits.waitsPerActor) {
      throw new TermError(
        "TOO_MANY_WAITS",
        `this credential has ${before} waits pending and may have ${limits.waitsPerActor}`,
        { retryAfterMs: 1_000 },
      );
    }
    this.pending.set(actorId, before + waits);
    return toDisposable(() => {
      const left = (this.pending.get(actorId) ?? waits) - waits;
      if (left > 0) this.pending.set(actorId, left);
      else this.pending.delete(actorId);
    });
  }

  count(actorId: string): number {
    return this.pending.get(actorId) ?? 0;
  }
}
