// A server whose surroundings are odd or break: what it needs is missing, full, gone or stopped. It says so, and goes on where it can.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { Server } from "../server.ts";
import { Caller, pause, until } from "./caller.ts";
import { carriersOf, descriptors, isAlive } from "./process-facts.ts";

const cleanups: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function newServer(env: Record<string, string> = {}, flags: string[] = []): Server {
  const server = new Server(flags, env);
  cleanups.push(() => server.stop());
  return server;
}

/** In a state directory of its own making, below `folder`. */
function newServerIn(folder: string, env: Record<string, string> = {}): Server {
  const server = newServer(env);
  rmSync(server.stateDir, { recursive: true });
  Object.assign(server, { stateDir: folder });
  return server;
}

async function startedWith(server: Server): Promise<Caller> {
  await server.start();
  const owner = await Caller.owner(server);
  cleanups.push(() => owner.dispose());
  return owner;
}

/** A session of the default shell that answers. */
async function shellWorks(owner: Caller): Promise<SessionInfo> {
  const session = await owner.create();
  await owner.line(session.id, "echo works-$((40+2))");
  await owner.untilText(session.id, "works-42");
  return session;
}

describe("odd surroundings", () => {
  it("[HO4] a state directory with spaces and other letters in its path", async () => {
    const parent = mkdtempSync(join(tmpdir(), "cotty-e2e-"));
    cleanups.push(() => rmSync(parent, { recursive: true, force: true }));
    await shellWorks(await startedWith(newServerIn(join(parent, "a b 'c\" ÄÖ 日本"))));
  });

  it.each([
    ["a home that does not exist", { HOME: "/nonexistent/home" }],
    ["no shell", { SHELL: "" }],
    ["a shell that does not exist", { SHELL: "/no/such/shell" }],
    ["a shell that is a directory", { SHELL: "/tmp" }],
    ["no terminal type", { TERM: "" }],
    ["the locale C", { LANG: "C", LC_ALL: "C" }],
  ] as [string, Record<string, string>][])("[PT12] %s", async (_name, env) => {
    const owner = await startedWith(newServer(env));
    const { id } = await shellWorks(owner);
    await owner.line(id, "echo term=$TERM; pwd");
    await owner.untilText(id, "term=xterm-256color");
    await owner.line(id, "clear; printf '\\344\\270\\255\\346\\226\\207|'");
    await owner.untilText(id, "中文|");
  });
});

describe("the host is killed", () => {
  it("[HO6] with viewers attached: they are told (server/web/goodbye.test.ts: within 2 s), the next start reports and ends what was left", async () => {
    const server = newServer();
    const owner = await startedWith(server);
    const session = await owner.script("trap '' HUP; printf READY; while :; do sleep 1; done");
    await owner.untilText(session.id, "READY");
    const viewers = [owner.attach(session.id), owner.attach(session.id)];
    await Promise.all(viewers.map((viewer) => viewer.attached()));
    const startedAt = performance.now();
    process.kill(server.hostPid(), "SIGKILL");
    await Promise.all(viewers.map((viewer) => viewer.untilClosed()));
    const knewMs = performance.now() - startedAt;
    console.log(`viewers knew after ${Math.round(knewMs)} ms (aim 2,000)`);
    expect(knewMs).toBeLessThan(10_000);
    for (const viewer of viewers) expect([1006, 1011, 1012]).toContain(viewer.closed?.code);
    const reply = await owner.raw("GET", "/sessions");
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ code: "HOST_LOST" });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect((await fetch(server.url)).status).toBeLessThan(500);

    const { code, output } = await server.terminateWeb();
    expect(code, output).toBe(0);
    await server.start();
    await until(
      "the survivors to be gone",
      () => carriersOf("COTTY_SESSION", session.id).length === 0,
    );
    expect(isAlive(session.pid)).toBe(false);
    expect(readFileSync(join(server.stateDir, "host.log"), "utf8")).toContain(session.id);
    await shellWorks(owner);
  });

  it("[HO6] and started again beside a living web: the same web serves it", async () => {
    const server = newServer();
    const owner = await startedWith(server);
    process.kill(server.hostPid(), "SIGKILL");
    await until("web to notice", async () => (await owner.raw("GET", "/sessions")).status === 503);
    const { code, stderr } = await server.cli("start", "--no-open", "--port", "0");
    expect(stderr).toContain("started the terminal host again");
    expect(stderr).toContain(server.url);
    expect(code).toBe(0);
    await shellWorks(owner);
  });
});

