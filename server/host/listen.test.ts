import { request as httpRequest } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { type MemoryHost, openMemoryHost } from "#server/testing/memory-host.ts";

describe("the host's door", () => {
  let host: MemoryHost;
  beforeEach(async () => {
    host = await openMemoryHost();
  });
  afterEach(() => host.dispose());

  const head = (line: string, extra: Record<string, string> = {}) => {
    const all = { host: "x", connection: "close", ...host.headers(), ...extra };
    return `${line} HTTP/1.1\r\n${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("")}\r\n`;
  };
  const json = { "content-type": "application/json" };

  it.each([
    ["a target that is no path", "GET foo", {}],
    ["a Host that is no name", "GET /api/v1/me", { host: "a b/c@d" }],
    ["a whole address as target", "GET http://evil/api/v1/me", {}],
    ["a backslash", "GET /api\\v1\\me", {}],
    ["a NUL in the path", "GET /api/v1/sessions/%00", {}],
    ["a dotted path", "GET /api/v1/../v1/nope", {}],
    ["CONNECT", "CONNECT /api/v1/me", {}],
    ["TRACE", "TRACE /api/v1/me", {}],
    [
      "both lengths",
      "POST /api/v1/sessions",
      { ...json, "content-length": "2", "transfer-encoding": "chunked" },
    ],
    ["a bad length", "POST /api/v1/sessions", { ...json, "content-length": "-1" }],
  ])("[HT1] %s gets an answer or a closed connection, never 5xx", async (_name, line, extra) => {
    const reply = await host.exchange(head(line, extra));
    expect(reply).not.toMatch(/^HTTP\/1\.1 5/);
    if (/^HTTP\/1\.1 4/.test(reply)) expect(reply).toContain("application/problem+json");
    expect(host.faults).toEqual([]);
    expect(host.core.acts.filter(({ act }) => act === "create")).toEqual([]);
  });

  it("[HT2] headers over the limit are 431 and garbage is 400, as problems", async () => {
    expect(
      await host.exchange(head("GET /api/v1/me", { x: "a".repeat(5 * limits.headerBytes) })),
    ).toMatch(/^HTTP\/1\.1 431 [\s\S]*HEADERS_TOO_LARGE/);
    expect(await host.exchange("\u0016\u0003\u0001 hello\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*BAD_HEADERS/,
    );
  });

  it("[HT2] a declared 1 GB is refused before a byte of it is sent", async () => {
    const reply = await host.exchange(
      head("POST /api/v1/sessions", { ...json, "content-length": "1000000000" }),
    );
    expect(reply).toMatch(/^HTTP\/1\.1 413 [\s\S]*TOO_LARGE/);
  });

  it("[HT2] an endless chunked body is refused after 1 MiB and the connection ends", async () => {
    const before = process.memoryUsage().rss;
    let sent = 0;
    const chunk = Buffer.from(`10000\r\n${" ".repeat(65_536)}\r\n`);
    const flood = async () => {
      const socket = host.connect();
      let reply = "";
      let isClosed = false;
      socket.on("data", (data) => {
        reply += data.toString("latin1");
      });
      socket.on("error", () => {});
      socket.on("close", () => {
        isClosed = true;
      });
      const pump = () => {
        if (isClosed) return;
        sent += 65_536;
        if (socket.write(chunk)) setImmediate(pump);
        else socket.once("drain", pump);
      };
      socket.write(
        head("POST /api/v1/sessions", {
          ...json,
          "transfer-encoding": "chunked",
          connection: "keep-alive",
        }),
      );
      pump();
      await vi.waitFor(() => expect(isClosed).toBe(true), { timeout: 8_000, interval: 5 });
      expect(reply).toMatch(/^HTTP\/1\.1 413 [\s\S]*TOO_LARGE/);
    };
    await Promise.all(Array.from({ length: 20 }, flood));
    expect(sent / 20).toBeLessThan(16 * limits.bodyBytes);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect(host.core.acts).toEqual([]);
  });

  it("[HT2] an early refusal reaches a client that is still sending its body", async () => {
    for (let round = 0; round < 20; round += 1) {
      for (const line of ["POST /api/v1/sessions", "POST /api/v1/nope", "PUT /api/v1/me"]) {
        const body = "x".repeat(900_000);
        const extra = { "content-type": "text/plain", "content-length": String(body.length) };
        const reply = await host.exchange(head(line, extra) + body);
        expect(reply).toMatch(/^HTTP\/1\.1 4(15|04|05) [\s\S]*"code"/);
      }
    }
  });

  it("[HT2] after a refused body the next request on a kept connection is answered as itself", async () => {
    const reply = await host.exchange(
      head("POST /api/v1/sessions", {
        connection: "keep-alive",
        "content-type": "text/plain",
        "content-length": "13",
      }) +
        "GET /evil HTT" +
        head("GET /api/v1/me"),
    );
    expect(reply.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 415", "HTTP/1.1 200"]);
    expect(reply).not.toContain("/evil");
  });

  it("[T136] a client that goes away in the middle of its body harms nobody", async () => {
    for (let round = 0; round < 50; round += 1) {
      const socket = host.connect();
      socket.on("error", () => {});
      await new Promise<void>((resolve) => {
        socket.write(
          `${head("POST /api/v1/sessions", { ...json, "content-length": "100" })}{"na`,
          () => resolve(),
        );
      });
      socket.destroy();
    }
    const status = await new Promise<number>((resolve, reject) => {
      httpRequest(
        { socketPath: host.socketPath, path: "/api/v1/me", headers: host.headers() },
        (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        },
      )
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
    expect(host.core.acts.filter(({ act }) => act === "create")).toEqual([]);
    expect(host.faults).toEqual([]);
  });
});
