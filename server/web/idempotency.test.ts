// IN6 over real connections: a retry after a lost answer, through web, types nothing twice.
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProbeSession } from "#server/testing/probe-session.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";

let host: TestHost;
let test: TestWeb;
beforeAll(async () => {
  host = await startTestHost();
  test = await startTestWeb({ host: host.host });
});
afterAll(async () => {
  await test.dispose();
  await host.dispose();
});

function post(path: string, body: unknown, key: string, token = test.agentToken) {
  return test.call("POST", path, { token, headers: { "idempotency-key": key }, body });
}

/** Sends the request and cuts the connection before an answer can be read. */
function postAndVanish(path: string, body: unknown, key: string): Promise<void> {
  const text = JSON.stringify(body);
  const lines = [
    `POST /api/v1${path} HTTP/1.1`,
    `Host: ${test.host}`,
    `Authorization: Bearer ${test.agentToken}`,
    `Idempotency-Key: ${key}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "",
    text,
  ];
  return new Promise((resolve) => {
    const socket = connect(test.tcpPort, "127.0.0.1", () => {
      socket.write(lines.join("\r\n"), () => socket.destroy());
    });
    socket.once("close", () => resolve());
  });
}

describe("Idempotency-Key through web", () => {
  it("[IN6] a retry after a cut connection is typed once, however often it comes", async () => {
    const session = await ProbeSession.start(host);
    const path = `/sessions/${session.id}/input`;
    for (let round = 0; round < 10; round++) {
      const body = { input: [{ text: `<${round}>` }, { key: "Enter" }], gap_ms: 0 };
      const received = await session.receivedText(async () => {
        await postAndVanish(path, body, `round-${round}`);
        // Whether the first one got through nobody can know; the retries make sure.
        for (let retry = 0; retry < 3; ) {
          const reply = await post(path, body, `round-${round}`);
          if (reply.status === 409) {
            expect(await reply.json()).toMatchObject({ code: "IDEMPOTENCY_BUSY" });
            continue;
          }
          expect([reply.status, await reply.json()]).toEqual([200, { written: 2 }]);
          retry += 1;
        }
      });
      expect(received).toBe(`<${round}>\r`);
    }
    await session.close();
  }, 60_000);

  it("[IN6] the key and the mark of a replayed answer pass web; another body is 422, another credential is another matter", async () => {
    const session = await ProbeSession.start(host);
    const path = `/sessions/${session.id}/input`;
    const body = { input: [{ text: "once" }] };
    const received = await session.receivedText(async () => {
      const first = await post(path, body, "k");
      expect(first.headers.get("idempotent-replayed")).toBeNull();
      const second = await post(path, body, "k");
      expect(second.headers.get("idempotent-replayed")).toBe("true");
      const other = await post(path, { input: [{ text: "other" }] }, "k");
      expect([other.status, await other.json()]).toMatchObject([
        422,
        { code: "IDEMPOTENCY_MISMATCH", hint: expect.any(String) },
      ]);
      // Another agent's: after a person's text the probe's end mark would have to wait.
      const another = test.token({ role: "agent" });
      const theirs = await post(path, { input: [{ text: "+another" }] }, "k", another);
      expect(theirs.status).toBe(200);
      expect(theirs.headers.get("idempotent-replayed")).toBeNull();
    });
    expect(received).toBe("once+another");
    await session.close();
  }, 60_000);

  it("[IN6] two creates with one key at the same time make one session", async () => {
    const before = (await host.request("listSessions")).sessions.length;
    const body = { command: ["cat"], name: "twin" };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => post("/sessions", body, "twins")),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0);
    expect(statuses.every((status) => status === 201 || status === 409)).toBe(true);
    const again = await post("/sessions", body, "twins");
    expect(again.status).toBe(201);
    const { id } = (await again.json()) as { id: string };
    const after = (await host.request("listSessions")).sessions;
    expect(after.length).toBe(before + 1);
    expect(after.at(-1)?.id).toBe(id);
    await host.request("closeSession", { params: { id }, query: { signal: "KILL" } });
  }, 60_000);
});
