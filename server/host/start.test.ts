import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { wholeScreen } from "#lib/protocol/screen.ts";
import { answers, connectHost, findHost, isHostAlive } from "#server/state/host-endpoint.ts";
import { ensureHost } from "#server/state/host-launch.ts";
import { hostProtocol, writeHostRecord } from "#server/state/host-record.ts";
import { writePrivateFile } from "#server/state/private-file.ts";
import { ownIdentity } from "#server/state/process-identity.ts";
import { openStateDir, stateDirAt } from "#server/state/state-dir.ts";
import {
  ProblemReply,
  startTestHost,
  type TestHost,
  testAgent,
  testOwner,
  testViewer,
} from "#server/testing/test-host.ts";
import { startHost } from "./start.ts";

const folders: string[] = [];
const hosts: TestHost[] = [];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "cotty-start-"));
  folders.push(path);
  return path;
}

async function host(options: Parameters<typeof startTestHost>[0] = {}): Promise<TestHost> {
  const started = await startTestHost(options);
  hosts.push(started);
  return started;
}

afterEach(async () => {
  for (const started of hosts.splice(0)) await started.dispose();
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

async function refusal(work: Promise<unknown>): Promise<{ code: string; status: number }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ProblemReply) return error.problem;
    throw error;
  }
  throw new Error("it was not refused");
}

