// How a terminal ends: no byte lost, in time, with the truth about the process.
import { spawn } from "node:child_process";
import { describe, expect, it } from "vitest";
import { realTerminals } from "#server/testing/real-terminals.ts";

const { run, sh } = await realTerminals();

async function echoRuns(count: number): Promise<number[]> {
  const lengths: number[] = [];
  for (let index = 0; index < count; index++) {
    const echo = await run(["/bin/echo", "-n", "hello".repeat(4096)]);
    await echo.exited;
    lengths.push(echo.bytes);
  }
  return lengths;
}

async function seqRuns(count: number): Promise<string[]> {
  const ends: string[] = [];
  for (let index = 0; index < count; index++) {
    const seq = await run(["seq", "1", "20000"]);
    await seq.exited;
    ends.push(`${seq.bytes} ${seq.text.slice(-7).trim()}`);
  }
  return ends;
}

// 9 one-digit numbers, 90, 900, 9,000 and 10,001 of five digits; each line ends in CR LF.
const seqBytes = 9 * 3 + 90 * 4 + 900 * 5 + 9_000 * 6 + 10_001 * 7;

describe("the end of a terminal", () => {
  it("[PT3] [B001] 40 echoes of 20,480 bytes and 20 of seq 1 20000 are complete", async () => {
    expect(new Set(await echoRuns(40))).toEqual(new Set([20_480]));
    expect(new Set(await seqRuns(20))).toEqual(new Set([`${seqBytes} 20000`]));
  });

  it("[PT3] [B001] the same with two CPU burners beside", { timeout: 90_000 }, async () => {
    const burners = [1, 2].map(() =>
      spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
    );
    try {
      expect(new Set(await echoRuns(40))).toEqual(new Set([20_480]));
      expect(new Set(await seqRuns(20))).toEqual(new Set([`${seqBytes} 20000`]));
    } finally {
      for (const burner of burners) burner.kill("SIGKILL");
    }
  });

  it("[PT3] a reader that pauses at every chunk loses nothing either", async () => {
    const seq = await run(["seq", "1", "20000"]);
    seq.pty.onData(() => {
      seq.pty.pause();
      setTimeout(() => seq.pty.resume(), 1);
    });
    await seq.exited;
    expect(seq.bytes).toBe(seqBytes);
  });

  it("[PT3] output that is stopped with C-s does not hold the exit up", async () => {
    const stopped = await sh("printf READY; read x; exit 4");
    await stopped.until(() => stopped.text.includes("READY"));
    stopped.pty.write(Buffer.from("\x13\n"));
    const start = performance.now();
    expect(await stopped.exited).toEqual({ exit_code: 4, signal: null });
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("[PT10] the exit is noticed within 1 s though a silent child holds the terminal", async () => {
    const start = performance.now();
    const shell = await sh("trap '' HUP; (trap '' HUP; exec sleep 60) & exit 5");
    expect(await shell.exited).toEqual({ exit_code: 5, signal: null });
    expect(performance.now() - start).toBeLessThan(1_000);
    await shell.pty.end("KILL");
  });

  it("[PT10] and though a background flood fills it", async () => {
    const shell = await sh("(trap '' HUP; exec yes) & sleep 0.1; printf LAST; exit 6");
    await shell.until(() => shell.bytes > 0);
    const start = performance.now();
    expect(await shell.exited).toEqual({ exit_code: 6, signal: null });
    expect(performance.now() - start).toBeLessThan(1_100);
    expect(shell.text).toContain("LAST");
    await shell.pty.end("KILL");
  });

  it("[PT10] a program that hangs its own terminal up still ends", async () => {
    const script =
      "import ctypes,signal,os; signal.signal(signal.SIGHUP, signal.SIG_IGN); print('X', flush=True); ctypes.CDLL(None).vhangup(); os._exit(9)";
    const hung = await run(["/usr/bin/env", "python3", "-c", script]);
    expect(await hung.exited).toEqual({ exit_code: 9, signal: null });
    hung.pty.resize({ cols: 90, rows: 20 });
    expect(hung.pty.write(Buffer.from("x"))).toBe(true);
  });

  it("[PT8] [B006] a signal is told by its name and never as code 0", async () => {
    const killed = await sh("kill -9 $$");
    expect(await killed.exited).toEqual({ exit_code: null, signal: "SIGKILL" });
    const failed = await sh("exit 3");
    expect(await failed.exited).toEqual({ exit_code: 3, signal: null });
    const realTime = await sh("kill -36 $$");
    expect(await realTime.exited).toEqual({ exit_code: null, signal: "SIGRTMIN+2" });
    const sleeper = await run(["sleep", "30"]);
    await sleeper.pty.end("TERM");
    expect(await sleeper.exited).toEqual({ exit_code: null, signal: "SIGTERM" });
  });

  it("[PT9] [B004] resizes every millisecond across the exit never throw", async () => {
    const other = await sh("printf READY; exec cat");
    for (let round = 0; round < 10; round++) {
      const brief = await sh("exit 0");
      const timer = setInterval(() => brief.pty.resize({ cols: 100, rows: 30 }), 1);
      await brief.exited;
      await new Promise((resolve) => setTimeout(resolve, 10));
      clearInterval(timer);
    }
    other.pty.resize({ cols: 101, rows: 31 });
    other.pty.write(Buffer.from("still\n"));
    await other.until(() => other.text.includes("still"));
  });

  it("[PT13] [B011] a terminal is drained with nobody attached", async () => {
    const shell = await sh("seq 1 200000 > /dev/tty; echo END-$((40+2))");
    await shell.exited;
    expect(shell.text).toContain("END-42");
  });

  it("sizes are exact up to the limits", async () => {
    const shell = await sh("stty size; read x; stty size", { cols: 1000, rows: 500 });
    await shell.until(() => shell.text.includes("500 1000"));
    shell.pty.resize({ cols: 333, rows: 77 });
    shell.pty.write(Buffer.from("\n"));
    await shell.exited;
    expect(shell.text).toContain("77 333");
  });
});
