// How many requests an actor may make: a burst, then so many per second. A program in a loop gets 429 and when to come back; the others
// notice nothing. Frames on attach sockets have a budget of their own (frame-budget.ts).
import type { Clock } from "#lib/base/clock.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";

interface Bucket {
  left: number;
  atMs: number;
}

export class RequestBudget {
  /** Least recently used first. */
  private readonly buckets = new Map<string, Bucket>();

  constructor(private readonly clock: Clock) {}

  /** Counts one request of the actor. Throws TOO_FAST; a refused request costs nothing. */
  take(actorId: string): void {
    const nowMs = this.clock.monotonic();
    const before = this.buckets.get(actorId) ?? { left: limits.requestBurst, atMs: nowMs };
    const regained = ((nowMs - before.atMs) * limits.requestsPerSecond) / 1_000;
    const left = Math.min(limits.requestBurst, before.left + regained);
    this.buckets.delete(actorId);
    this.buckets.set(actorId, { left: left < 1 ? left : left - 1, atMs: nowMs });
    if (this.buckets.size > limits.requestActors) this.forgetOldest();
    if (left >= 1) return;
    throw new TermError(
      "TOO_FAST",
      `this credential made more than ${limits.requestBurst} requests at once and ${limits.requestsPerSecond} per second`,
      { retryAfterMs: Math.ceil(((1 - left) * 1_000) / limits.requestsPerSecond) },
    );
  }

  private forgetOldest(): void {
    for (const oldest of this.buckets.keys()) {
      this.buckets.delete(oldest);
      return;
    }
  }
}
