// What is left over when terminals come and go (PT4, PT11, B002, B003, B010, T100, T106, T108).
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newSessionId } from "#lib/protocol/ids.ts";
import { realTerminals } from "#server/testing/real-terminals.ts";
import { isLive, readEnvironment, readProcess, readProcessTable } from "./process-table.ts";

const { factory, run, sh } = await realTerminals();

function terminalDescriptors(): number {
  return readdirSync("/proc/self/fd").filter((name) => {
    try {
      return /pts|ptmx/.test(readlinkSync(`/proc/self/fd/${name}`));
    } catch {
      return false;
    }
  }).length;
}
const threads = () => readdirSync("/proc/self/task").length;
const zombies = () =>
  readdirSync("/proc").filter((name) => {
    const entry = /^\d+$/.test(name) ? readProcess(Number(name)) : null;
    return entry?.parentPid === process.pid && !isLive(entry);
  }).length;

/** Processes that carry this session's name, wherever they went. */
const carriers = (session: string) =>
  [...readProcessTable().values()].filter(
    ({ pid }) => readEnvironment(pid, "COTTY_SESSION") === session,
  );

async function settled(fact: () => boolean, withinMs = 5_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!fact() && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

describe("terminals that come and go", () => {
  it("[PT4] [B002] [T100] the fourth session holds nobody's master", async () => {
    for (let session = 0; session < 3; session++) {
      const other = await sh("printf READY; exec sleep 60");
      await other.until(() => other.text.includes("READY"));
    }
    const look = await sh("ls -l /proc/self/fd | grep -c ptmx");
    await look.exited;
    expect(look.text.trim()).toBe("0");
  });

  it("[PT4] [T100] not even with gaps in the server's descriptor table, where the module looks away", async () => {
    const gap = Array.from({ length: 40 }, () => openSync("/dev/null", "r"));
    const first = await sh("printf READY; exec sleep 60");
    await first.until(() => first.text.includes("READY"));
    for (const descriptor of gap) closeSync(descriptor);
    const look = await sh("exec ls -l /proc/self/fd");
    await look.exited;
    const targets = look.text.split("\r\n").flatMap((line) => line.split(" -> ")[1] ?? []);
    // 0, 1, 2 and the folder that ls itself reads.
    expect(targets.filter((target) => /^\/dev\/pts\/\d+$/.test(target))).toHaveLength(3);
    expect(targets).toHaveLength(4);
  });

  it("[B002] ending a session hangs its processes up though another session lives", async () => {
    const first = await sh("printf READY; exec cat");
    await first.until(() => first.text.includes("READY"));
    const second = await sh("printf READY; exec cat");
    await second.until(() => second.text.includes("READY"));
    const { pid } = first.pty;
    await first.pty.end("HUP");
    expect((await first.exited).signal).toBe("SIGHUP");
    expect(readProcess(pid)).toBeNull();
    second.pty.write(Buffer.from("here\n"));
    await second.until(() => second.text.includes("here"));
  });

  it("[PT11] [B010] [T106] ends programs that ignore HUP and TERM, in every corner of the session, within 5 s", async () => {
    const session = newSessionId();
    const sleeps = /^sleep\x00100\d\x00/;
    const script = [
      "trap '' HUP TERM INT",
      "sleep 1001 &",
      "setsid sleep 1002 &",
      "nohup sleep 1003 >/dev/null 2>&1 &",
      "(setsid sh -c 'sleep 1004 & sleep 1005 & wait' >/dev/null 2>&1 </dev/null &)",
      "env -i sleep 1006 &",
      "(env -i setsid sleep 1007 &)",
      "env -i sh -c 'setsid sleep 1008 </dev/null >/dev/null 2>&1 & wait' &",
      "printf READY; sleep 1000; sleep 1000",
    ].join("\n");
    const shell = await sh(script, { session });
    await shell.until(() => shell.text.includes("READY"));
    const sleepers = () =>
      [...readProcessTable().values()].filter(({ pid }) => sleeps.test(commandLine(pid)));
    await settled(() => sleepers().length >= 9);
    expect(sleepers().length).toBeGreaterThanOrEqual(9);
    const start = performance.now();
    await shell.pty.end("HUP");
    const elapsed = performance.now() - start;
    expect(sleepers().map(({ pid }) => commandLine(pid))).toEqual([]);
    expect(carriers(session)).toEqual([]);
    expect(elapsed).toBeGreaterThan(2_900);
    expect(elapsed).toBeLessThan(5_000);
    expect((await shell.exited).signal).toBe("SIGKILL");
  });

  it("[PT11] wakes stopped programs so that they can act on the signal", async () => {
    const shell = await sh("trap 'exit 7' TERM; printf READY; kill -STOP $$; sleep 60");
    await shell.until(() => shell.text.includes("READY"));
    await settled(() => readProcess(shell.pty.pid)?.state === "T");
    const start = performance.now();
    await shell.pty.end("TERM");
    expect(await shell.exited).toEqual({ exit_code: 7, signal: null });
    expect(performance.now() - start).toBeLessThan(2_000);
  });

  it("[PT11] catches a process that lives only from fork to fork", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cotty-hop-"));
    const track = join(folder, "hops");
    const hops = () => statSync(track).size;
    const hop = [
      "import os,signal,sys,time",
      "for s in (1, 15): signal.signal(s, signal.SIG_IGN)",
      "f = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)",
      "while True:",
      "  os.write(f, b'.')",
      "  if os.fork(): os._exit(0)",
      "  time.sleep(0.0005)",
    ].join("\n");
    try {
      const hopper = await run(["/usr/bin/env", "python3", "-c", hop, track]);
      await hopper.exited;
      const seen = hops();
      await settled(() => hops() > seen + 20);
      expect(hops()).toBeGreaterThan(seen + 20);
      await hopper.pty.end("KILL");
      const last = hops();
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(hops()).toBe(last);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("[PT11] ends what a natural exit left behind, when the session is closed later", async () => {
    const session = newSessionId();
    const shell = await sh(
      "(trap '' HUP; exec sleep 600) & env -i setsid sleep 601 & sleep 0.1; exit 0",
      { session },
    );
    await shell.exited;
    expect(carriers(session).length).toBeGreaterThan(0);
    await shell.pty.end("TERM");
    expect(carriers(session)).toEqual([]);
  });

  it("dispose kills what still runs, at once", async () => {
    const session = newSessionId();
    const shell = await sh("trap '' HUP TERM; sleep 700 & printf READY; sleep 701", { session });
    await shell.until(() => shell.text.includes("READY"));
    shell.pty.dispose();
    await settled(() => carriers(session).length === 0, 1_000);
    expect(carriers(session)).toEqual([]);
  });

  it("[PT11] [B003] [T108] 200 sessions ended in every way leave no descriptor, thread or zombie", {
    timeout: 120_000,
  }, async () => {
    const baseline = { descriptors: terminalDescriptors(), threads: threads() };
    const sessions: string[] = [];
    const ways = [
      async (session: string) => {
        const shell = await sh("echo natural", { session });
        await shell.exited;
      },
      async (session: string) => {
        const shell = await sh("printf READY; exec cat", { session });
        await shell.until(() => shell.text.includes("READY"));
        await shell.pty.end("HUP");
        await shell.exited;
      },
      async (session: string) => {
        const shell = await sh("printf READY; exec cat", { session });
        await shell.until(() => shell.text.includes("READY"));
        process.kill(shell.pty.pid, "SIGKILL");
        await shell.exited;
      },
      async (session: string) => {
        const shell = await sh("setsid sleep 600 & echo left", { session });
        await shell.exited;
        await shell.pty.end("TERM");
      },
    ];
    for (let round = 0; round < 50; round++) {
      await Promise.all(
        ways.map((way) => {
          const session = newSessionId();
          sessions.push(session);
          return way(session);
        }),
      );
    }
    await settled(
      () => terminalDescriptors() === baseline.descriptors && threads() <= baseline.threads + 2,
    );
    expect(terminalDescriptors()).toBe(baseline.descriptors);
    expect(threads()).toBeLessThanOrEqual(baseline.threads + 2);
    expect(zombies()).toBe(0);
    const names = new Set(sessions);
    const left = [...readProcessTable().values()].filter(({ pid }) =>
      names.has(readEnvironment(pid, "COTTY_SESSION") ?? ""),
    );
    expect(left).toEqual([]);
    const next = await sh("echo 201");
    await next.exited;
    expect(next.text).toContain("201");
    expect(factory.availability.state).toBe("ready");
  });
});

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}
