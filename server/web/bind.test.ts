import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { request as httpsRequest } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostDouble, startHostDouble } from "#server/testing/host-double.ts";
import { isListening, startTestWeb } from "#server/testing/test-web.ts";
import { bindRefusal, isLoopback } from "./bind.ts";
import { startWeb } from "./start.ts";

let host: HostDouble;
beforeAll(async () => {
  host = await startHostDouble();
});
afterAll(() => host.dispose());

async function freePort(): Promise<number> {
  const probe = createTcpServer();
  await new Promise<void>((resolve) => probe.listen(0, "127.0.0.1", resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

describe("where web listens", () => {
  it("[SE1] [T08] a bind beyond this machine without its flags opens nothing and names them all", async () => {
    const tcpPort = await freePort();
    const started = performance.now();
    const bare = startWeb({ state: host.dir, siteFolder: null, bind: "0.0.0.0", tcpPort });
    await expect(bare).rejects.toThrow(/--allow-host NAME.*--tls-cert FILE.*--behind-tls/);
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(await isListening(tcpPort)).toBe(false);
  });

  it("[SE1] what is missing is named, and only that", () => {
    const wish = {
      bind: "0.0.0.0",
      tcpPort: 1,
      allowHosts: ["x"],
      hasTls: false,
      behindTls: false,
    };
    expect(bindRefusal(wish)).toMatch(/Missing: --tls-cert FILE/);
    expect(bindRefusal({ ...wish, allowHosts: [], behindTls: true })).toMatch(
      /Missing: --allow-host NAME$/,
    );
    expect(bindRefusal({ ...wish, hasTls: true })).toBeNull();
    expect(bindRefusal({ ...wish, behindTls: true })).toBeNull();
    expect(bindRefusal({ ...wish, bind: "127.0.0.1", allowHosts: [] })).toBeNull();
    for (const address of [
      "0.0.0.0",
      "::",
      "192.168.1.2",
      "localhost.evil.com",
      "127.evil.com",
      "",
    ])
      expect(isLoopback(address), address).toBe(false);
    for (const address of ["127.0.0.1", "127.1.2.3", "::1", "localhost"])
      expect(isLoopback(address), address).toBe(true);
  });

  it("[T09] a port that was asked for and is taken is an error; otherwise the next free one is used", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    await expect(startTestWeb({ host, tcpPort: port })).rejects.toThrow(`port ${port}`);
    taken.close();
    const first = await startWeb({ state: host.dir, siteFolder: null });
    const second = await startWeb({ state: host.dir, siteFolder: null });
    try {
      expect(first.tcpPort).toBeGreaterThanOrEqual(7070);
      expect(second.tcpPort).toBeGreaterThan(first.tcpPort);
      expect(second.url).toBe(`http://127.0.0.1:${second.tcpPort}`);
      expect((await fetch(`${second.url}/health`)).status).toBe(200);
    } finally {
      await first.close();
      await second.close();
    }
  });

  it("[SE5] the record of web is its owner's only", async () => {
    const test = await startTestWeb({ host });
    expect(statSync(host.dir.webRecord).mode & 0o777).toBe(0o600);
    await test.dispose();
  });

  it("[T07] [T41] with TLS the Host is still checked and the cookie is __Host- and Secure", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cotty-tls-"));
    const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const options = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost".split(" ");
    execFileSync("openssl", [...options, "-keyout", keyFile, "-out", certFile], {
      stdio: "ignore",
    });
    const tls = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
    const web = await startWeb({ state: host.dir, siteFolder: null, tcpPort: 0, tls });
    const { createLoginCode } = await import("#server/state/credential-store.ts");
    const { systemClock } = await import("#lib/base/clock.ts");
    const get = (method: string, path: string, headers: Record<string, string>, body?: string) =>
      new Promise<{ status: number; cookie: string }>((resolve, reject) => {
        const options = { port: web.tcpPort, method, path, headers, rejectUnauthorized: false };
        httpsRequest({ host: "127.0.0.1", ...options }, (reply) => {
          reply.resume();
          const cookie = reply.headers["set-cookie"]?.[0] ?? "";
          reply.on("end", () => resolve({ status: reply.statusCode ?? 0, cookie }));
        })
          .on("error", reject)
          .end(body);
      });
    try {
      const host_ = `localhost:${web.tcpPort}`;
      expect((await get("GET", "/health", { host: host_ })).status).toBe(200);
      expect((await get("GET", "/health", { host: "evil.example" })).status).toBe(403);
      const store = { folder: host.dir.credentials, clock: systemClock };
      const { code } = createLoginCode(store, { name: "Olga" });
      const json = { host: host_, "content-type": "application/json" };
      const body = JSON.stringify({ code });
      const foreign = { ...json, origin: `http://${host_}` };
      expect((await get("POST", "/api/v1/login", foreign, body)).status).toBe(403);
      const login = await get(
        "POST",
        "/api/v1/login",
        { ...json, origin: `https://${host_}` },
        body,
      );
      expect(login.cookie).toMatch(
        new RegExp(`^__Host-cotty_${web.tcpPort}=.*Path=/; HttpOnly; SameSite=Strict; Secure$`),
      );
    } finally {
      await web.close();
      rmSync(folder, { recursive: true });
    }
  });
});