describe("the host's state directory", () => {
  it("[HO4] [SE5] directory 0700, socket, key and records 0600; gone after stop", async () => {
    const started = await host();
    const { dir } = started.host;
    const modes = Object.fromEntries(
      [dir.root, dir.hostSocket, dir.hostKey, dir.hostRecord, dir.hostLock].map((path) => [
        path,
        statSync(path).mode & 0o777,
      ]),
    );
    expect(modes).toEqual({
      [dir.root]: 0o700,
      [dir.hostSocket]: 0o600,
      [dir.hostKey]: 0o600,
      [dir.hostRecord]: 0o600,
      [dir.hostLock]: 0o600,
    });
    expect(readFileSync(dir.hostKey, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
    expect(await isHostAlive(dir)).toBe(true);
    await Promise.all([started.host.stop(), started.host.stop()]);
    await started.host.stopped;
    expect(readdirSync(dir.root).sort()).toEqual(["audit", "credentials"]);
    expect(await isHostAlive(dir)).toBe(false);
    await expect(connectHost(dir)).rejects.toMatchObject({ code: "HOST_LOST" });
  });

  it.runIf(process.getuid?.() === 0)(
    "[T103] another user can neither connect nor read the key",
    async () => {
      const { dir } = (await host()).host;
      const program = `
      const { readFileSync } = require("node:fs");
      let key = "read"; try { readFileSync(process.argv[2]); } catch (error) { key = error.code; }
      require("node:net").connect(process.argv[1])
        .on("connect", () => { console.log(key, "connected"); process.exit(); })
        .on("error", (error) => console.log(key, error.code));`;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["-e", program, dir.hostSocket, dir.hostKey],
        { uid: 65_534, gid: 65_534, cwd: "/" },
      );
      expect(stdout.trim()).toBe("EACCES EACCES");
    },
  );

  it("[HO4] the key is new at every start, and the old one opens nothing", async () => {
    const stateRoot = folder();
    const first = await host({ stateRoot });
    const before = first.endpoint;
    await first.host.stop();
    const second = await host({ stateRoot });
    expect(await answers(before)).toBe(false);
    expect(await answers(second.endpoint)).toBe(true);
    const reply = await before.request("GET", "/api/v1/sessions", { actor: testOwner });
    expect([reply.status, reply.text.includes('sessions":')]).toEqual([401, false]);
  });

  it("[HO2] a second start in the same directory is refused and disturbs nothing", async () => {
    const started = await host();
    await expect(startHost({ stateRoot: started.host.dir.root })).rejects.toThrow(
      /serves .* already/,
    );
    expect(await answers(started.endpoint)).toBe(true);
    expect(findHost(started.host.dir)?.record).toEqual(started.endpoint.record);
  });

  it("[HO2] what a killed host left is recognised and replaced", async () => {
    const stateRoot = folder();
    const dir = openStateDir(stateRoot);
    const gone = { pid: process.pid, startTime: 1 };
    writePrivateFile(dir.hostLock, JSON.stringify(gone));
    writeHostRecord(dir, { ...gone, version: "0.0.1", protocol: 1 });
    writePrivateFile(dir.hostKey, "old\n");
    // A socket file whose server is gone: bound, then copied away from its owner by a rename.
    const old = createServer();
    await new Promise<void>((resolve) => old.listen(`${dir.hostSocket}.old`, resolve));
    const { renameSync } = await import("node:fs");
    renameSync(`${dir.hostSocket}.old`, dir.hostSocket);
    await new Promise((resolve) => old.close(resolve));
    expect(statSync(dir.hostSocket).isSocket()).toBe(true);
    expect(findHost(dir)).toBeUndefined();
    const started = await host({ stateRoot });
    expect(await answers(started.endpoint)).toBe(true);
  });

  it("[T10C] a file in the socket's place is named, not removed, and the next start works", async () => {
    const stateRoot = folder();
    const { hostSocket, hostLock } = openStateDir(stateRoot);
    writeFileSync(hostSocket, "precious");
    await expect(startHost({ stateRoot })).rejects.toThrow(/is no socket/);
    expect(readFileSync(hostSocket, "utf8")).toBe("precious");
    expect(existsSync(hostLock)).toBe(false);
    rmSync(hostSocket);
    expect(await answers((await host({ stateRoot })).endpoint)).toBe(true);
  });

  it("[HO4] a path too long for a socket is refused with its length and the way out", async () => {
    const stateRoot = join(folder(), "d".repeat(100));
    await expect(startHost({ stateRoot })).rejects.toThrow(/bytes and may have \d+.*--state-dir/);
    const { root, hostSocket } = stateDirAt(folder());
    const exact = join(root, "e".repeat(107 - Buffer.byteLength(hostSocket) - 1));
    expect(await answers((await host({ stateRoot: exact })).endpoint)).toBe(true);
  });

  it("[SE5] a directory that others can read is refused", async () => {
    const stateRoot = folder();
    mkdirSync(join(stateRoot, "open"));
    chmodSync(join(stateRoot, "open"), 0o755);
    await expect(startHost({ stateRoot: join(stateRoot, "open") })).rejects.toThrow(/chmod 700/);
  });

  // Root has no limit of processes.
  it.runIf(process.getuid?.() === 0)(
    "[T105] limits that would not hold here are refused before anything is there",
    async () => {
      const stateRoot = join(folder(), "state");
      await expect(startHost({ stateRoot, sessionLimits: { processes: 500 } })).rejects.toThrow(
        /a limit of processes does not hold for root; start Cotty as another user/,
      );
      expect(existsSync(stateRoot)).toBe(false);
    },
  );

  it("[HO2] a host of another major version is refused with what to do", async () => {
    const dir = openStateDir(folder());
    writePrivateFile(dir.hostKey, `${"0".repeat(64)}\n`);
    writeHostRecord(dir, { ...ownIdentity(), version: "9.1.0", protocol: hostProtocol + 1 });
    const sentence = /another major version .*9\.1\.0.*stop --all/;
    await expect(connectHost(dir)).rejects.toThrow(sentence);
    await expect(ensureHost(dir, { cwd: "/", env: process.env })).rejects.toThrow(sentence);
  });
});

describe("the host's API", () => {
  it("[OP1] [OP2] a session from create to delete, over the real socket with a real shell", async () => {
    const { request, attach } = await host();
    const created = await request("createSession", {
      body: {
        command: ["/bin/sh"],
        name: "one",
        cols: 100,
        rows: 30,
        tags: ["t"],
        env: { PS1: "$ " },
      },
    });
    expect(created).toMatchObject({ name: "one", cols: 100, rows: 30, exited: false, tags: ["t"] });
    const params = { id: created.id };

    const viewer = attach(created.id);
    await viewer.attached();
    expect(viewer.hello).toMatchObject({
      protocol: "cotty.v1",
      session: { id: created.id },
      you: { name: "Olga", readonly: false },
    });
    expect(
      await request("writeInput", {
        params,
        body: { input: [{ text: "echo agent-$((1+1))" }, { key: "Enter" }] },
        actor: testAgent,
      }),
    ).toEqual({ written: 2 });
    await viewer.untilText("agent-2");
    viewer.type("echo over-$((40+2))\r");
    await viewer.untilText("over-42");
    const screen = wholeScreen(await request("readScreen", { params }));
    expect(screen.lines.join("\n")).toContain("agent-2");

    const terminal = await viewer.terminal();
    const shown = Array.from({ length: 30 }, (_, y) =>
      terminal.buffer.active
        .getLine(terminal.buffer.active.baseY + y)
        ?.translateToString(true)
        .trimEnd(),
    );
    terminal.dispose();
    expect(shown).toEqual(wholeScreen(await request("readScreen", { params })).lines);

    expect(await request("resizeSession", { params, body: { cols: 90, rows: 20 } })).toMatchObject({
      cols: 90,
      rows: 20,
    });
    expect((await request("changeSession", { params, body: { name: "two" } })).name).toBe("two");
    expect((await request("listSessions", { query: { tag: "t" } })).sessions).toMatchObject([
      { name: "two" },
    ]);
    expect((await request("listSessions", { query: { tag: "u" } })).sessions).toEqual([]);

    viewer.type("exit 7\r");
    await viewer.until("the exit", () => viewer.exited !== undefined);
    expect(viewer.exited).toMatchObject({ exit_code: 7, signal: null });
    expect(await request("getSession", { params })).toMatchObject({
      exited: true,
      exit_code: 7,
      phase: "exited",
    });
    expect(
      await refusal(request("writeInput", { params, body: { input: [{ text: "x" }] } })),
    ).toMatchObject({ code: "SESSION_EXITED", status: 409 });
    expect((await request("readScreen", { params })).exited).toBe(true);

    await request("closeSession", { params });
    await viewer.untilClosed();
    expect(viewer.closed?.code).toBe(4404);
    expect(await refusal(request("getSession", { params }))).toMatchObject({
      code: "SESSION_NOT_FOUND",
      status: 404,
    });
    const again = attach(created.id);
    await again.until("the refusal", () => again.refused !== undefined);
    expect(again.refused).toMatchObject({ status: 404, body: { code: "SESSION_NOT_FOUND" } });
  });

  it("[AT1] a viewer that comes back with its offset goes on byte for byte", async () => {
    const { request, attach } = await host();
    const { id } = await request("createSession", {
      body: {
        command: ["/bin/sh", "-c", "stty -echo; while read n; do seq 1 $n; echo done-$n; done"],
      },
    });
    const whole = attach(id);
    await whole.attached();
    const first = attach(id);
    await first.attached();
    first.type("2000\r");
    await first.untilText("done-2000");
    await whole.untilText("done-2000");
    const { offset } = first;
    const before = first.text;
    first.dispose();
    whole.type("3000\r");
    await whole.untilText("done-3000");
    const back = attach(id, { query: `?since=${offset}` });
    await back.untilText("done-3000");
    expect(back.resume).toMatchObject({ type: "resume", at: offset });
    await back.until("the same offset", () => back.offset === whole.offset);
    expect(before + back.text).toBe(whole.text);
  });

  it("[AT4] a flood reaches a viewer whole and in order while another reads nothing", async () => {
    const { request, attach } = await host();
    const { id } = await request("createSession", {
      body: {
        command: ["/bin/sh", "-c", "stty -echo -onlcr; read go; seq 1 400000; echo all-done; cat"],
      },
    });
    const stuck = attach(id, { acknowledges: false });
    const viewer = attach(id);
    await Promise.all([stuck.attached(), viewer.attached()]);
    stuck.socket.pause();
    viewer.type("go\r");
    await viewer.untilText("all-done", 25_000);
    const numbers = viewer.text
      .slice(viewer.text.indexOf("1\n"), viewer.text.indexOf("all-done"))
      .split("\n")
      .slice(0, -1);
    expect(viewer.messages.filter(({ type }) => type === "resync")).toEqual([]);
    expect(numbers.length).toBe(400_000);
    expect(numbers.every((text, index) => text === String(index + 1))).toBe(true);
    stuck.socket.resume();
    await stuck.until("what the window let through", () => stuck.offset > 0);
    expect(stuck.offset).toBeLessThan(512 * 1024);
  });

  it("[AT5] a viewer's role and readonly=1 cannot type", async () => {
    const { request, attach } = await host();
    const { id } = await request("createSession", { body: { command: ["/bin/cat"] } });
    for (const options of [{ query: "?readonly=1" }, { actor: testViewer }]) {
      const viewer = attach(id, options);
      await viewer.attached();
      expect(viewer.hello?.you.readonly).toBe(true);
      viewer.type("forbidden\r");
      await viewer.until("the refusal", () => viewer.errors.length > 0);
      expect(viewer.errors[0]?.code).toBe("READ_ONLY");
    }
    const writer = attach(id);
    await writer.attached();
    writer.type("allowed\r");
    await writer.untilText("allowed");
    const { lines } = wholeScreen(await request("readScreen", { params: { id } }));
    expect(lines.join("\n")).not.toContain("forbidden");
  });

  it("[AT5] [T61] [T82] no frame of who may only look puts a byte into the program, changes its size or takes the keyboard", async () => {
    const { request, attach } = await host();
    // Wants every kind of report, and shows each byte that it gets.
    const script = "printf '\\033[?1000h\\033[?1006h\\033[?1004hup'; stty raw -echo; exec cat -v";
    const { id } = await request("createSession", { body: { command: ["/bin/sh", "-c", script] } });
    const params = { id };
    const before = await request("getSession", { params });
    for (const options of [
      { query: "?readonly=1&since=0" },
      { query: "?since=0", actor: testViewer },
    ]) {
      const viewer = attach(id, options);
      await viewer.attached();
      await viewer.untilText("up");
      viewer.type("typed");
      viewer.type("\x1b[200~pasted\x1b[201~");
      viewer.send({ type: "secret", text: "word" });
      viewer.send({ type: "resize", cols: 99, rows: 30 });
      viewer.send({ type: "use_my_size", cols: 98, rows: 30 });
      for (const data of ["\x1b[<0;5;5M", "\x1b[I", "\x1b[?62;c", "\x1b[5;5R"])
        viewer.send({ type: "report", data });
      for (const action of ["take_over", "hold", "hand_back", "clear_line"] as const)
        viewer.send({ type: "keyboard", action });
      viewer.send({ type: "ping", id: 1 });
      // All were looked at, and each that types was refused.
      await viewer.until("the pong", () => viewer.messages.some(({ type }) => type === "pong"));
      expect(viewer.errors.length).toBeGreaterThanOrEqual(3);
    }
    const writer = attach(id, { query: "?since=0" });
    await writer.attached();
    writer.type("Z");
    await writer.untilText("upZ");
    const { lines } = wholeScreen(await request("readScreen", { params }));
    expect(lines.filter(Boolean)).toEqual(["upZ"]);
    const { cols, rows, lease } = await request("getSession", { params });
    expect({ cols, rows }).toEqual({ cols: before.cols, rows: before.rows });
    // The writer's key took it, and nothing before.
    expect(lease.epoch).toBe(before.lease.epoch + 1);
  });

  it("[SE4] disconnecting an actor closes its viewers with 4401 and the session goes on", async () => {
    const { request, attach, endpoint } = await host();
    const { id } = await request("createSession", { body: { command: ["/bin/cat"] } });
    const theirs = attach(id, { actor: testAgent });
    const mine = attach(id);
    await Promise.all([theirs.attached(), mine.attached()]);
    const reply = await endpoint.request("POST", "/internal/disconnect", {
      body: { actor: testAgent.id },
    });
    expect(reply.json()).toEqual({ closed: 1 });
    await theirs.untilClosed();
    expect(theirs.closed?.code).toBe(4401);
    mine.type("still here\r");
    await mine.untilText("still here");
    await vi.waitFor(async () =>
      expect((await request("getSession", { params: { id } })).viewers).toBe(1),
    );
  });

  it("[PT2] with --no-terminal everything answers but create, which says why", async () => {
    const { request } = await host({ noTerminal: true });
    expect((await request("me")).server.terminals.state).toBe("disabled");
    expect(await refusal(request("createSession", { body: {} }))).toMatchObject({
      code: "TERMINALS_DISABLED",
      status: 503,
    });
  });

  it("[LM] the session over the limit is refused, parallel creates included, and closing one makes room", async () => {
    const { request } = await host({ maxSessions: 3 });
    const create = () => request("createSession", { body: { command: ["/bin/cat"] } });
    const results = await Promise.allSettled(Array.from({ length: 8 }, create));
    const made = results.filter((result) => result.status === "fulfilled");
    expect(made).toHaveLength(3);
    for (const result of results) {
      if (result.status === "rejected")
        expect(result.reason.problem.code).toBe("TOO_MANY_SESSIONS");
    }
    const [first] = made;
    await request("closeSession", { params: { id: first?.value.id ?? "" } });
    await create();
  });

  it("[B131] a batch with a bad key types nothing at all", async () => {
    const { request, attach } = await host();
    const { id } = await request("createSession", { body: { command: ["/bin/cat"] } });
    const viewer = attach(id);
    await viewer.attached();
    const input = [{ text: "before" }, { key: "NoSuchKey" }, { text: "after" }];
    const { problem } = (await request("writeInput", { params: { id }, body: { input } }).catch(
      (error) => error,
    )) as ProblemReply;
    expect(problem.status).toBe(400);
    expect(JSON.stringify(problem)).toMatch(/input\.1|NoSuchKey/);
    viewer.type("typed\r");
    await viewer.untilText("typed");
    expect(viewer.text).not.toMatch(/before|after/);
  });

  it("[HO3] stop ends every shell and leaves no process", async () => {
    const started = await host();
    const pids: number[] = [];
    for (const script of [
      "trap '' HUP TERM; while :; do sleep 1; done",
      "sleep 1000 & wait",
      "cat",
    ]) {
      pids.push(
        (await started.request("createSession", { body: { command: ["/bin/sh", "-c", script] } }))
          .pid,
      );
    }
    for (const pid of pids) expect(existsSync(`/proc/${pid}`)).toBe(true);
    await started.host.stop();
    await vi.waitFor(
      () => expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]),
      5_000,
    );
  });
});
