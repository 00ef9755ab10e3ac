// Gate step 6 (T06, T37, T38): failed credentials per source and over all, asked before a credential is looked at. A bucket that
// refills; successes cost nothing. The source is the address of the socket's other end.
import type { Clock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type Refusal, refusal } from "./refusal.ts";

/**
 * What is guessed at. Apart, so that a program with a stale token, or a page with a stale ticket, does not lock out the person beside
 * it on the same machine.
 */
export type Guess = "token" | "login" | "ticket" | "code";

interface Bucket {
  /** Failures still allowed; may be a fraction. */
  left: number;
  /** Monotonic time of the last refill. */
  at: number;
}

export class FailureLimiter {
  /** In order of last failure: the oldest is forgotten first. */
  private readonly sources = new Map<string, Bucket>();
  /** Sources that showed a good credential lately: the crowd's failures do not shut them out. */
  private readonly known = new Set<string>();
  private readonly all: Bucket;

  constructor(
    private readonly clock: Clock,
    private readonly maxSources: number = limits.limiterSources,
  ) {
    this.all = { left: limits.failuresPerMinute, at: clock.monotonic() };
  }

  get size(): number {
    return this.sources.size;
  }

  check(peer: string, guess: Guess): Refusal | null {
    const key = keyOf(peer, guess);
    const bucket = this.sources.get(key);
    if (bucket) {
      this.refill(bucket, limits.failuresPerSource, limits.failureRefillMs);
      if (bucket.left < 1) return this.refuse((1 - bucket.left) * limits.failureRefillMs);
    }
    const everyMs = 60_000 / limits.failuresPerMinute;
    this.refill(this.all, limits.failuresPerMinute, everyMs);
    if (this.all.left < 1 && !this.known.has(key))
      return this.refuse((1 - this.all.left) * everyMs);
    return null;
  }

  failed(peer: string, guess: Guess): void {
    const key = keyOf(peer, guess);
    const bucket = this.sources.get(key) ?? {
      left: limits.failuresPerSource,
      at: this.clock.monotonic(),
    };
    this.refill(bucket, limits.failuresPerSource, limits.failureRefillMs);
    bucket.left = Math.max(0, bucket.left - 1);
    this.all.left = Math.max(0, this.all.left - 1);
    this.sources.delete(key);
    this.sources.set(key, bucket);
    if (this.sources.size > this.maxSources) forgetOldest(this.sources);
  }

  succeeded(peer: string, guess: Guess): void {
    const key = keyOf(peer, guess);
    if (this.known.has(key)) return;
    this.known.add(key);
    if (this.known.size > this.maxSources) forgetOldest(this.known);
  }

  private refill(bucket: Bucket, full: number, everyMs: number): void {
    const now = this.clock.monotonic();
    bucket.left = Math.min(full, bucket.left + (now - bucket.at) / everyMs);
    bucket.at = now;
  }

  private refuse(retryAfterMs: number): Refusal {
    return refusal(
      "limiter",
      "TOO_MANY_ATTEMPTS",
      "too many failed credentials from this address",
      {
        retryAfterMs: Math.ceil(retryAfterMs),
      },
    );
  }
}

/** A tenth at a time: finding the first key of a map costs as much as was deleted before it. */
function forgetOldest(kept: {
  readonly size: number;
  keys(): IterableIterator<string>;
  delete(key: string): boolean;
}): void {
  let surplus = Math.ceil(kept.size / 10);
  for (const key of kept.keys()) {
    if (surplus === 0) return;
    kept.delete(key);
    surplus -= 1;
  }
}

/** One source per IPv4 address and per IPv6 /64: whoever has one address of a /64 has all of it. */
function keyOf(peer: string, guess: Guess): string {
  const address = peer.startsWith("::ffff:") ? peer.slice(7) : peer;
  const source = address.includes(":") ? first64(address) : address;
  return `${guess} ${source}`;
}

function first64(address: string): string {
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const before = head === "" ? [] : head.split(":");
  const after = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...after]
    .slice(0, 4)
    .join(":");
}
