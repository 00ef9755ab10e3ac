// The token of a wait over many sessions (WT7): for each, what it was returned for last and from where on it was watched, so that the next wait
// tells nothing twice and misses nothing in between. It says all this itself: the host keeps nothing for it.
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Cursor } from "#lib/protocol/cursor.ts";

export interface Watched {
  /** Print of the reason it was returned for; null: it was not. */
  readonly reason: string | null;
  readonly cursor: Cursor;
  readonly command: number;
}

const bytes = 24;
const none = "0".repeat(8);

export function reasonPrint(reason: string): string {
  const print = digest(reason, 4);
  return print === none ? "00000001" : print;
}

export function writeGeneration(watched: ReadonlyMap<string, Watched>): string {
  const buffer = Buffer.alloc(watched.size * bytes);
  let at = 0;
  for (const [id, { reason, cursor, command }] of watched) {
    buffer.write(digest(id, 8), at, "hex");
    buffer.write(reason ?? none, at + 8, "hex");
    buffer.writeUIntBE(cursor.seq, at + 12, 6);
    buffer.writeUInt16BE(cursor.col, at + 18);
    buffer.writeUInt32BE(command, at + 20);
    at += bytes;
  }
  return buffer.toString("base64url");
}

/** What the token says of a session; one that is none says nothing. */
export function readGeneration(token: string | undefined): (id: string) => Watched | undefined {
  const buffer = Buffer.from(token ?? "", "base64url");
  const known = new Map<string, Watched>();
  for (let at = 0; at + bytes <= buffer.length; at += bytes) {
    const reason = buffer.toString("hex", at + 8, at + 12);
    known.set(buffer.toString("hex", at, at + 8), {
      reason: reason === none ? null : reason,
      cursor: { seq: buffer.readUIntBE(at + 12, 6), col: buffer.readUInt16BE(at + 18) },
      command: buffer.readUInt32BE(at + 20),
    });
  }
  return (id) => known.get(digest(id, 8));
}

function digest(text: string, size: number): string {
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, 2 * size);
}
