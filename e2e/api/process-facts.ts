// What the kernel says about a process: memory, descriptors, threads, children that nobody reaped. Linux.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

function status(pid: number, field: string): string {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return new RegExp(`^${field}:\\s*(.*)$`, "m").exec(text)?.[1] ?? "";
  } catch {
    return "";
  }
}

/** Neither gone nor a zombie. */
export function isAlive(pid: number): boolean {
  const state = status(pid, "State");
  return state !== "" && !state.startsWith("Z");
}

export function rssMiB(pid: number): number {
  return Number.parseInt(status(pid, "VmRSS"), 10) / 1024;
}

export function threads(pid: number): number {
  return Number(status(pid, "Threads"));
}

/** Targets of the open descriptors. */
export function descriptors(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // Closed since the listing.
      return [];
    }
  });
}

export function terminalDescriptors(pid: number): number {
  return descriptors(pid).filter((target) => /ptmx|\/pts\//.test(target)).length;
}

function pids(): number[] {
  return readdirSync("/proc").map(Number).filter(Number.isInteger);
}

export function zombiesOf(parent: number): number {
  return pids().filter(
    (pid) => status(pid, "PPid") === String(parent) && status(pid, "State").startsWith("Z"),
  ).length;
}

/** Living processes whose environment has NAME=VALUE. */
export function carriersOf(name: string, value: string): number[] {
  return pids().filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${name}=${value}`);
    } catch {
      return false;
    }
  });
}

/** Processor time used so far, in milliseconds. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Most memory a process has while something runs, sampled. */
export async function peakMiB(pid: number, during: () => Promise<unknown>): Promise<number> {
  let peak = rssMiB(pid);
  const timer = setInterval(() => {
    const now = rssMiB(pid);
    if (now > peak) peak = now;
  }, 100);
  try {
    await during();
  } finally {
    clearInterval(timer);
  }
  return peak;
}
