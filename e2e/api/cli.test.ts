// The `cotty` command as a person runs it: real processes, real ports, real state directories.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { Server } from "../server.ts";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

function newServer(flags: string[] = [], env: Record<string, string> = {}): Server {
  const server = new Server(flags, env);
  servers.push(server);
  return server;
}

const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, "utf8"));

async function createSession(server: Server, token: string): Promise<{ id: string; pid: number }> {
  const reply = await fetch(`${server.url}/api/v1/sessions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ command: ["/bin/cat"] }),
  });
  expect(reply.status).toBe(201);
  return (await reply.json()) as { id: string; pid: number };
}

describe("cotty start and stop", () => {
  it("[HO2] two starts at once share one host, and the second says where the dashboard is", async () => {
    const first = newServer();
    await first.start();
    const host = first.hostPid();
    const { code, stderr } = await first.cli("start", "--no-open", "--port", "0");
    expect(code).toBe(1);
    expect(stderr).toContain(`a dashboard already runs at ${first.url}`);
    expect(stderr).toContain("cotty open");
    expect(first.hostPid()).toBe(host);
  });

  it("[HO1] [HO2] killing web with -9 leaves host and shell; the next start finds them", async () => {
    const server = newServer();
    await server.start();
    const token = await server.token();
    const session = await createSession(server, token);
    const host = server.hostPid();
    await server.killWeb();
    expect(isAlive(session.pid)).toBe(true);
    await server.start();
    expect(server.hostPid()).toBe(host);
    const reply = await fetch(`${server.url}/api/v1/sessions/${session.id}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await reply.json()).toMatchObject({ pid: session.pid, exited: false });
  });

  it("[HO3] SIGTERM ends web within 5 s, says how many terminals keep running; stop --all ends them", async () => {
    const server = newServer();
    await server.start();
    const session = await createSession(server, await server.token());
    const host = server.hostPid();
    const startedAt = performance.now();
    const { code, output } = await server.terminateWeb();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(code).toBe(0);
    expect(output).toContain("1 terminal keeps running");
    expect(isAlive(session.pid)).toBe(true);
    const stopped = await server.cli("stop", "--all");
    expect(stopped.stderr).toContain("ended 1 terminal and the host");
    expect(isAlive(session.pid)).toBe(false);
    expect(isAlive(host)).toBe(false);
  });

  it("[SE1] [T08] a bind beyond loopback is refused before anything starts, naming the flags", async () => {
    const server = newServer();
    const { code, stderr } = await server.cli(
      "start",
      "--no-open",
      "--host",
      "0.0.0.0",
      "--port",
      "0",
    );
    expect(code).toBe(2);
    for (const flag of ["--allow-host", "--tls-cert", "--behind-tls"])
      expect(stderr).toContain(flag);
    expect(existsSync(join(server.stateDir, "host.json"))).toBe(false);
  });

  it("[T09] an explicit port that is taken fails and names it", async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await newServer().cli("start", "--no-open", "--port", String(port));
    taken.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`port ${port} on 127.0.0.1 is taken`);
  });

  it("[SE5] a state directory that others can read is refused with the command that mends it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cotty-open-"));
    chmodSync(folder, 0o755);
    const { code, stderr } = await newServer().cliAt(folder, "token", "list");
    expect(code).toBe(1);
    expect(stderr).toContain(`chmod 700 ${folder}`);
    rmSync(folder, { recursive: true });
  });

  it("bad settings name their source and exit with 2", async () => {
    const { code, stderr } = await newServer([], { COTTY_MAX_SESSIONS: "none" }).cli(
      "start",
      "--no-open",
    );
    expect(code).toBe(2);
    expect(stderr).toContain(
      'COTTY_MAX_SESSIONS must be a whole number from 1 to 1000, not "none"',
    );
  });

  it("an unknown command suggests a known one and exits with 2", async () => {
    const { code, stderr } = await newServer().cli("tokn");
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean token?");
  });

  it("`cotty help COMMAND` is that command's help, and `cotty help` the list", async () => {
    const server = newServer();
    const [list, one, asked, none] = await Promise.all([
      server.cli("help"),
      server.cli("help", "send"),
      server.cli("send", "--help"),
      server.cli("help", "tokn"),
    ]);
    expect(list).toMatchObject({ code: 0, stdout: expect.stringContaining("help [COMMAND]") });
    expect(one).toEqual(asked);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean token?") });
  });

  it("[CL] output that cannot be written is one sentence and a failure", async () => {
    const line = `"${process.execPath}" "${newServer().cliPath}" completion bash >/dev/full`;
    const { status, stderr } = spawnSync("/bin/sh", ["-c", line], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toBe(
      "cotty: the output could not be written: ENOSPC: no space left on device, write\n",
    );
  });
});

