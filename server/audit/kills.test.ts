// The audit under what ends processes and fills disks: real processes, real kill -9, a real limit on the file's size.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type BundledProgram, bundledProgram } from "#server/testing/bundled-program.ts";
import { randomFrom } from "#server/testing/random.ts";
import { listAuditFiles } from "./audit-files.ts";
import { AuditLog } from "./audit-log.ts";
import { readAudit } from "./read-audit.ts";
import { verifyAudit } from "./verify.ts";

/** Records as fast as the disk takes it, and says how its warning stands. */
const writer = `
import { writeSync } from "node:fs";
import { systemClock } from "#lib/base/clock.ts";
import { AuditLog } from "#server/audit/audit-log.ts";

const log = new AuditLog({
  folder: process.argv[2],
  clock: systemClock,
  onWarning: (warning) => process.stdout.write((warning ?? "well") + "\\n"),
});
const act = (n) => ({
  act: "write", actor: { kind: "agent", id: "a", name: "Ada" }, session: "s", outcome: "done",
  note: "act " + n, bytes: n % 900, summary: "⏎é".repeat(n % 300), request: null,
});
let n = 0;
process.stdout.write("begun\\n");
for (;;) {
  for (let each = 0; each < 20; each++) log.record(act(n++));
  await new Promise((resolve) => setImmediate(resolve));
  if (process.argv[3] === "answer") {
    // As a reply: said only once it is settled, and gone from here when the call returns.
    await log.settled();
    writeSync(1, "answered " + n + "\\n");
  } else if (process.argv[3] === "slow") await new Promise((resolve) => setTimeout(resolve, 50));
  else await log.flush();
}
`;

let program: BundledProgram;
let folder: string;
let outermost: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  program = await bundledProgram({ script: writer });
});
afterAll(() => program.dispose());
beforeEach(() => {
  outermost = mkdtempSync(join(tmpdir(), "cotty-audit-"));
  folder = outermost;
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(outermost, { recursive: true, force: true });
});

async function write(...args: string[]): Promise<{ child: ChildProcess; said: string[] }> {
  const child = spawn(process.execPath, [program.path, folder, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const said: string[] = [];
  child.stdout?.on("data", (text: Buffer) => said.push(...text.toString().trim().split("\n")));
  await vi.waitFor(() => expect(said).toContain("begun"), 20_000);
  return { child, said };
}

const sizeOf = () => listAuditFiles(folder).reduce((sum, { path }) => sum + bytesOf(path), 0);
const bytesOf = (path: string) => statSync(path).size;
/** Looks often, and cheaply: a kill is to come at a place that was drawn. */
async function untilTrue(fact: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!fact()) {
    if (performance.now() > deadline) throw new Error(`not in 20 s: ${fact}`);
    await pause(2);
  }
}

describe("an audit whose host is killed or whose disk is full", () => {
  it("[AU1] [C-D3] kill -9 while it is written, twenty times: the chain verifies every time, and goes on", async () => {
    const random = randomFrom(7);
    for (let round = 0; round < 20; round++) {
      const before = sizeOf();
      const { child } = await write();
      const wanted = before + Math.floor(random() * 60_000);
      await untilTrue(() => sizeOf() > wanted);
      child.kill("SIGKILL");
      await once(child, "exit");
      // A torn last line may be there; it is no fault, and the next writer takes it away.
      expect((await verifyAudit(folder)).faults).toEqual([]);
    }
    const log = new AuditLog({ folder, clock: systemClock });
    log.record({ act: "host_start", actor: null, session: null, outcome: "done", request: null });
    await log.close();
    expect(await verifyAudit(folder)).toMatchObject({ first: 0, faults: [], torn: null });
  });

  it("[AU1] [I7] [T123] [C-D3] kill -9 at any moment, twenty times: every act that was answered is in it", async () => {
    const random = randomFrom(11);
    for (let round = 0; round < 20; round++) {
      // Of its own: reading all that the rounds before wrote would be most of the work.
      folder = mkdtempSync(join(outermost, "round-"));
      const { child, said } = await write("answer");
      const wanted = 1 + Math.floor(random() * 200);
      const answered = () => Number(said.at(-1)?.split(" ")[1] ?? 0);
      await untilTrue(() => answered() > wanted * 20);
      child.kill("SIGKILL");
      // With what it had said before it was gone.
      await once(child, "close");
      const { entries } = await readAudit(folder, { limit: limits.auditPage });
      const newest = entries.at(-1)?.note;
      expect(Number(newest?.split(" ")[1])).toBeGreaterThanOrEqual(answered() - 1);
      expect((await verifyAudit(folder)).faults).toEqual([]);
    }
  }, 120_000);

  it("[AU1] [C-D1] a disk that takes no more: warned, kept in memory, and told with a gap when there is room", async () => {
    const { child, said } = await write("slow");
    await vi.waitFor(() => expect(sizeOf()).toBeGreaterThan(2_000), 20_000);
    // In the middle of a line, as a full disk does.
    execFileSync("prlimit", ["--pid", String(child.pid), `--fsize=${sizeOf() + 5_001}:unlimited`]);
    await vi.waitFor(() => expect(said.at(-1)).toMatch(/cannot be written .*EFBIG/), 20_000);
    expect((await verifyAudit(folder)).faults).toEqual([]);
    execFileSync("prlimit", ["--pid", String(child.pid), "--fsize=unlimited:unlimited"]);
    await vi.waitFor(() => expect(said.at(-1)).toBe("well"), 20_000);
    child.kill("SIGKILL");
    await once(child, "exit");
    const { entries } = await readAudit(folder, { act: "gap" });
    expect(entries[0]?.what).toMatch(
      /EFBIG\): \d+ acts were kept in memory and follow, 0 are lost/,
    );
    expect((await verifyAudit(folder)).faults).toEqual([]);
  }, 60_000);
});
