// [T105] What a session's programs may use up, and who goes first when memory runs out: on real terminals, against real hogs.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { newSessionId } from "#lib/protocol/ids.ts";
import { PtyTranscript } from "#server/testing/pty.contract.ts";
import { realTerminals } from "#server/testing/real-terminals.ts";
import { firstToEnd } from "./first-to-end.ts";
import { hardLimit, obstacleToLimits, tasksOf, withinLimits } from "./session-limits.ts";
import { resolveSpawnSpec } from "./spawn-spec.ts";

const { factory, run, sh } = await realTerminals();
const MiB = 1024 ** 2;
const prlimit = "/usr/bin/prlimit";

describe("[T105] limits of what a session's programs use up", () => {
  it("holds no session where none are set", async () => {
    const shell = await sh("ulimit -a; echo $0 $$");
    await shell.exited;
    const own = execFileSync("/bin/sh", ["-c", "ulimit -a"], { encoding: "utf8" });
    expect(shell.text).toContain(own.replaceAll("\n", "\r\n"));
    expect(shell.text).toContain(`/bin/sh ${shell.pty.pid}`);
  });

  it("sets all of them for good, and leaves the program its process, its arguments and its parent", async () => {
    const limits = { openFiles: 100, fileSize: 8 * MiB, memory: 512 * MiB };
    const script = 'prlimit --noheadings --raw; echo "$0 $1 pid $$ parent $PPID"; ulimit -n 101';
    const shell = await run(["/bin/sh", "-c", script, "-x", "two words"], { limits });
    await shell.exited;
    const line = (name: string) => shell.text.split("\r\n").find((one) => one.startsWith(name));
    expect(line("NOFILE")).toMatch(/ 100 100 /);
    expect(line("FSIZE")).toContain(` ${8 * MiB} ${8 * MiB} `);
    expect(line("AS")).toContain(` ${512 * MiB} ${512 * MiB} `);
    expect(shell.text).toContain(`-x two words pid ${shell.pty.pid} parent ${process.pid}`);
    // Root may raise a hard limit; nobody else.
    if (process.getuid?.() !== 0) expect(shell.text).toMatch(/not permitted/);
  });

  it("asks for no more than the host itself may have: without root that would end each session at its start", () => {
    const table = readFileSync("/proc/self/limits", "utf8");
    const openFiles = hardLimit(table, "open files");
    expect(openFiles).toBe(
      Number(execFileSync("/bin/sh", ["-c", "ulimit -Hn"], { encoding: "utf8" })),
    );
    const more = withinLimits({ file: "/bin/x", args: ["a"] }, { openFiles: openFiles + 1 });
    expect(more.args).toEqual([`--nofile=${openFiles}`, "/bin/x", "a"]);
    expect(hardLimit("Max address space  unlimited  unlimited  bytes", "address space")).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it("a program that wants 20 GiB does not get them, and its session goes on", async () => {
    const script = `perl -e '$x = "a" x (20 * 2**30); print "got it\\n"'; echo "ended with $?"; echo still here`;
    const shell = await sh(script, { limits: { memory: 256 * MiB } });
    await shell.exited;
    expect(shell.text).toMatch(/Out of memory/);
    expect(shell.text).toMatch(/ended with (?!0)\d+/);
    expect(shell.text).toContain("still here");
    expect(shell.text).not.toContain("got it");
  });

  it("a file that grows without end stops at its limit", async () => {
    const script = 'f=$(mktemp); yes >$f; echo "ended with $?"; wc -c <$f; rm $f';
    const shell = await sh(script, { limits: { fileSize: MiB } });
    await shell.exited;
    expect(shell.text).toMatch(/ended with (?!0)\d+/);
    expect(shell.text).toContain(String(MiB));
  });

  // Root has no limit of processes; this bomb goes off as a user who has nothing else.
  it.runIf(process.getuid?.() === 0)(
    "a fork bomb reaches its limit and no further; another terminal answers, and the end takes all of it away",
    async () => {
      const nobody = 65_534;
      const before = tasksOf(nobody);
      const bomb = ["setpriv", `--reuid=${nobody}`, "--clear-groups", "bash", "--norc", "-c"];
      const command = [...bomb, "b() { b | b & }; b; sleep 600"];
      const spec = resolveSpawnSpec(
        { command, cwd: "/" },
        { sessionId: newSessionId(), environment: process.env, shellIntegration: false },
      );
      const machine = { uid: nobody, prlimit };
      const pty = await factory.spawn(withinLimits(spec, { processes: 40 }, machine));
      const transcript = new PtyTranscript(pty);
      await transcript.until(() => transcript.text.includes("Resource temporarily unavailable"));
      const echo = await sh("read line; echo you said $line");
      echo.pty.write(Buffer.from("hello\n"));
      await echo.until(() => echo.text.includes("you said hello"));
      expect(tasksOf(nobody)).toBeLessThanOrEqual(before + 40);
      expect(tasksOf(nobody)).toBeGreaterThan(before + 5);
      await pty.end("KILL");
      await expect.poll(() => tasksOf(nobody), { timeout: 20_000 }).toBe(before);
      pty.dispose();
    },
  );

  it("are refused where they would not hold, with what to do", () => {
    const user = { uid: 1_000, prlimit };
    const limits = { processes: 512, memory: 512 * MiB };
    expect(obstacleToLimits(limits, user)).toBeNull();
    expect(obstacleToLimits({}, { uid: 0, prlimit: undefined })).toBeNull();
    expect(obstacleToLimits({ memory: 512 * MiB }, { uid: 0, prlimit })).toBeNull();
    expect(obstacleToLimits(limits, { uid: 0, prlimit })).toMatch(
      /does not hold for root; start Cotty as another user, or leave it out/,
    );
    expect(obstacleToLimits(limits, { uid: 1_000, prlimit: undefined })).toMatch(
      /need the program prlimit .* install it, or leave the limits out/,
    );
    const program = { file: "/bin/sh", args: [] };
    // It may have gone since the start.
    const without = { uid: 1_000, prlimit: undefined };
    expect(() => withinLimits(program, limits, without)).toThrow(/need the program prlimit/);
    expect(withinLimits(program, {}, without)).toBe(program);
  });
});

describe("[T105] when memory runs out", () => {
  const scoreOf = (pid: number | string) =>
    Number(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8"));

  it("every program of a session is to go before the host", async () => {
    const shell = await sh("read x; (cat /proc/self/oom_score_adj); read y");
    const wanted = Math.min(1_000, scoreOf("self") + firstToEnd);
    expect(scoreOf(shell.pty.pid)).toBe(wanted);
    shell.pty.write(Buffer.from("\n"));
    await shell.until(() => shell.text.includes(`\n${wanted}\r`));
    expect(scoreOf("self")).toBeLessThan(wanted);
  });
});
