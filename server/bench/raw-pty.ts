// The floor every figure is compared with: the PTY library alone, in this process, without anything of ours.
import { createRequire } from "node:module";

interface RawPty {
  readonly pid: number;
  onData(listener: (bytes: Buffer) => void): void;
  onExit(listener: () => void): void;
  write(text: string): void;
  kill(): void;
}

const { spawn } = createRequire(import.meta.url)("@lydell/node-pty") as {
  spawn(
    file: string,
    args: string[],
    options: { cols: number; rows: number; encoding: null },
  ): RawPty;
};

export function rawPty(file: string, args: string[]): RawPty {
  return spawn(file, args, { cols: 120, rows: 40, encoding: null });
}

/** Bytes per second that a bare read of `file` through a terminal reaches. */
export function rawReadRate(file: string, size: number): Promise<number> {
  return new Promise((resolve) => {
    const pty = rawPty("/bin/sh", ["-c", `stty raw -echo; exec cat ${file}`]);
    const startedAt = performance.now();
    let bytes = 0;
    pty.onData((chunk) => {
      bytes += chunk.length;
      if (bytes >= size * 0.98) {
        resolve((bytes / (performance.now() - startedAt)) * 1_000);
        bytes = Number.NEGATIVE_INFINITY;
      }
    });
  });
}
