// Small files of /proc, read with as few calls as there can be: a look reads a dozen of them.
import { closeSync, openSync, readSync } from "node:fs";

const buffer = Buffer.alloc(4_096);

/** What is longer is cut. Throws what the file system throws. */
export function readProcFile(path: string): string {
  const file = openSync(path, "r");
  try {
    return buffer.toString("latin1", 0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
}