describe("processes that are stopped", () => {
  it("[C-K6] web stopped for a while loses nothing, and nobody is thrown out", async () => {
    const server = newServer();
    const owner = await startedWith(server);
    const web = JSON.parse(readFileSync(join(server.stateDir, "web.json"), "utf8")).pid;
    const { id } = await owner.script("stty raw -echo; exec cat");
    const viewer = owner.attach(id);
    await viewer.attached();
    process.kill(web, "SIGSTOP");
    viewer.type("typed while web stood still");
    await pause(3_000);
    process.kill(web, "SIGCONT");
    await viewer.untilText("typed while web stood still");
    expect(viewer.closed).toBeUndefined();
  });

  it("[PT11] a stopped program is ended by DELETE", async () => {
    const owner = await startedWith(newServer());
    const session = await owner.create({ command: ["/bin/cat"] });
    process.kill(session.pid, "SIGSTOP");
    await owner.close(session.id, "TERM");
    await until("its end", () => !isAlive(session.pid));
  });
});

describe("things that run out", () => {
  it("[C-K9] descriptors: a create is refused with the reason, the host lives, and closing makes room", async () => {
    const server = newServer();
    // Descriptors that the test was itself started with would be inherited, and count.
    const closing =
      'for fd in /proc/self/fd/*; do n=$(basename $fd); [ "$n" -gt 2 ] && eval "exec $n>&-"; done; exec "$@"';
    const hostAlone = spawn(
      "/bin/bash",
      [
        "-c",
        closing,
        "-",
        process.execPath,
        server.cliPath,
        "host",
        "--state-dir",
        server.stateDir,
      ],
      { stdio: "ignore" },
    );
    const hostGone = new Promise((resolve) => hostAlone.once("exit", resolve));
    cleanups.push(async () => {
      hostAlone.kill("SIGTERM");
      await hostGone;
    });
    await until("the host", () => existsSync(join(server.stateDir, "host.json")));
    const owner = await startedWith(server);
    const host = server.hostPid();
    const open = descriptors(host).length;
    execFileSync("prlimit", ["--pid", String(host), `--nofile=${open + 24}:${open + 24}`]);
    const made: string[] = [];
    let refused: Response | undefined;
    for (let n = 0; n < 30 && !refused; n += 1) {
      const reply = await owner.raw("POST", "/sessions", { command: ["/bin/cat"] });
      if (reply.status === 201) made.push(((await reply.json()) as SessionInfo).id);
      else refused = reply;
    }
    expect(made.length).toBeGreaterThan(2);
    expect(refused?.status).toBe(503);
    expect(await refused?.json()).toMatchObject({ code: "PTY_SPAWN_FAILED" });
    expect(isAlive(host)).toBe(true);
    for (const id of made) await owner.close(id);
    await shellWorks(owner);
    expect(server.hostPid()).toBe(host);
  });

  it("[T126] the disk of the state directory: sessions go on", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cotty-full-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", folder]);
    cleanups.push(() => {
      execFileSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true, force: true });
    });
    const server = newServerIn(join(folder, "state"));
    const owner = await startedWith(server);
    const session = await shellWorks(owner);
    const fill = () =>
      execFileSync("/bin/sh", ["-c", `cat /dev/zero > "${folder}/filler" || true`], {
        stdio: "ignore",
      });
    fill();
    await owner.line(session.id, "echo still-$((40+3))");
    await owner.untilText(session.id, "still-43");
    await owner.create({ command: ["/bin/cat"] });
    const made = await server.cli("token", "create", "--role", "agent", "--name", "x");
    expect(made.code).toBe(1);
    expect(made.stderr).toMatch(/no space left/i);
    expect((await owner.raw("GET", "/sessions")).status).toBe(200);
    await server.killWeb();
    const again = await server.cli("start", "--no-open", "--port", "0");
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/no space left/i);
    rmSync(join(folder, "filler"));
    await server.start();
    await owner.untilText(session.id, "still-43");
  });

  it("[SE5] the state directory itself: nobody gets in any more, and the host can still be ended", async () => {
    const server = newServer();
    const owner = await startedWith(server);
    const host = server.hostPid();
    await shellWorks(owner);
    rmSync(server.stateDir, { recursive: true });
    await until(
      "the credentials to be worthless",
      async () => (await owner.raw("GET", "/me")).status === 401,
    );
    const { code } = await server.terminateWeb();
    expect(code).toBe(0);
    const left = isAlive(host);
    console.log(`host after its state directory is gone: ${left ? "runs" : "ended"}`);
    if (left) process.kill(host, "SIGTERM");
    await until("the host's end", () => !isAlive(host));
    mkdirSync(server.stateDir, { mode: 0o700 });
  });
});

