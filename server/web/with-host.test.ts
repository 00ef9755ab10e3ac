// Web in front of a real host with real terminals: web may be killed at any moment and nothing is lost (HO1, C-K1).
import { type ChildProcess, spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import { apiBase } from "#lib/protocol/operations/operation.ts";
import { createToken, revokeCredential } from "#server/state/credential-store.ts";
import { AttachClientDouble } from "#server/testing/attach-client-double.ts";
import { type BundledProgram, bundledProgram } from "#server/testing/bundled-program.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";

let program: BundledProgram;
let host: TestHost;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  program = await bundledProgram("server/testing/web-child.ts");
  host = await startTestHost();
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await host.dispose();
  program.dispose();
});

/** Numbered lines without end, slower than the ring's size per restart. */
const numbers = [
  "sh",
  "-c",
  "i=0; while :; do n=$((i+200)); while [ $i -lt $n ]; do echo $i; i=$((i+1)); done; sleep 0.01; done",
];

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

function startChild(root: string, tcpPort: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program.path, root, String(tcpPort)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return new Promise((resolve, reject) => {
    child.stdout?.once("data", () => resolve(child));
    child.once("exit", (code) => reject(new Error(`web ended with ${code}`)));
  });
}

function killed(child: ChildProcess): Promise<void> {
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.kill("SIGKILL");
  return gone;
}

describe("web and a real host", () => {
  it("[HO1] [C-K1] web killed in mid-flood again and again: the numbered stream has no gap and no repeat", async () => {
    const { dir } = host.host;
    const store = { folder: dir.credentials, clock: systemClock };
    const { token } = createToken(store, { role: "owner", name: "watcher" });
    const tcpPort = await freePort();
    const session = await host.request("createSession", { body: { command: numbers } });
    const url = (since: number) =>
      `ws://127.0.0.1:${tcpPort}${apiBase}/sessions/${session.id}/attach?since=${since}`;
    const headers = { authorization: `Bearer ${token}` };
    const parts: Buffer[] = [];
    let offset = 0;
    const kills = Number(process.env.COTTY_TEST_KILLS ?? 6);
    for (let round = 0; round <= kills; round += 1) {
      const child = await startChild(dir.root, tcpPort);
      const viewer = new AttachClientDouble(url(offset), { headers });
      await viewer.until("resume", () => viewer.resume !== undefined);
      expect(viewer.resume?.at).toBe(offset);
      const before = viewer.offset;
      await viewer.until("some output", () => viewer.offset > before + 20_000, 20_000);
      await killed(child);
      await viewer.untilClosed();
      expect(viewer.closed?.code).toBe(1006);
      // `text` gathers what has come into `bytes`.
      expect(viewer.text.length).toBeGreaterThan(0);
      parts.push(Buffer.from(viewer.bytes));
      offset += viewer.bytes.length;
      viewer.dispose();
    }
    const lines = Buffer.concat(parts).toString("latin1").split("\r\n");
    lines.pop();
    expect(lines.length).toBeGreaterThan(1_000);
    expect(lines.findIndex((line, at) => line !== String(at))).toBe(-1);
    await host.request("closeSession", { params: { id: session.id }, query: { signal: "KILL" } });
  }, 180_000);

  it("[SE3] [SE4] a person signs in, creates, attaches by ticket, types; a revoked token's viewer hears 4401", async () => {
    const test: TestWeb = await startTestWeb({ host: host.host });
    try {
      const login = await test.login();
      const made = await test.call("POST", "/sessions", {
        headers: login.headers,
        body: { command: ["cat"] },
      });
      expect(made.status).toBe(201);
      const { id } = (await made.json()) as { id: string };
      const ticket = await test.ticket(login, id);
      const person = new AttachClientDouble(`ws://${test.host}${apiBase}/sessions/${id}/attach`, {
        headers: { cookie: login.cookie, origin: test.origin },
        protocols: ["cotty.v1", ticket],
      });
      await person.attached();
      expect(person.hello?.you).toMatchObject({ kind: "human", readonly: false });
      person.type("hello\r");
      await person.untilText("hello\r\nhello");

      const agent = createToken(test.store, { role: "agent", name: "bot" });
      const bot = new AttachClientDouble(`ws://${test.host}${apiBase}/sessions/${id}/attach`, {
        headers: { authorization: `Bearer ${agent.token}` },
      });
      await bot.attached();
      const started = performance.now();
      revokeCredential(test.store, agent.record.id);
      await bot.untilClosed();
      expect(bot.closed?.code).toBe(4401);
      expect(performance.now() - started).toBeLessThan(1_000);
      expect(person.closed).toBeUndefined();
      await test.web.close();
      await person.untilClosed();
      expect(person.closed?.code).toBe(1012);
      const kept = await host.request("getSession", { params: { id } });
      expect(kept.exited).toBe(false);
      await host.request("closeSession", { params: { id }, query: { signal: "KILL" } });
    } finally {
      await test.dispose();
    }
  });
});
