// The Idempotency-Key header (IN6): a request that is sent again with the same key is not carried out again; its first reply comes back.
// Refusals are not kept, because a refused act changed nothing: the same key may be tried again. Input of which a part was typed is kept.
import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "#lib/base/clock.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { badFields } from "#lib/protocol/field-errors.ts";
import { limits } from "#lib/protocol/limits.ts";

export const idempotencyHeader = "idempotency-key";
export const replayedHeader = "idempotent-replayed";

/** What was typed may be a password: nobody who comes by a print can find it by trying. Prints last no longer than the process. */
const printKey = randomBytes(32);

/** What a first request asked for; two with the same print are the same request. */
export function requestPrint(operation: string, params: unknown, body: unknown): string {
  return createHmac("sha256", printKey)
    .update(JSON.stringify([operation, params, body ?? null]))
    .digest("base64");
}

/** undefined: the request has no key. Throws BAD_REQUEST. */
export function readIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (/^[\x21-\x7e]+$/.test(header) && header.length <= limits.idempotencyKeyChars) return header;
  const message = `must have 1 to ${limits.idempotencyKeyChars} visible ASCII characters`;
  throw badFields([{ path: `headers.${idempotencyHeader}`, message }]);
}

type Outcome =
  | { readonly kind: "running" }
  | {
      readonly kind: "replied";
      readonly status: number;
      readonly type: string;
      readonly text: string;
    }
  /** A part of it was done, and the refusal says which. */
  | { readonly kind: "cut"; readonly error: TermError }
  /** A fault in the middle: nobody knows what was done, so it is not done again. */
  | { readonly kind: "failed" };

interface Entry {
  readonly print: string;
  readonly atMs: number;
  outcome: Outcome;
}

const busyRetryMs = 250;

export class IdempotencyKeys {
  /** By actor, then by key, oldest first. */
  private readonly actors = new Map<string, Map<string, Entry>>();
  private count = 0;
  private replyBytes = 0;

  constructor(private readonly clock: Clock) {}

  /** Carries `act` out, or answers as it did before. Throws IDEMPOTENCY_MISMATCH, IDEMPOTENCY_BUSY, and what `act` throws. */
  async answer(
    actorId: string,
    key: string,
    print: string,
    act: () => Promise<Response>,
  ): Promise<Response> {
    this.dropExpired(actorId);
    const before = this.actors.get(actorId)?.get(key);
    if (before) return again(before, print);
    const entry: Entry = { print, atMs: this.clock.monotonic(), outcome: { kind: "running" } };
    this.add(actorId, key, entry);
    try {
      const response = await act();
      const text = await response.clone().text();
      const type = response.headers.get("content-type") ?? "";
      entry.outcome = { kind: "replied", status: response.status, type, text };
      this.replyBytes += text.length;
      this.makeRoom();
      return response;
    } catch (error) {
      if (error instanceof TermError && isCut(error)) entry.outcome = { kind: "cut", error };
      else if (error instanceof TermError) this.remove(actorId, key);
      else entry.outcome = { kind: "failed" };
      throw error;
    }
  }

  private add(actorId: string, key: string, entry: Entry): void {
    const own = this.actors.get(actorId) ?? new Map<string, Entry>();
    if (own.size >= limits.idempotencyKeysPerActor && !this.removeOldest(actorId)) {
      throw new TermError("TOO_FAST", `${own.size} requests with keys are running already`, {
        retryAfterMs: busyRetryMs,
      });
    }
    this.actors.set(actorId, own);
    own.set(key, entry);
    this.count += 1;
    this.makeRoom();
  }

  /** Who keeps the most gives first. */
  private makeRoom(): void {
    while (this.count > limits.idempotencyKeys || this.replyBytes > limits.idempotencyReplyBytes) {
      const largest = [...this.actors].sort(([, a], [, b]) => b.size - a.size);
      if (!largest.some(([actorId]) => this.removeOldest(actorId))) return;
    }
  }

  private dropExpired(actorId: string): void {
    const nowMs = this.clock.monotonic();
    for (const [key, entry] of this.actors.get(actorId) ?? []) {
      if (nowMs - entry.atMs < limits.idempotencyMs) return;
      if (entry.outcome.kind !== "running") this.remove(actorId, key);
    }
  }

  /** False when all of the actor's are running. */
  private removeOldest(actorId: string): boolean {
    for (const [key, entry] of this.actors.get(actorId) ?? []) {
      if (entry.outcome.kind === "running") continue;
      this.remove(actorId, key);
      return true;
    }
    return false;
  }

  private remove(actorId: string, key: string): void {
    const own = this.actors.get(actorId);
    const entry = own?.get(key);
    if (!own || !entry) return;
    own.delete(key);
    if (own.size === 0) this.actors.delete(actorId);
    this.count -= 1;
    if (entry.outcome.kind === "replied") this.replyBytes -= entry.outcome.text.length;
  }
}

/** Of input that was dropped on its way to the program (B112). */
function isCut({ extra }: TermError): boolean {
  const { delivered } = (extra.members ?? {}) as { delivered?: { bytes: number } };
  return delivered !== undefined && delivered.bytes > 0;
}

function again({ print, outcome }: Entry, asked: string): Response {
  if (print !== asked) {
    throw new TermError(
      "IDEMPOTENCY_MISMATCH",
      "this Idempotency-Key came with another request before; nothing was done",
    );
  }
  switch (outcome.kind) {
    case "running":
      throw new TermError("IDEMPOTENCY_BUSY", "the first request with this key is not done yet", {
        retryAfterMs: busyRetryMs,
      });
    case "cut":
      throw outcome.error;
    case "failed":
      throw new TermError(
        "INTERNAL",
        "the first request with this key failed in the middle and is not carried out again; look at what it did, then use a new key",
      );
    case "replied": {
      const { status, type, text } = outcome;
      const headers = { "content-type": type, [replayedHeader]: "true" };
      return new Response(text, { status, headers });
    }
  }
}