describe("several starts", () => {
  it("[HO2] five at once share one host, and one of them serves", async () => {
    const server = newServer();
    const starts = Array.from({ length: 5 }, () =>
      spawn(
        process.execPath,
        [server.cliPath, "start", "--no-open", "--port", "0", "--state-dir", server.stateDir],
        { stdio: ["ignore", "pipe", "pipe"] },
      ),
    );
    cleanups.push(() => {
      for (const child of starts) child.kill("SIGKILL");
    });
    const outcomes = await Promise.all(starts.map(firstWord));
    const hosts = hostsOf(server.stateDir);
    expect(hosts).toEqual([server.hostPid()]);
    expect(outcomes.filter((text) => text.includes("#code="))).toHaveLength(1);
    for (const text of outcomes.filter((each) => !each.includes("#code=")))
      expect(text).toContain("a dashboard already runs");
  });
});

describe("another user", () => {
  it("[SE5] [T103] nobody can start a server of their own, and cannot use root's", async () => {
    const server = newServer();
    const owner = await startedWith(server);
    await shellWorks(owner);
    const home = mkdtempSync(join(tmpdir(), "cotty-nobody-"));
    chmodSync(home, 0o777);
    cleanups.push(() => rmSync(home, { recursive: true, force: true }));
    const asNobody = (...args: string[]) =>
      spawn(
        "setpriv",
        [
          "--reuid=65534",
          "--regid=65534",
          "--clear-groups",
          process.execPath,
          server.cliPath,
          ...args,
        ],
        {
          // Another user's own environment, but for what `npm test` finds its left-overs by.
          env: {
            PATH: process.env.PATH,
            HOME: home,
            XDG_COTTY_TEST_RUN: process.env.XDG_COTTY_TEST_RUN,
          } as unknown as NodeJS.ProcessEnv,
          stdio: ["ignore", "pipe", "pipe"],
        },
      );
    const peek = await outcome(asNobody("token", "list", "--state-dir", server.stateDir));
    expect(peek.code).not.toBe(0);
    expect(peek.text).toMatch(/EACCES|permission|denied|not yours|owned|belongs/i);
    const own = asNobody("start", "--no-open", "--port", "0", "--state-dir", join(home, "state"));
    cleanups.push(async () => {
      await outcome(asNobody("stop", "--all", "--state-dir", join(home, "state")));
      own.kill("SIGKILL");
    });
    expect(await firstWord(own)).toContain("#code=");
  });
});

/** What a start says until its link or its end. */
function firstWord(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const read = (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes("#code=")) resolve(text);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("close", () => resolve(text));
  });
}

async function outcome(child: ChildProcess): Promise<{ code: number | null; text: string }> {
  let text = "";
  const read = (chunk: Buffer) => {
    text += chunk.toString();
  };
  child.stdout?.on("data", read);
  child.stderr?.on("data", read);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, text };
}

/** Host processes that keep files of this state directory open or name it. */
function hostsOf(stateDir: string): number[] {
  const listing = execFileSync("ps", ["-eo", "pid=,comm=,args="], { encoding: "utf8" });
  return listing
    .split("\n")
    .filter((line) => line.includes("cotty-host"))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => descriptors(pid).some((target) => target.startsWith(stateDir)));
}
