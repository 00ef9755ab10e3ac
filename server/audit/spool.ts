// Acts of web and of the CLI while no host is there to record them: one file each in the audit's folder, taken in by the next host.
import { randomBytes } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { type AuditAct, auditActSchema } from "#lib/protocol/audit.ts";
import { limits } from "#lib/protocol/limits.ts";
import { readPrivateFile, writePrivateFile } from "#server/state/private-file.ts";

export interface SpooledAct {
  readonly path: string;
  readonly act: AuditAct;
  /** Wall time at which it was done. */
  readonly atMs: number;
}

export const toldActSchema = z.strictObject({
  act: auditActSchema,
  at: z.int().check(z.minimum(0)),
});

const namePattern = /^told-\d{15}-[0-9a-f]{12}\.json$/;

/** False: the folder is full or cannot be written; what was done is not undone for that. */
export function spoolAct(folder: string, act: AuditAct, atMs: number): boolean {
  const name = `told-${String(atMs).padStart(15, "0")}-${randomBytes(6).toString("hex")}.json`;
  try {
    if (spoolNames(folder).length >= limits.auditSpool) return false;
    writePrivateFile(join(folder, name), JSON.stringify({ act, at: atMs }));
    return true;
  } catch {
    // A full disk, say: the caller tells people.
    return false;
  }
}

/** Oldest first. What is no act of ours is left out and stays. */
export function spooledActs(folder: string): readonly SpooledAct[] {
  return spoolNames(folder).flatMap((name) => {
    const path = join(folder, name);
    try {
      const told = toldActSchema.parse(JSON.parse(readPrivateFile(path) ?? ""));
      return [{ path, act: told.act, atMs: told.at }];
    } catch {
      // Cut off by a full disk or a crash.
      return [];
    }
  });
}

export function removeSpooled(acts: readonly SpooledAct[]): void {
  for (const { path } of acts) rmSync(path, { force: true });
}

function spoolNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => namePattern.test(name))
      .sort();
  } catch {
    // Not readable: whoever writes there will be told.
    return [];
  }
}
