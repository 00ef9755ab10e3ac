// Web of this version with a host of an earlier one (HO7): what that host knows works, and what it does not know is refused by name.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiClient } from "#lib/client/api-client.ts";
import { ApiError } from "#lib/client/api-error.ts";
import { startOlderHost } from "../fixtures/older-host.ts";
import { Server } from "../server.ts";

const server = new Server();
let token = "";
const api = () =>
  createApiClient({ baseUrl: server.url, headers: () => ({ authorization: `Bearer ${token}` }) });

beforeAll(async () => {
  await startOlderHost("host-2026-11-30.js.gz", server.stateDir);
  await server.start();
  token = await server.token();
}, 60_000);
afterAll(() => server.stop());

describe("web with the host of the version before", () => {
  it("[HO7] finds it, and drives a terminal in it with today's client", async () => {
    const client = api();
    const made = await client.createSession({ body: { command: ["bash", "--norc"] } });
    // What the older host does not tell has the value that was true of it.
    expect(made).toMatchObject({ access: "collaborate", integration: "none", last_command: null });
    expect(made.lease).toMatchObject({ holder: "agent", epoch: 0 });
    const input = [{ text: "echo $((6*7))-from-the-past" }, { key: "Enter" }];
    await client.writeInput({ params: { id: made.id }, body: { input } });
    await expect
      .poll(async () => {
        const screen = await client.readScreen({ params: { id: made.id } });
        return "lines" in screen ? screen.lines : [];
      })
      .toContain("42-from-the-past");
    const { sessions } = await client.listSessions();
    expect(sessions.map(({ id }) => id)).toEqual([made.id]);
    const capsule = await client.readCapsule();
    expect(capsule.text).toContain(made.id);
    await client.closeSession({ params: { id: made.id } });
  });

  it("[HO7] what it cannot do is refused as not found, and nothing else breaks", async () => {
    const client = api();
    const made = await client.createSession();
    const params = { id: made.id };
    const calls = {
      wait: () => client.waitSession({ params, body: { timeout_ms: 0 } }),
      act: () => client.act({ params, body: { input: [{ key: "Enter" }] } }),
      commands: () => client.listCommands({ params }),
      output: () => client.readOutput({ params }),
      lease: () => client.readLease({ params }),
      access: () => client.setAccess({ params, body: { level: "sealed" } }),
    };
    for (const [name, call] of Object.entries(calls)) {
      const error = await call().then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error, name).toBeInstanceOf(ApiError);
      expect((error as ApiError).failure, name).toMatchObject({
        kind: "refused",
        problem: { code: "NOT_FOUND", status: 404 },
      });
    }
    await client.closeSession({ params });
    const me = await client.me();
    expect(me.server.terminals).toMatchObject({ state: "ready" });
  });

  it("[HO7] [HO1] a web that is killed and started again finds the same host and its sessions", async () => {
    const { id } = await api().createSession();
    await server.killWeb();
    await server.start();
    expect((await api().getSession({ params: { id } })).id).toBe(id);
  });
});
