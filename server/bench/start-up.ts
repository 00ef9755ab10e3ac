// (g) What starting costs: processor time of short commands, of web and host until the link is printed, and of `cotty tui` until its first screen,
// in times of a Node that runs an empty file. Least of several runs in turns: whatever else the machine does only adds.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Figure } from "./figure.ts";
import { rawPty } from "./raw-pty.ts";
import { cli, Stack } from "./stack.ts";

const rounds = 9;
const starts = 3;
const run = promisify(execFile);
/** Of the clock in /proc, on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Milliseconds of the processor that a living process took. */
function spentBy(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1_000;
}

/** Runs scripts whose processes write what they took when they end. */
class Runs {
  private readonly folder = mkdtempSync(join(tmpdir(), "cotty-bench-start-"));
  private readonly spent = join(this.folder, "spent");
  private readonly hook = join(this.folder, "hook.cjs");
  readonly empty = join(this.folder, "empty.mjs");

  constructor() {
    writeFileSync(this.empty, "");
    writeFileSync(
      this.hook,
      `process.on("exit", () => { const { user, system } = process.cpuUsage(); require("node:fs").writeFileSync(${JSON.stringify(this.spent)}, String((user + system) / 1000)); });`,
    );
  }

  async milliseconds(script: string, ...args: string[]): Promise<number> {
    await run(process.execPath, ["--require", this.hook, script, ...args]);
    return Number(readFileSync(this.spent, "utf8"));
  }

  dispose(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Until a session's name stands on the screen. */
function firstScreen(state: string, id: string, name: string): Promise<number> {
  const pty = rawPty(process.execPath, [cli, "tui", id, "--state-dir", state]);
  let seen = "";
  return new Promise((resolve, reject) => {
    pty.onExit(() => reject(new Error(`cotty tui ended: ${seen.slice(-500)}`)));
    pty.onData((bytes) => {
      seen += bytes.toString("latin1");
      if (!seen.includes(name)) return;
      resolve(spentBy(pty.pid));
      pty.kill();
    });
  });
}

export async function startUp(): Promise<Figure[]> {
  const runs = new Runs();
  const times: Record<string, number[]> = {};
  const note = (what: string, ms: number) => {
    times[what] = [...(times[what] ?? []), ms];
  };
  for (let n = 0; n < starts; n += 1) {
    const stack = await Stack.start();
    try {
      note("start", spentBy(stack.webPid) + spentBy(stack.host.record.pid));
      if (n > 0) continue;
      const name = "first-screen";
      const { id } = await stack.create({ command: ["cat"], name, cols: 120, rows: 40 });
      for (let round = 0; round < rounds; round += 1) {
        note("bare", await runs.milliseconds(runs.empty));
        note("version", await runs.milliseconds(cli, "--version"));
        note("ls", await runs.milliseconds(cli, "ls", "--state-dir", stack.stateRoot));
        note("help", await runs.milliseconds(cli, "--help"));
        if (round < starts) note("tui", await firstScreen(stack.stateRoot, id, name));
      }
    } finally {
      await stack.stop();
    }
  }
  runs.dispose();
  const least = (what: string) => Math.min(...(times[what] ?? []));
  const bare = least("bare");
  const figure = (name: string, what: string): Figure => ({
    name,
    value: least(what) / bare,
    unit: "x bare node",
    better: "lower",
    note: `${least(what).toFixed(0)} ms of processor time; bare node ${bare.toFixed(0)} ms`,
  });
  return [
    figure("start-version", "version"),
    figure("start-ls", "ls"),
    figure("start-help", "help"),
    figure("start-web-and-host", "start"),
    figure("start-tui", "tui"),
  ];
}
