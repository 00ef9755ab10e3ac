// The host as a real, detached process: started twice, signalled, killed.
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { answers, findHost, type HostEndpoint, isHostAlive } from "#server/state/host-endpoint.ts";
import { ensureHost, type LaunchedHost } from "#server/state/host-launch.ts";
import { isRunning, processStartTime } from "#server/state/process-identity.ts";
import { openStateDir, type StateDir } from "#server/state/state-dir.ts";
import { type BundledProgram, bundledProgram } from "#server/testing/bundled-program.ts";
import { testOwner } from "#server/testing/test-host.ts";

describe("the host process", () => {
  let root: string;
  let dir: StateDir;
  const endpoints: HostEndpoint[] = [];
  let program: BundledProgram;

  beforeAll(async () => {
    program = await bundledProgram("server/host/main.ts");
  });
  afterAll(() => program.dispose());

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "cotty-main-"));
    dir = openStateDir(join(root, "state"));
  });

  afterEach(async () => {
    for (const { record } of endpoints.splice(0))
      if (isRunning(record)) process.kill(record.pid, "SIGTERM");
    await vi.waitFor(() => expect(findHost(dir)).toBeUndefined(), 10_000);
    rmSync(root, { recursive: true, force: true });
  });

  async function launch(
    options: Partial<Parameters<typeof ensureHost>[1]> = {},
  ): Promise<LaunchedHost> {
    const launched = await ensureHost(dir, {
      cwd: root,
      env: process.env,
      program: [program.path],
      ...options,
    });
    endpoints.push(launched.endpoint);
    return launched;
  }

  async function create(
    endpoint: HostEndpoint,
    script: string,
  ): Promise<{ id: string; pid: number }> {
    const body = { command: ["/bin/sh", "-c", script] };
    const reply = await endpoint.request("POST", "/api/v1/sessions", { actor: testOwner, body });
    expect(reply.status, reply.text).toBe(201);
    return reply.json() as { id: string; pid: number };
  }

  const gone = (pid: number) =>
    vi.waitFor(() => expect(processStartTime(pid)).toBeUndefined(), {
      timeout: 8_000,
      interval: 20,
    });

  it("[HO2] three starts at once share one host, in the given directory and a process group of its own", async () => {
    const launched = await Promise.all([launch(), launch(), launch()]);
    expect(new Set(launched.map(({ endpoint }) => endpoint.record.pid)).size).toBe(1);
    expect(launched.filter(({ started }) => started)).toHaveLength(1);
    const { endpoint } = launched[0] as LaunchedHost;
    const me = await endpoint.request("GET", "/api/v1/me", { actor: testOwner });
    expect((me.json() as { server: { cwd: string } }).server.cwd).toBe(root);
    const group = readFileSync(`/proc/${endpoint.record.pid}/stat`, "utf8")
      .split(") ")[1]
      ?.split(" ")[2];
    expect(Number(group)).toBe(endpoint.record.pid);
    expect(statSync(dir.hostLog).mode & 0o777).toBe(0o600);
    expect(readFileSync(dir.hostLog, "utf8")).toContain("the host answers");
    expect((await launch()).started).toBe(false);
  });

  it("[HO1] Ctrl-C and hang-up do not reach it; SIGTERM ends its sessions and takes its files away", async () => {
    const { endpoint } = await launch();
    const { pid } = endpoint.record;
    const session = await create(endpoint, "trap '' HUP TERM; while :; do sleep 1; done");
    for (const signal of ["SIGINT", "SIGHUP", "SIGINT"] as const) process.kill(pid, signal);
    expect(await answers(endpoint)).toBe(true);
    expect(processStartTime(session.pid)).toBeDefined();
    process.kill(pid, "SIGTERM");
    await gone(pid);
    expect(processStartTime(session.pid)).toBeUndefined();
    for (const path of [
      dir.hostSocket,
      dir.hostKey,
      dir.hostRecord,
      dir.hostLock,
      dir.hostSessions,
    ]) {
      expect(existsSync(path), path).toBe(false);
    }
  });

  it("[HO3] the internal shutdown answers with the number of sessions and then ends", async () => {
    const { endpoint } = await launch();
    await create(endpoint, "cat");
    const reply = await endpoint.request("POST", "/internal/shutdown");
    expect([reply.status, reply.json()]).toEqual([202, { sessions: 1 }]);
    await gone(endpoint.record.pid);
    expect(await isHostAlive(dir)).toBe(false);
  });

  it("[HO6] after kill -9 the next host ends what survived and says so", async () => {
    const { endpoint } = await launch();
    const stubborn = await create(endpoint, "trap '' HUP TERM; while :; do sleep 1; done");
    const plain = await create(endpoint, "sleep 1000");
    const ledger = JSON.parse(readFileSync(dir.hostSessions, "utf8")) as { pid: number }[];
    expect(ledger.map(({ pid }) => pid)).toEqual([stubborn.pid, plain.pid]);
    process.kill(endpoint.record.pid, "SIGKILL");
    await gone(endpoint.record.pid);
    expect(processStartTime(stubborn.pid)).toBeDefined();
    expect(findHost(dir)).toBeUndefined();
    await expect(endpoint.request("GET", "/internal/status")).rejects.toMatchObject({
      code: "HOST_LOST",
    });

    const next = await launch();
    expect(next.started).toBe(true);
    expect(processStartTime(stubborn.pid)).toBeUndefined();
    expect(processStartTime(plain.pid)).toBeUndefined();
    const { warnings } = (await next.endpoint.request("GET", "/internal/status")).json() as {
      warnings: string[];
    };
    expect(warnings.join(" ")).toMatch(/lost 2 sessions.*were ended/);
    expect(existsSync(dir.hostSessions)).toBe(false);
  });

  it("[HO2] of starts at once only one process remains, also when the host is ended at once", async () => {
    const before = new Set(hostPids(dir.root));
    await Promise.all(Array.from({ length: 4 }, () => launch()));
    process.kill(endpoints[0]?.record.pid ?? 0, "SIGTERM");
    await vi.waitFor(
      () => expect(hostPids(dir.root).filter((pid) => !before.has(pid))).toEqual([]),
      {
        timeout: 10_000,
        interval: 50,
      },
    );
    expect(findHost(dir)).toBeUndefined();
  });

  it("[HO2] a host that cannot start says why to the one who started it", async () => {
    writeFileSync(dir.hostSocket, "in the way");
    await expect(launch()).rejects.toThrow(
      /could not start: .*host\.sock is no socket; move it away$/,
    );
    rmSync(dir.hostSocket);
    await expect(launch({ maxSessions: 5_000 })).rejects.toThrow(
      /--max-sessions must be a whole number/,
    );
    expect((await launch()).started).toBe(true);
  });

  it("[HO2] a start that meets a host on its way out waits and then starts a new one", async () => {
    const first = await launch();
    await create(first.endpoint, "trap '' HUP TERM; while :; do sleep 1; done");
    await first.endpoint.request("POST", "/internal/shutdown");
    const second = await launch();
    expect(second.started).toBe(true);
    expect(second.endpoint.record.pid).not.toBe(first.endpoint.record.pid);
    expect(await answers(second.endpoint)).toBe(true);
  });

  it("[T109] a host of root says so", async () => {
    const { endpoint } = await launch({ noTerminal: true });
    const { warnings } = (await endpoint.request("GET", "/internal/status")).json() as {
      warnings: string[];
    };
    expect(warnings.some((text) => text.includes("root"))).toBe(process.getuid?.() === 0);
  });

  it("[C-K6] a host stopped for a while goes on where it was", async () => {
    const { endpoint } = await launch();
    const session = await create(endpoint, "cat");
    process.kill(endpoint.record.pid, "SIGSTOP");
    const asked = endpoint.request("GET", `/api/v1/sessions/${session.id}`, { actor: testOwner });
    await vi.waitFor(() =>
      expect(readFileSync(`/proc/${endpoint.record.pid}/stat`, "utf8")).toMatch(/\) T /),
    );
    process.kill(endpoint.record.pid, "SIGCONT");
    expect((await asked).status).toBe(200);
  });
});

/** Processes whose log is the one of this state directory, whatever their names. */
function hostPids(stateRoot: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid)
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/1`).startsWith(stateRoot);
      } catch {
        // It ended meanwhile.
        return false;
      }
    });
}
