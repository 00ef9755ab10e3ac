// The second look at a new program's descriptors, shown on the module's own spawn, without our precaution (PT4, T100).
import { closeSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import { confirmExec } from "./exec-check.ts";
import { loadPtyModule } from "./pty-module.ts";

const module = loadPtyModule("@lydell/node-pty");
const options = {
  name: "dumb",
  cols: 80,
  rows: 24,
  cwd: "/",
  env: { PATH: "/usr/bin:/bin" },
  encoding: null,
} as const;
const terminalOf = (term: { ptsName?: string }) => Number(term.ptsName?.split("/").at(-1));

describe("the check after exec", () => {
  it("[PT4] [T100] finds a master that the module let through a gap in the descriptor table", async () => {
    const gap = Array.from({ length: 40 }, () => openSync("/dev/null", "r"));
    const first = module.spawn("/bin/sleep", ["60"], options);
    for (const descriptor of gap) closeSync(descriptor);
    const second = module.spawn("/bin/sleep", ["60"], options);
    try {
      const ours = new Set([terminalOf(first), terminalOf(second)]);
      // When this passes as "running", the module has been mended and descriptor-gaps.ts can go.
      expect(await confirmExec(second.pid, () => ours, systemClock)).toEqual({
        kind: "failed",
        reason: `it inherited terminals of this server: ${terminalOf(first)}`,
      });
      expect(await confirmExec(second.pid, () => new Set(), systemClock)).toEqual({
        kind: "running",
      });
    } finally {
      for (const term of [first, second]) term.destroy?.();
    }
  });

  it("[PT7] tells a program that never came to be", async () => {
    const ghost = module.spawn("/no/such/program", [], options);
    const outcome = await confirmExec(ghost.pid, () => new Set(), systemClock);
    // The module collects its children at once: a look in time sees the failure, a late one sees nobody.
    expect(["failed", "unknown"]).toContain(outcome.kind);
    expect(await confirmExec(4_000_000, () => new Set(), systemClock)).toEqual({ kind: "unknown" });
    ghost.destroy?.();
  });
});