describe("cotty token", () => {
  it("[SE4] create prints the token once, list never shows it, revoke ends it within a second", async () => {
    const server = newServer();
    await server.start();
    const made = await server.cli(
      "token",
      "create",
      "--role",
      "agent",
      "--name",
      "ci",
      "--expires",
      "1h",
      "--json",
    );
    const { token, id, expires_at } = JSON.parse(made.stdout);
    expect(token).toMatch(/^cot_agt_/);
    expect(Date.parse(expires_at) - Date.now()).toBeGreaterThan(3_500_000);
    const list = await server.cli("token", "list", "--json");
    expect(JSON.parse(list.stdout).tokens).toMatchObject([{ id, name: "ci", role: "agent" }]);
    expect(list.stdout).not.toContain(token);
    const me = () =>
      fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
    expect((await me()).status).toBe(200);
    expect((await server.cli("token", "revoke", "ci")).code).toBe(0);
    expect((await me()).status).toBe(401);
    expect((await server.cli("token", "revoke", "ci")).code).toBe(3);
  });

  it.each([
    [["token", "create", "--role", "king", "--name", "x"], "owner"],
    [["token", "create", "--role", "agent", "--name", "x", "--expires", "soon"], "15m"],
    [["token", "create", "--role", "agent", "--name", " "], "characters"],
    [["token", "create", "--role", "agent"], "--name"],
  ])("refuses %j with what would be right", async (args, words) => {
    const { code, stderr } = await newServer().cli(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});

describe("cotty open, ls, doctor", () => {
  it("[SE3] open mints a link that signs in exactly once", async () => {
    const server = newServer();
    await server.start();
    const { stdout } = await server.cli("open", "--no-open");
    const code = /#code=(\S+)/.exec(stdout)?.[1];
    const login = () =>
      fetch(`${server.url}/api/v1/login`, {
        method: "POST",
        headers: { "content-type": "application/json", origin: server.url },
        body: JSON.stringify({ code }),
      });
    expect((await login()).status).toBe(200);
    expect((await login()).status).toBe(401);
  });

  it("say what to do when nothing runs", async () => {
    const server = newServer();
    for (const verb of [["open", "--no-open"], ["ls"]]) {
      const { code, stderr } = await server.cli(...verb);
      expect(code).toBe(7);
      expect(stderr).toContain("cotty start");
    }
  });

  it("doctor finds this machine able to start terminals", async () => {
    const { code, stdout } = await newServer().cli("doctor", "--json");
    expect(code).toBe(0);
    const { findings } = JSON.parse(stdout) as { findings: { level: string; what: string }[] };
    expect(findings.find((finding) => finding.what === "terminals")?.level).toBe("ok");
    expect(findings.filter((finding) => finding.level === "bad")).toEqual([]);
  });

  it("closes its output early without complaint when its reader has gone", async () => {
    const server = newServer();
    const child = spawn(
      "/bin/sh",
      ["-c", `"${process.execPath}" "${server.cliPath}" --help | head -1`],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    await new Promise((resolve) => child.once("close", resolve));
    expect(stderr).toBe("");
  });
});

describe("a machine that cannot start terminals", () => {
  it("[PT1] the server runs, and creating says why", async () => {
    const broken = join(import.meta.dirname, "../../server/testing/broken-pty.cjs");
    const server = newServer([], { COTTY_PTY_MODULE: broken });
    await server.start();
    const token = await server.token();
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const refused = await fetch(`${server.url}/api/v1/sessions`, {
      method: "POST",
      headers,
      body: "{}",
    });
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({ code: "TERMINALS_UNAVAILABLE" });
    const me = await fetch(`${server.url}/api/v1/me`, { headers });
    expect((await me.json()).server.terminals).toMatchObject({
      state: "unavailable",
      reason: expect.stringContaining("broken-pty"),
    });
  });

  it("[HO2] a host started from inside a session outlives that session", async () => {
    const inner = newServer([], {
      COTTY_SESSION: "not-its-own",
      COTTY_URL: "http://outer.invalid",
    });
    await inner.start();
    const environment = readFileSync(`/proc/${inner.hostPid()}/environ`, "utf8");
    expect(environment).not.toContain("COTTY_SESSION");
    expect(environment).not.toContain("COTTY_URL");
  });
});
