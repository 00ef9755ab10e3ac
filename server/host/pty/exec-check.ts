// Waits until a forked child has become its program, and looks once more that it inherited nobody's terminal (PT4, PT7).
import { type Clock, sleep } from "#lib/base/clock.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { isLive, readProcess } from "./process-table.ts";

export type ExecOutcome =
  | { kind: "running" }
  /** Over before we looked, or a system without /proc: the ordinary exit tells the rest. */
  | { kind: "unknown" }
  | { kind: "failed"; reason: string };

/** A child usually gets there within 2 ms; this is for a machine that is hardly alive. */
const patienceMs = 5_000;

/** `terminals` are the kernel's numbers of the masters that this process holds. */
export async function confirmExec(
  pid: number,
  terminals: () => ReadonlySet<number>,
  clock: Clock,
): Promise<ExecOutcome> {
  const deadline = clock.monotonic() + patienceMs;
  for (;;) {
    const entry = readProcess(pid);
    if (!entry) return { kind: "unknown" };
    if (entry.hasExecuted) break;
    if (!isLive(entry)) return { kind: "failed", reason: "the program could not be executed" };
    if (clock.monotonic() > deadline) {
      return { kind: "failed", reason: `the program was not executed within ${patienceMs} ms` };
    }
    await sleep(clock, 1);
  }
  const inherited = inheritedTerminals(pid, terminals());
  if (inherited.length === 0) return { kind: "running" };
  return {
    kind: "failed",
    reason: `it inherited terminals of this server: ${inherited.join(", ")}`,
  };
}

/** Masters of ours in the child's hands; masters that it opened itself (script, tmux) are not. */
function inheritedTerminals(pid: number, terminals: ReadonlySet<number>): number[] {
  return inheritedDescriptors(pid).flatMap(({ target, info }) => {
    if (!target.endsWith("ptmx")) return [];
    const index = Number(/tty-index:\s*(\d+)/.exec(info)?.[1] ?? Number.NaN);
    return terminals.has(index) ? [index] : [];
  });
}
