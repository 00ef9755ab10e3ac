// The other end of numbered-flood.mjs: takes what an attachment draws and says whether every record came exactly once, in order.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { AttachTarget } from "#lib/client/attach-target.ts";
import type { CreateSession } from "#lib/protocol/session.ts";

const recordBytes = 100;

export function numberedFlood(recordsPerSecond: number): CreateSession {
  const program = join(import.meta.dirname, "numbered-flood.mjs");
  const run = `stty raw -echo; exec "${process.execPath}" "${program}" ${recordsPerSecond}`;
  return { command: ["/bin/sh", "-c", run], cols: 120, rows: 30 };
}

export class NumberedStream implements AttachTarget {
  snapshots = 0;
  count = 0;
  /** The first record that was not the one due. */
  fault: string | null = null;
  /** What the program said at its end. */
  end: { count: number; hash: string } | null = null;
  private readonly sum = createHash("sha256");
  private rest: Buffer = Buffer.alloc(0);
  private digest: string | null = null;

  /** Of all records received. Final: nothing may follow. */
  hash(): string {
    this.digest ??= this.sum.digest("hex");
    return this.digest;
  }

  showScreen(): void {}

  showSnapshot(_size: unknown, _history: unknown, _screen: unknown, drawn: () => void): void {
    this.snapshots += 1;
    drawn();
  }

  resize(): void {}

  write(bytes: Uint8Array, drawn: () => void): void {
    this.take(Buffer.concat([this.rest, bytes]));
    drawn();
  }

  private take(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && bytes[at] !== 0x45 /* E */) {
      if (at + recordBytes > bytes.length) break;
      const number = Number(bytes.toString("latin1", at, at + 10));
      if (number !== this.count && this.fault === null)
        this.fault = `record ${bytes.toString("latin1", at, at + 40)} where ${this.count} was due`;
      this.count += 1;
      at += recordBytes;
    }
    this.sum.update(bytes.subarray(0, at));
    this.rest = bytes.subarray(at);
    const end = /^END (\d+) ([0-9a-f]{64})\n/.exec(this.rest.toString("latin1"));
    if (end?.[2]) this.end = { count: Number(end[1]), hash: end[2] };
  }
}
