import { describe, expect, it } from "vitest";
import { type ErrorCode, TermError, toProblem } from "#lib/protocol/errors.ts";
import { createCredentials, takeLoginCode } from "./credentials.ts";
import { browserKeyValue, memoryKeyValue } from "./key-value.ts";

function withServer(reply: () => Response) {
  const keyValue = memoryKeyValue();
  const bodies: string[] = [];
  const credentials = createCredentials({
    keyValue,
    baseUrl: "",
    fetch: async (_, init) => {
      bodies.push(String(init?.body));
      return reply();
    },
  });
  const seen: string[] = [];
  credentials.onChange((state) => seen.push(state));
  return { credentials, keyValue, bodies, seen };
}

const refusal = (code: ErrorCode, status: number) => () =>
  Response.json(toProblem(new TermError(code, "no", { retryAfterMs: 1_500 }), "r-9"), { status });

describe("credentials", () => {
  it("[SE3] trades the code for a key, keeps it and sends it", async () => {
    const { credentials, keyValue, bodies, seen } = withServer(() => Response.json({ key: "k1" }));
    expect(credentials.state()).toBe("signed_out");
    expect(credentials.headers()).toEqual({});
    expect(await credentials.login("abc")).toEqual({ kind: "signed_in" });
    expect(bodies).toEqual(['{"code":"abc"}']);
    expect(keyValue.get("cotty.key")).toBe("k1");
    expect(credentials.headers()).toEqual({ "x-cotty-key": "k1" });
    expect(seen).toEqual(["signed_in"]);
  });

  it.each([
    ["LOGIN_CODE_INVALID", 401, { kind: "link_used_or_expired" }],
    ["TOO_MANY_ATTEMPTS", 429, { kind: "too_many_attempts", retryAfterMs: 1_500 }],
    ["ORIGIN_NOT_ALLOWED", 403, { kind: "refused", detail: "no", instance: "r-9" }],
  ] as const)("says what became of a login refused with %s", async (code, status, outcome) => {
    const { credentials } = withServer(refusal(code, status));
    expect(await credentials.login("abc")).toEqual(outcome);
    expect(credentials.state()).toBe("signed_out");
  });

  it("[SE4] forgets the key when the server does", async () => {
    const { credentials, keyValue, seen } = withServer(() => Response.json({ key: "k1" }));
    await credentials.login("abc");
    credentials.lost();
    credentials.lost();
    expect(keyValue.get("cotty.key")).toBeNull();
    expect(seen).toEqual(["signed_in", "signed_out"]);
  });

  it("forgets the key at logout although the server is away", async () => {
    const keyValue = memoryKeyValue();
    keyValue.set("cotty.key", "k1");
    const credentials = createCredentials({
      keyValue,
      baseUrl: "",
      fetch: () => Promise.reject(new TypeError("offline")),
    });
    expect(credentials.state()).toBe("unknown");
    await credentials.logout();
    expect(keyValue.get("cotty.key")).toBeNull();
    expect(credentials.state()).toBe("signed_out");
  });
});

describe("login code", () => {
  function at(href: string) {
    const url = new URL(href);
    const replaced: string[] = [];
    const view = {
      location: { hash: url.hash, pathname: url.pathname, search: url.search },
      history: {
        state: null,
        replaceState: (_: unknown, __: string, to: string) => replaced.push(to),
      },
    };
    return { code: takeLoginCode(view as never), replaced };
  }

  it.each([
    ["http://h/welcome/#AbC-123_456", "AbC-123_456"],
    ["http://h/welcome/?x=1#code=AbC-123_456", "AbC-123_456"],
  ])("[SE3] takes the code of %s and removes it from the history at once", (href, code) => {
    const found = at(href);
    expect(found.code).toBe(code);
    expect(found.replaced).toHaveLength(1);
    expect(found.replaced[0]).not.toContain("123");
    expect(found.replaced[0]).toMatch(/^\/welcome\/(\?x=1)?$/);
  });

  it("leaves other fragments alone", () => {
    expect(at("http://h/#t=83")).toEqual({ code: null, replaced: [] });
    expect(at("http://h/")).toEqual({ code: null, replaced: [] });
  });
});

describe("browser storage", () => {
  function view(setItem: () => void): Window {
    const localStorage = { getItem: () => "old", setItem, removeItem() {} };
    return Object.assign(new EventTarget(), { localStorage }) as never;
  }

  it("says once that nothing will be remembered, and stays consistent in this window", () => {
    let troubles = 0;
    const full = view(() => {
      throw new DOMException("full", "QuotaExceededError");
    });
    const keyValue = browserKeyValue(full, () => {
      troubles += 1;
    });
    expect(keyValue.get("a")).toBe("old");
    keyValue.set("a", "new");
    keyValue.set("b", "x");
    expect(troubles).toBe(1);
    expect(keyValue.get("a")).toBe("new");
  });

  it("works where the browser forbids storage altogether", () => {
    const forbidden = Object.defineProperty(new EventTarget(), "localStorage", {
      get() {
        throw new DOMException("denied", "SecurityError");
      },
    }) as never;
    const keyValue = browserKeyValue(forbidden, () => {});
    expect(keyValue.get("a")).toBeNull();
    keyValue.set("a", "1");
    expect(keyValue.get("a")).toBe("1");
    keyValue.remove("a");
    expect(keyValue.get("a")).toBeNull();
  });
});
