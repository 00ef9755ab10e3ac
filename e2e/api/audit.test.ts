// The audit as people have it: what every door did, in order, provable afterwards. Real server, real CLI, real kill -9.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { AuditEntry, AuditReply } from "#lib/protocol/audit.ts";
import type { WritesReply } from "#lib/protocol/writes.ts";
import { readAudit } from "#server/audit/read-audit.ts";
import { Server } from "../server.ts";
import { Caller } from "./caller.ts";

let server: Server;
let owner: Caller;
let agent: Caller;
let id: string;

beforeAll(async () => {
  server = new Server();
  // Before any host: left in a file, taken in by the first one.
  const made = await server.cli("token", "create", "--role", "agent", "--name", "scout");
  await server.start();
  owner = await Caller.owner(server);
  agent = new Caller(server, made.stdout.trim());
  ({ id } = await owner.create({ command: ["/bin/cat"], name: "kept" }));
});
afterAll(async () => {
  owner?.dispose();
  agent?.dispose();
  await server?.stop();
});

const entries = async (query = ""): Promise<AuditEntry[]> =>
  (await owner.call<AuditReply>("GET", `/audit${query}`)).entries;
/** The fact is awaited; how long a busy machine takes for it says nothing. */
const patiently = <T>(fact: () => Promise<T>) =>
  vi.waitFor(fact, { timeout: 30_000, interval: 100 });
const folder = () => join(server.stateDir, "audit");
const file = () => join(folder(), readdirSync(folder()).sort()[0] ?? "");
const show = ({ actor, act, outcome }: AuditEntry) => `${actor?.name ?? "-"} ${act} ${outcome}`;

