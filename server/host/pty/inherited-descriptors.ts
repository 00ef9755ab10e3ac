// What a program was given by whoever started it, told from what it opened for itself (T100). Linux only: elsewhere nothing is seen.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface InheritedDescriptor {
  readonly number: number;
  /** Where the link under /proc points. */
  readonly target: string;
  /** The kernel's account of it (proc_pid_fdinfo(5)). */
  readonly info: string;
}

const closeOnExec = 0o2000000;

/**
 * Descriptors of `pid`, which has executed a program, that came through the exec. Nothing marked close-on-exec can have: those it
 * opened itself, as the dynamic loader does with each library while the program is being started.
 */
export function inheritedDescriptors(pid: number): InheritedDescriptor[] {
  let names: string[];
  try {
    names = readdirSync(`/proc/${pid}/fd`);
  } catch {
    // The process has ended, or there is no /proc: nothing can be said, and nothing speaks against it.
    return [];
  }
  return names.flatMap((name) => {
    try {
      const target = readlinkSync(`/proc/${pid}/fd/${name}`);
      const info = readFileSync(`/proc/${pid}/fdinfo/${name}`, "utf8");
      const flags = Number.parseInt(/flags:\s*([0-7]+)/.exec(info)?.[1] ?? "0", 8);
      return flags & closeOnExec ? [] : [{ number: Number(name), target, info }];
    } catch {
      // It closed this one while we looked; the others count all the same.
      return [];
    }
  });
}
