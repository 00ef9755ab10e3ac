// A lock file held by a living process (HO2): the holder's identity is the file's text, so a lock whose holder is gone is recognised
// and replaced. Works between processes of one machine and one user.
import { randomBytes } from "node:crypto";
import { linkSync, rmSync } from "node:fs";
import { createPrivateFile, freshName, readPrivateFile } from "./private-file.ts";
import {
  isRunning,
  ownIdentity,
  type ProcessIdentity,
  processIdentitySchema,
} from "./process-identity.ts";

export interface HeldLock {
  /** Whether the file of that name is still the one this process made. */
  isMine(): boolean;
  /** Idempotent; another's lock of the same name is left alone. */
  release(): void;
}

export type LockResult =
  | { kind: "taken"; lock: HeldLock }
  | { kind: "held"; holder: ProcessIdentity };

/** Takes the lock or names its holder; waits at most about a second, while others remove a stale one. */
export function takeLock(path: string): LockResult {
  const own = freshName(path);
  // The nonce tells this lock from every other of the same process; an inode number would be used again at once.
  const text = JSON.stringify({ ...ownIdentity(), nonce: randomBytes(16).toString("hex") });
  createPrivateFile(own, text);
  try {
    for (let round = 0; round < rounds; round += 1) {
      // A link appears with its whole text at once: nobody ever reads half a lock.
      if (tryLink(own, path)) return { kind: "taken", lock: held(path, text) };
      const holder = holderOf(path);
      if (holder && isRunning(holder)) return { kind: "held", holder };
      removeStale(path, own);
    }
    throw new Error(`the lock ${path} cannot be taken; remove it when no cotty host runs`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** About a second: another starter removes a stale lock within a few file operations. */
const rounds = 200;
const roundMs = 5;

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Undefined when the file is gone or holds no identity. */
function holderOf(path: string): ProcessIdentity | undefined {
  const text = readPrivateFile(path);
  if (text === undefined) return undefined;
  try {
    return processIdentitySchema.safeParse(JSON.parse(text)).data;
  } catch {
    // Not JSON: nobody's lock.
    return undefined;
  }
}

/**
 * Only who holds the second lock removes a stale first one. So between "it is stale" and its removal nobody can have put a fresh
 * one in its place, and a holder never loses a lock that it took.
 */
function removeStale(path: string, own: string): void {
  const breaker = `${path}.stale`;
  if (!tryLink(own, breaker)) {
    const other = holderOf(breaker);
    // One that died between two file operations; the next round tries again.
    if (!other || !isRunning(other)) rmSync(breaker, { force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, roundMs);
    return;
  }
  try {
    const holder = holderOf(path);
    if (!holder || !isRunning(holder)) rmSync(path, { force: true });
  } finally {
    rmSync(breaker, { force: true });
  }
}

function held(path: string, text: string): HeldLock {
  const isMine = () => readPrivateFile(path) === text;
  return {
    isMine,
    release() {
      if (isMine()) rmSync(path, { force: true });
    },
  };
}
