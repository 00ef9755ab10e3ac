// Input of real terminals: bounded, whole, harmless to everybody else.
import { createHash } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { realTerminals } from "#server/testing/real-terminals.ts";

const { run, sh } = await realTerminals();
const probe = `${import.meta.dirname}/../../testing/probe.mjs`;

describe("input of a terminal", () => {
  it("[PT5] [B014] 1 MB for a program that does not read leaves the event loop free", async () => {
    const stuck = await sh("stty raw -echo; printf READY; exec sleep 60");
    const echo = await sh("stty raw -echo; printf READY; exec cat");
    await stuck.until(() => stuck.text.includes("READY"));
    await echo.until(() => echo.text.includes("READY"));
    /** The longest that the event loop, or a keystroke in the other session, waited. */
    async function longestGap(): Promise<number> {
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      let slowest = 0;
      for (let round = 0; round < 30; round++) {
        const start = performance.now();
        const seen = echo.bytes;
        echo.pty.write(Buffer.from("k"));
        await echo.until(() => echo.bytes > seen);
        slowest = Math.max(slowest, performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      delay.disable();
      return Math.max(slowest, delay.max / 1e6);
    }
    // A machine that is busy with other things stalls by itself; its stalls do not come back in every attempt.
    const quiet = await longestGap();
    expect(stuck.pty.write(new Uint8Array(1_000_000).fill(97))).toBe(true);
    const limit = Math.max(50, 2 * quiet);
    let gap = await longestGap();
    for (let attempt = 0; attempt < 4 && gap >= limit; attempt++) gap = await longestGap();
    expect(gap).toBeLessThan(limit);
    expect(stuck.pty.backlogBytes).toBeGreaterThan(900_000);
  });

  it("[PT5] a full queue waits on 2 % of a core or less", async () => {
    const stuck = await sh("stty raw -echo; printf READY; exec sleep 60");
    await stuck.until(() => stuck.text.includes("READY"));
    stuck.pty.write(new Uint8Array(limits.inputBacklogBytes).fill(97));
    // The back-off reaches its longest step first.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const cpu = process.cpuUsage();
    const start = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const { user, system } = process.cpuUsage(cpu);
    expect((user + system) / 1_000 / (performance.now() - start)).toBeLessThan(0.02);
  });

  it("[PT5] the queue is empty again when the program reads, and takes more", async () => {
    const late = await sh("stty raw -echo; printf READY; sleep 0.5; exec cat >/dev/null");
    await late.until(() => late.text.includes("READY"));
    expect(late.pty.write(new Uint8Array(limits.inputBacklogBytes).fill(97))).toBe(true);
    expect(late.pty.write(new Uint8Array(limits.inputBacklogBytes).fill(98))).toBe(false);
    while (late.pty.backlogBytes > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(late.pty.write(new Uint8Array(1_000).fill(98))).toBe(true);
  });

  it.each([1_000, 5_000, 100_000, 1_000_000])(
    "[B016] %i bytes and a second input arrive exactly, in order, at a program that reads late",
    async (length) => {
      const reader = await run([process.execPath, probe, "--slow", "300", "--count"]);
      await reader.until(() => reader.text.includes("READY"));
      const first = Buffer.alloc(length);
      // Every byte but C-d, the probe's end.
      for (let index = 0; index < length; index++) first[index] = (index * 31 + (index >> 8)) % 251;
      for (let index = 0; index < length; index++) if (first[index] === 4) first[index] = 251;
      const second = Buffer.from("-second-");
      reader.pty.write(first);
      reader.pty.write(second);
      reader.pty.write(Buffer.from([4]));
      await reader.exited;
      const hash = createHash("sha256").update(first).update(second).digest("hex");
      expect(reader.text).toContain(`COUNT ${length + second.length} SHA256 ${hash}`);
    },
  );

  it("[PT6] [B015] C-c stops `yes` every time, and SIGINT passes a full queue within 1 s", async () => {
    for (let round = 0; round < 10; round++) {
      const yes = await sh("exec yes");
      await yes.until(() => yes.bytes > 100_000);
      const start = performance.now();
      yes.pty.write(Buffer.from([3]));
      expect((await yes.exited).signal).toBe("SIGINT");
      expect(performance.now() - start).toBeLessThan(1_000);
    }
    const canonical = await sh("stty -echo; printf READY; exec sleep 60");
    await canonical.until(() => canonical.text.includes("READY"));
    const line = Buffer.from("12345678".repeat(2_000));
    while (canonical.pty.backlogBytes === 0 && canonical.pty.write(line)) {
      // Until the kernel takes no more, or swallowed enough to show that it never refuses.
      if (canonical.pty.backlogBytes > 0 || canonical.events.length > 100) break;
      canonical.events.push("wrote");
    }
    const start = performance.now();
    canonical.pty.signalForeground("INT");
    expect((await canonical.exited).signal).toBe("SIGINT");
    expect(performance.now() - start).toBeLessThan(1_000);
  });

  it("[PT6] the signal goes to the foreground job, not to the shell that waits for it", async () => {
    const shell = await run(["/bin/bash", "--norc", "--noprofile", "-i"]);
    shell.pty.write(Buffer.from("PS1='$ '; sleep 61; echo code=$?\n"));
    await shell.until(() => shell.text.includes("code=$?"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    shell.pty.signalForeground("INT");
    await shell.until(() => shell.text.includes("$ ") && /\n\$ |\^C|\$ $/.test(shell.text));
    shell.pty.write(Buffer.from("echo alive-$((1+1))\n"));
    await shell.until(() => shell.text.includes("alive-2"));
    expect(shell.status).toBeNull();
  });

  it("[PT5] [B013] what was queued for a dead session never reaches the next one", async () => {
    for (let round = 0; round < 8; round++) {
      const first = await sh("stty raw -echo; printf READY; sleep 0.1");
      await first.until(() => first.text.includes("READY"));
      first.pty.write(new Uint8Array(400_000).fill(65));
      expect(first.pty.backlogBytes).toBeGreaterThan(0);
      const started = first.exited.then(() => run([process.execPath, probe]));
      const second = await started;
      await second.until(() => second.text.includes("READY"));
      await new Promise((resolve) => setTimeout(resolve, 60));
      second.pty.write(Buffer.from([4]));
      await second.exited;
      expect(second.text.split("READY")[1]?.trim()).toBe("04 \r\nBYE");
      expect(first.pty.backlogBytes).toBe(0);
    }
  });

  it("[B017] an over-long line in line mode is cut by the kernel, and hangs nobody", async () => {
    const reader = await sh('stty -echo; printf READY; read L; printf %s "$L" | wc -c');
    await reader.until(() => reader.text.includes("READY"));
    reader.pty.write(Buffer.from(`${"a".repeat(5_000)}\n`));
    await reader.exited;
    // The API refuses such a line (IN7); here is why it must.
    expect(reader.text).toContain("4095");
  });
});
