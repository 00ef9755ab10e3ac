import { describe, expect, it } from "vitest";
import { TermError, toProblem } from "#lib/protocol/errors.ts";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import { createApiClient } from "./api-client.ts";
import { ApiError } from "./api-error.ts";

interface Sent {
  url: string;
  init: RequestInit;
}

function client(reply: () => Response | Promise<Response>) {
  const sent: Sent[] = [];
  let lost = 0;
  const api = createApiClient({
    baseUrl: "http://127.0.0.1:1",
    headers: () => ({ "x-cotty-key": `key${sent.length}` }),
    fetch: async (url, init) => {
      sent.push({ url: String(url), init: init ?? {} });
      return reply();
    },
    onUnauthenticated: () => {
      lost += 1;
    },
  });
  return { api, sent, lost: () => lost };
}

const json = (body: unknown, status = 200) => Response.json(body, { status });
const id = "abcdefghijklmnopqrstuvwxyz";

async function failure(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe("api client", () => {
  it("builds path, query and body from the table, and asks for the headers anew each time", async () => {
    const { api, sent } = client(() => json(sessionInfo(), 201));
    const created = await api.createSession({ body: { name: "build" } });
    expect(created.id).toBe(id);
    await api.closeSession({ params: { id }, query: { signal: "KILL" } }).catch(() => {});
    expect(sent[0]?.url).toBe("http://127.0.0.1:1/api/v1/sessions");
    expect(sent[0]?.init.method).toBe("POST");
    expect(sent[0]?.init.body).toBe('{"name":"build"}');
    expect(sent[1]?.url).toBe(`http://127.0.0.1:1/api/v1/sessions/${id}?signal=KILL`);
    expect(sent[1]?.init.body).toBeUndefined();
    const keys = sent.map(({ init }) => new Headers(init.headers).get("x-cotty-key"));
    expect(keys).toEqual(["key0", "key1"]);
  });

  it("encodes what stands in the path", async () => {
    const { api, sent } = client(() => json(sessionInfo()));
    await api.getSession({ params: { id: "../login?x" } });
    expect(sent[0]?.url).toBe("http://127.0.0.1:1/api/v1/sessions/..%2Flogin%3Fx");
  });

  it("[HT1] throws the server's problem", async () => {
    const problem = toProblem(new TermError("SESSION_EXITED", "session x has exited"), "r-1");
    const error = await failure(
      client(() => json(problem, 409)).api.getSession({ params: { id } }),
    );
    expect(error.failure).toEqual({ kind: "refused", problem });
    expect(error.code).toBe("SESSION_EXITED");
    expect(error.message).toBe("session x has exited");
  });

  it("[SE3] tells of a lost credential, but not of a wrong login code", async () => {
    const unknown = toProblem(new TermError("UNAUTHENTICATED", "sign in"), "r");
    const asked = client(() => json(unknown, 401));
    await failure(asked.api.me());
    expect(asked.lost()).toBe(1);
    const wrong = toProblem(new TermError("LOGIN_CODE_INVALID", "used"), "r");
    const login = client(() => json(wrong, 401));
    await failure(login.api.login({ body: { code: "c" } }));
    expect(login.lost()).toBe(0);
  });

  it("keeps a refusal whose code it does not know", async () => {
    const newer = { ...toProblem(new TermError("FORBIDDEN", "later"), "r"), code: "LATER_CODE" };
    const error = await failure(client(() => json(newer, 403)).api.me());
    expect(error.failure).toMatchObject({
      kind: "refused",
      problem: { status: 403, detail: "later" },
    });
  });

  it.each([
    ["no network", () => Promise.reject(new TypeError("failed to fetch"))],
    ["a proxy's page", () => new Response("<h1>502</h1>", { status: 502 })],
  ])("calls the server unreachable after %s", async (_, reply) => {
    expect((await failure(client(reply).api.me())).failure.kind).toBe("unreachable");
  });

  it("says when it does not understand the answer, and ignores fields it does not know", async () => {
    const { api } = client(() => json({ sessions: [{ id: 1 }] }));
    const error = await failure(api.listSessions());
    expect(error.failure.kind).toBe("unreadable");
    expect(error.message).toContain("list_sessions");
    const newer = client(() => json({ sessions: [{ ...sessionInfo(), tomorrow: {} }], more: 1 }));
    expect((await newer.api.listSessions()).sessions).toEqual([sessionInfo()]);
  });

  it("passes the caller's own abort on as such", async () => {
    const abort = new AbortController();
    const { api } = client(() => {
      abort.abort();
      return Promise.reject(new DOMException("aborted", "AbortError"));
    });
    await expect(api.me({ signal: abort.signal })).rejects.toThrow("aborted");
    await expect(api.me({ signal: abort.signal })).rejects.not.toBeInstanceOf(ApiError);
  });
});
