// A dump of the host holds what its sessions show and their secrets, one of web the tokens of requests under way (T10B). Node has no call
// for limits; a shell and a program of util-linux have. Only the soft limit is lowered: `ulimit -c unlimited` in a session raises it again.
import { execFile } from "node:child_process";

/** `command` as one that leaves no core dump, in the same process: the shell in front replaces itself. */
export function withoutCoreDumps([file, ...args]: readonly [string, ...string[]]): {
  readonly file: string;
  readonly args: readonly string[];
} {
  if (process.platform === "win32") return { file, args };
  const script = 'ulimit -S -c 0 2>/dev/null; exec "$@"';
  return { file: "/bin/sh", args: ["-c", script, "sh", file, ...args] };
}

/** The same for this process, which runs already. Where there is no `prlimit` (not Linux) it keeps the limit it came with. */
export function endOwnCoreDumps(): Promise<void> {
  return new Promise((resolve) => {
    execFile("prlimit", ["--pid", String(process.pid), "--core=0:"], () => resolve());
  });
}
