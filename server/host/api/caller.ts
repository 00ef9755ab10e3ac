// Who calls: the host's key proves that the request came through web or the local CLI, and then the actor it names is believed (HO4, T103).
import { createHash, timingSafeEqual } from "node:crypto";
import {
  type Actor,
  actorHeader,
  decodeActor,
  hostKeyHeader,
  requestIdHeader,
} from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { randomId } from "#lib/protocol/ids.ts";

export type HeaderReader = (name: string) => string | undefined;

export class CallerCheck {
  private readonly keyDigest: Buffer;

  constructor(key: string) {
    this.keyDigest = digest(key);
  }

  /** Throws UNAUTHENTICATED. Digests are compared, so the time tells nothing about the key, not even its length. */
  requireKey(header: HeaderReader): void {
    const given = header(hostKeyHeader);
    if (given !== undefined && timingSafeEqual(digest(given), this.keyDigest)) return;
    throw new TermError("UNAUTHENTICATED", "the host's key is missing or wrong");
  }

  /** The key, and then the actor. Throws UNAUTHENTICATED. */
  actor(header: HeaderReader): Actor {
    this.requireKey(header);
    const value = header(actorHeader);
    const actor = value === undefined ? undefined : decodeActor(value);
    if (!actor) throw new TermError("UNAUTHENTICATED", "the request names no actor");
    return actor;
  }
}

/** The id that web gave the request, or a new one; it is in the answer and in the log. */
export function requestIdOf(header: HeaderReader): string {
  const given = header(requestIdHeader);
  return given !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(given) ? given : randomId(16);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