describe("the audit of a server", () => {
  it("[AU1] holds the token that was made before any host ran, and the host's start", async () => {
    const all = await entries();
    expect(all[0]).toMatchObject({ n: 0, act: "token", outcome: "done", session: null });
    expect(all[0]?.what).toMatch(/^made agent token \S+ \(scout\)$/);
    expect(all.map(({ act }) => act)).toContain("host_start");
    expect(readdirSync(folder()).filter((name) => name.startsWith("told-"))).toEqual([]);
  });

  it("[AU1] an agent's write is there with its request, its bytes and its note; a refused one with its code", async () => {
    const body = { input: [{ text: "hello" }, { key: "Enter" }], note: "say hello" };
    const reply = await agent.raw("POST", `/sessions/${id}/input`, body);
    expect(reply.status).toBe(200);
    const request = reply.headers.get("x-cotty-request-id");
    expect(request).toBeTruthy();
    // Its Enter goes out a moment later, and would be an entry of its own if it were dropped.
    await owner.untilScreen(
      id,
      "the echo of cat",
      ({ lines }) => lines.filter((line) => line === "hello").length === 2,
    );
    await owner.call("PUT", `/sessions/${id}/access`, { level: "observe" });
    const refused = await agent.raw("POST", `/sessions/${id}/input`, body);
    expect(refused.status).toBe(403);
    await owner.call("PUT", `/sessions/${id}/access`, { level: "sealed" });
    expect((await agent.raw("GET", `/sessions/${id}/screen`)).status).toBe(403);
    await owner.call("PUT", `/sessions/${id}/access`, { level: "collaborate" });
    const mine = (await owner.call<AuditReply>("GET", `/sessions/${id}/audit?actor=scout`)).entries;
    expect(mine.map(show)).toEqual([
      "scout write done",
      "scout write READ_ONLY",
      "scout look SEALED",
    ]);
    expect(mine[0]).toMatchObject({ request, bytes: 6, summary: "hello␍", note: "say hello" });
    expect(mine[1]?.request).toBe(refused.headers.get("x-cotty-request-id"));
  });

  it("[AU1] through MCP too: the tool's call is the agent's act", async () => {
    const call = (name: string, args: object) =>
      fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${agent.token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: args },
        }),
      });
    await call("terminal_key", { id, keys: ["C-c"] }).then((reply) => reply.text());
    await patiently(async () =>
      expect((await entries("?actor=scout&act=write")).at(-1)?.summary).toBe("␃"),
    );
  });

  it("[AU1] [T60] what a role may not do is refused at the gate and is there; agents may not read it", async () => {
    const refused = await agent.raw("PUT", `/sessions/${id}/access`, { level: "sealed" });
    expect(refused.status).toBe(403);
    for (const path of [
      "/audit",
      `/sessions/${id}/audit`,
      `/sessions/${id}/writes`,
      `/sessions/${id}/agent_view`,
    ])
      expect((await agent.raw("GET", path)).status).toBe(403);
    await patiently(async () =>
      expect((await entries("?refused=1&actor=scout")).map(show)).toContain(
        "scout access FORBIDDEN",
      ),
    );
  });

  it("[AU2] [AU3] people see who typed what, and what the agent was last shown", async () => {
    const { writes } = await owner.call<WritesReply>("GET", `/sessions/${id}/writes`);
    expect(writes.map(({ actor, text }) => `${actor.name} ${text}`)).toEqual([
      "scout hello␍",
      "scout ␃",
    ]);
    const read = await agent.raw("GET", `/sessions/${id}/screen?view=compact`);
    const { text } = (await read.json()) as { text: string };
    expect(await owner.call("GET", `/sessions/${id}/agent_view`)).toMatchObject({
      view: { agent: { name: "scout" }, request: read.headers.get("x-cotty-request-id"), text },
    });
  });

  it("[AU1] `cotty audit show` filters it, and `verify` finds it sound while the server runs", async () => {
    const shown = await server.cli("audit", "show", "--actor", "scout", "--refused");
    expect(shown.stdout).toMatch(/scout .* write .*refused: READ_ONLY/);
    expect(shown.stdout).not.toContain("hello␍  done");
    const json = await server.cli("audit", "show", id, "--act", "write", "--json");
    expect(JSON.parse(json.stdout).entries.map(show)).toContain("scout write done");
    const verified = await server.cli("audit", "verify");
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).toMatch(/^\d+ entries; head [0-9a-f]{64}\n$/);
  });

  it("[AU1] [C-D1] while the disk takes no more, acts go on, people are warned everywhere, and the gap is told", async () => {
    const limit = (bytes: number | string) =>
      execFileSync("prlimit", ["--pid", String(server.hostPid()), `--fsize=${bytes}:unlimited`]);
    const cat = (await owner.create({ command: ["/bin/cat"] })).id;
    limit(readFileSync(file()).length + 300);
    const write = () =>
      agent.raw("POST", `/sessions/${cat}/input`, { input: [{ text: "on" }, { key: "Enter" }] });
    for (let n = 0; n < 5; n++) expect((await write()).status).toBe(200);
    const warning = expect.stringMatching(/^the audit cannot be written since .* \(EFBIG\)/);
    await patiently(async () =>
      expect(await owner.call("GET", "/audit")).toMatchObject({ warning }),
    );
    expect(await owner.call("GET", "/me")).toMatchObject({ server: { audit_warning: warning } });
    expect((await server.cli("doctor")).stdout).toContain("the audit cannot be written");
    expect((await write()).status).toBe(200);
    limit("unlimited");
    await patiently(async () =>
      expect(await owner.call("GET", "/audit")).toMatchObject({ warning: null }),
    );
    const all = await entries("?limit=20");
    const gap = all.findIndex(({ act }) => act === "gap");
    expect(all[gap]?.what).toMatch(/EFBIG\): \d+ acts were kept in memory and follow, 0 are lost/);
    const written = all.slice(gap).filter(({ summary }) => summary === "on␍");
    expect(written.length).toBeGreaterThan(0);
    expect((await server.cli("audit", "verify")).code).toBe(0);
  });

  it("[AU1] [C-D3] kill -9 the server: the chain verifies, a torn line is reported, and the next host goes on", async () => {
    // In the middle of a storm of acts: whatever the kill cut off is the last line, and nothing before it.
    const stormy = await owner.create({ command: ["/bin/cat"] });
    const before = readFileSync(file()).length;
    let isOver = false;
    const answered: string[] = [];
    const type = () =>
      agent.raw("POST", `/sessions/${stormy.id}/input`, { input: [{ raw: "storm\n" }] }).then(
        (reply) => {
          if (reply.status === 200) answered.push(reply.headers.get("x-cotty-request-id") ?? "-");
          return !isOver;
        },
        // The server is gone, as it should be.
        () => false,
      );
    const storm = Array.from({ length: 8 }, async () => {
      while (await type());
    });
    await patiently(async () => {
      expect(readFileSync(file()).length).toBeGreaterThan(before + 20_000);
    });
    process.kill(server.hostPid(), "SIGKILL");
    await server.killWeb();
    isOver = true;
    await Promise.all(storm);
    expect((await server.cli("audit", "verify")).code).toBe(0);
    // Everything that was answered is there.
    const kept = new Set<string | null>();
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null; ) {
      const page = await readAudit(folder(), { session: stormy.id, limit: 500, before });
      for (const { request } of page.entries) kept.add(request);
      before = page.before;
    }
    expect(answered.length).toBeGreaterThan(50);
    expect(answered.filter((request) => !kept.has(request))).toEqual([]);
    const cut = readFileSync(file());
    const whole = cut.subarray(0, cut.lastIndexOf(0x0a) + 1);
    writeFileSync(file(), Buffer.concat([whole, whole.subarray(0, 120)]));
    const torn = await server.cli("audit", "verify");
    expect(torn.code).toBe(0);
    expect(torn.stderr).toMatch(/torn audit-\d+\.jsonl:\d+: /);
    await server.start();
    const gaps = (await entries("?act=gap")).map(({ what }) => what);
    expect(gaps.at(-2)).toBe("the last line was torn; its 120 bytes were removed");
    expect(gaps.at(-1)).toMatch(/^the host before ended without its last line: /);
    expect((await server.cli("audit", "verify")).stderr).toBe("");
  });

  it("[AU1] one flipped byte: `cotty audit verify` names the line and fails", async () => {
    const whole = readFileSync(file());
    const lines = whole.toString("utf8").split("\n");
    const line = lines.findIndex((text) => text.includes("hello␍"));
    const damaged = Buffer.from(whole);
    const at = whole.indexOf("hello␍");
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(file(), damaged);
    const { code, stderr } = await server.cli("audit", "verify");
    writeFileSync(file(), whole);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`damaged audit-0+\\.jsonl:${line + 1}: its hash does not fit its text`),
    );
    expect((await server.cli("audit", "verify")).code).toBe(0);
    expect(existsSync(file())).toBe(true);
  });

  it("[AU1] wrong tokens are told once and then counted, without the token", async () => {
    const wrong = `cotty_${"x".repeat(40)}`;
    for (let n = 0; n < 30; n++)
      await owner.raw("GET", "/sessions", undefined, { authorization: `Bearer ${wrong}` });
    await patiently(async () => {
      const { stdout } = await server.cli("audit", "show", "--refused", "--act", "login", "--json");
      const refused = JSON.parse(stdout).entries as AuditEntry[];
      expect(refused.map(({ outcome, what }) => `${outcome} ${what}`)).toEqual([
        "UNAUTHENTICATED token from 127.0.0.1",
        "TOO_MANY_ATTEMPTS token from 127.0.0.1",
      ]);
    });
    expect(readFileSync(file(), "utf8")).not.toContain("xxxxx");
  });
});
