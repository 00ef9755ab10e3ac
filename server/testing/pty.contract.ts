// What every Pty promises (server/host/pty/pty.ts), as tests; run against the fake and against real terminals, so that what is
// tested on the fake holds for the real thing.
import { afterEach, describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import type { ExitStatus } from "#lib/protocol/session.ts";
import type { Pty } from "#server/host/pty/pty.ts";

/** Prints READY, then what it receives · prints READY and never reads · prints 20,480 times x and exits with 3 · prints y for ever. */
export type ContractProgram = "echo" | "stuck" | "burst" | "flood";

export const burstBytes = 20_480;

/** Collects what a terminal says. Subscribe right after the spawn. */
export class PtyTranscript {
  readonly events: string[] = [];
  text = "";
  bytes = 0;
  status: ExitStatus | null = null;
  readonly exited: Promise<ExitStatus>;
  private waiting: (() => void)[] = [];

  constructor(readonly pty: Pty) {
    pty.onData((chunk) => {
      this.events.push("data");
      this.bytes += chunk.length;
      this.text = (this.text + Buffer.from(chunk).toString("latin1")).slice(-1_048_576);
      this.wake();
    });
    this.exited = new Promise((resolve) => {
      pty.onExit((status) => {
        this.events.push("exit");
        this.status = status;
        this.wake();
        resolve(status);
      });
    });
  }

  /** Resolves when `fact` holds; looked at after every event. */
  async until(fact: () => boolean): Promise<void> {
    while (!fact()) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

export function ptyContract(name: string, start: (program: ContractProgram) => Promise<Pty>): void {
  describe(`the contract of Pty: ${name}`, () => {
    const open: Pty[] = [];
    afterEach(() => {
      for (const pty of open.splice(0)) pty.dispose();
    });
    async function run(program: ContractProgram): Promise<PtyTranscript> {
      const pty = await start(program);
      open.push(pty);
      return new PtyTranscript(pty);
    }
    const bytes = (text: string) => Buffer.from(text, "latin1");

    it("[PT3] all output comes before the exit, which comes once", async () => {
      const burst = await run("burst");
      expect(await burst.exited).toEqual({ exit_code: 3, signal: null });
      expect(burst.bytes).toBe(burstBytes);
      expect(burst.events.filter((event) => event === "exit")).toHaveLength(1);
      expect(burst.events.at(-1)).toBe("exit");
    });

    it("[PT3] output is kept until somebody listens", async () => {
      const pty = await start("burst");
      open.push(pty);
      await new Promise((resolve) => setImmediate(resolve));
      const burst = new PtyTranscript(pty);
      await burst.exited;
      expect(burst.bytes).toBe(burstBytes);
    });

    it("[PT3] a paused reader gets nothing, not even the exit, and everything when it resumes", async () => {
      const pty = await start("burst");
      open.push(pty);
      pty.pause();
      const burst = new PtyTranscript(pty);
      // Far longer than a program of this size lives, and than the module keeps a dead terminal open.
      await new Promise((resolve) => setTimeout(resolve, 400));
      expect(burst.events).toEqual([]);
      pty.resume();
      await burst.exited;
      expect(burst.bytes).toBe(burstBytes);
    });

    it("pause stops a flood within what was already read, and resume lets it go on", async () => {
      const flood = await run("flood");
      await flood.until(() => flood.bytes > 0);
      flood.pty.pause();
      const before = flood.bytes;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(flood.bytes).toBe(before);
      flood.pty.resume();
      await flood.until(() => flood.bytes > before);
    });

    it("chunks are the listener's to keep", async () => {
      const flood = await run("flood");
      const kept: Uint8Array[] = [];
      flood.pty.onData((chunk) => kept.push(chunk));
      await flood.until(() => kept.length > 2);
      const sums = () => kept.slice(0, 3).map((chunk) => chunk.reduce((a, b) => a + b, 0));
      const first = sums();
      const seen = kept.length;
      await flood.until(() => kept.length > seen + 20);
      expect(sums()).toEqual(first);
    });

    it("units arrive whole and in order", async () => {
      const echo = await run("echo");
      await echo.until(() => echo.text.includes("READY"));
      const units = Array.from({ length: 200 }, (_, index) => `<${index}:${"u".repeat(index)}>`);
      for (const unit of units) expect(echo.pty.write(bytes(unit))).toBe(true);
      const all = units.join("");
      const echoed = () => echo.text.slice(echo.text.indexOf("READY") + 5);
      await echo.until(() => echoed().length >= all.length);
      expect(echoed()).toBe(all);
    });

    it("[PT5] a backlog beyond the limit is refused with nothing queued", async () => {
      const stuck = await run("stuck");
      await stuck.until(() => stuck.text.includes("READY"));
      const unit = new Uint8Array(64 * 1024).fill(97);
      let accepted = 0;
      while (stuck.pty.write(unit)) {
        accepted += 1;
        expect(accepted).toBeLessThan(40);
      }
      expect(stuck.pty.backlogBytes).toBeLessThanOrEqual(limits.inputBacklogBytes);
      expect(stuck.pty.backlogBytes).toBeGreaterThan(limits.inputBacklogBytes - unit.length);
      const before = stuck.pty.backlogBytes;
      expect(stuck.pty.write(unit)).toBe(false);
      expect(stuck.pty.backlogBytes).toBe(before);
    });

    it("discarding drops the units that have not begun", async () => {
      const stuck = await run("stuck");
      await stuck.until(() => stuck.text.includes("READY"));
      stuck.pty.write(new Uint8Array(100_000).fill(97));
      const begun = stuck.pty.backlogBytes;
      expect(begun).toBeGreaterThan(0);
      stuck.pty.write(new Uint8Array(5_000).fill(98));
      stuck.pty.write(new Uint8Array(3_000).fill(99));
      expect(stuck.pty.discardQueued()).toBe(8_000);
      expect(stuck.pty.backlogBytes).toBeLessThanOrEqual(begun);
      expect(stuck.pty.backlogBytes).toBeGreaterThan(0);
      expect(stuck.pty.discardQueued()).toBe(0);
    });

    it("[PT6] a signal reaches the foreground although the input queue is full", async () => {
      const stuck = await run("stuck");
      await stuck.until(() => stuck.text.includes("READY"));
      stuck.pty.write(new Uint8Array(limits.inputBacklogBytes).fill(97));
      stuck.pty.signalForeground("INT");
      expect(await stuck.exited).toEqual({ exit_code: null, signal: "SIGINT" });
    });

    it("[PT9] after the exit everything is ignored and nothing throws", async () => {
      const burst = await run("burst");
      await burst.exited;
      expect(burst.pty.write(bytes("late"))).toBe(true);
      expect(burst.pty.backlogBytes).toBe(0);
      expect(burst.pty.discardQueued()).toBe(0);
      for (let round = 0; round < 10; round++) burst.pty.resize({ cols: 100, rows: 30 });
      burst.pty.pause();
      burst.pty.resume();
      burst.pty.signalForeground("INT");
      await burst.pty.end("HUP");
      burst.pty.dispose();
      burst.pty.dispose();
      expect(burst.events.filter((event) => event === "exit")).toHaveLength(1);
    });

    it("[PT8] [PT11] ending tells the signal", async () => {
      const stuck = await run("stuck");
      await stuck.until(() => stuck.text.includes("READY"));
      await stuck.pty.end("TERM");
      expect(await stuck.exited).toEqual({ exit_code: null, signal: "SIGTERM" });
    });

    it("a disposed terminal is silent", async () => {
      const flood = await run("flood");
      await flood.until(() => flood.bytes > 0);
      flood.pty.dispose();
      const before = flood.events.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(flood.events).toHaveLength(before);
    });
  });
}
