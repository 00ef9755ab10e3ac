// The host's log: JSON lines in a private file that stays small. A second net under the rule that secrets never reach a log (trap 20):
// tokens that slipped into a message are cut, and control characters are spelled out, so that reading the file is safe.
import { closeSync, constants, fstatSync, openSync, renameSync, writeSync } from "node:fs";
import pino from "pino";
import { hostKeyHeader, pageKeyHeader } from "#lib/protocol/actor.ts";
import type { LogLevel } from "#server/config/settings.ts";

export type HostLog = pino.Logger;

/** The file is moved to `<path>.1` when it is this long; both together are all that is kept. */
const maxFileBytes = 4 * 1024 * 1024;

export function openHostLog(path: string, level: LogLevel): HostLog {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: ["key", "token", "code", "ticket", "authorization", "cookie", "secret"].flatMap(
          (name) => [
            name,
            `*.${name}`,
            `headers["${hostKeyHeader}"]`,
            `headers["${pageKeyHeader}"]`,
          ],
        ),
        censor: "redacted",
      },
    },
    new BoundedFile(path),
  );
}

/** A log for hosts inside another process that want none. */
export function silentLog(): HostLog {
  return pino({ level: "silent" });
}

/** Makes one line safe to show: no token, no control or direction character that JSON leaves as it is. */
export function cleanLine(line: string): string {
  return line
    .replace(/cot_(agt|own)_[A-Za-z0-9_-]+/g, "cot_$1_redacted")
    .replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (char) => {
      return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });
}

/** Appends synchronously: the last line before a crash is on disk. A full disk loses lines, never the host. */
class BoundedFile {
  private fd: number | undefined;
  private length = 0;

  constructor(private readonly path: string) {
    this.open();
  }

  write(line: string): void {
    try {
      if (this.length > maxFileBytes) this.rotate();
      if (this.fd !== undefined) this.length += writeSync(this.fd, cleanLine(line));
    } catch {
      // Nowhere is left to say that the log cannot be written.
    }
  }

  private rotate(): void {
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
    renameSync(this.path, `${this.path}.1`);
    this.open();
  }

  private open(): void {
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    this.fd = openSync(this.path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
    this.length = fstatSync(this.fd).size;
  }
}
