import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostDouble, startHostDouble } from "#server/testing/host-double.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";
import { pageCsp } from "./csp.ts";

const inline = 'self.__next_f.push([1,"<b>"])';
const html = `<!doctype html><script src="/_next/static/a.js"></script><script>${inline}</script>`;
let folder: string;
let host: HostDouble;
let test: TestWeb;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cotty-site-"));
  const secret = join(folder, "..", "cotty-secret.txt");
  writeFileSync(secret, "outside");
  const site: Record<string, string> = {
    "out/index.html": html,
    "out/s/index.html": `${html}s`,
    "out/welcome/index.html": `${html}w`,
    "out/docs/index.html": html,
    "out/404.html": html,
    "out/_next/static/a.js": "x".repeat(5_000),
    "out/icon.svg": "<svg/>",
    "out/.env": "hidden",
    "package.json": "{}",
  };
  for (const [path, text] of Object.entries(site)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  symlinkSync(secret, join(folder, "out/link.txt"));
  symlinkSync(folder, join(folder, "out/up"));
  host = await startHostDouble();
  test = await startTestWeb({ host, siteFolder: join(folder, "out") });
});
afterAll(async () => {
  await test.dispose();
  await host.dispose();
  rmSync(folder, { recursive: true });
  rmSync(join(folder, "..", "cotty-secret.txt"));
});

describe("the static site", () => {
  it("[SE1] pages need no credential and are not stored; hashed assets are kept for ever", async () => {
    for (const path of ["/", "/s/", "/s/?id=abc", "/s", "/welcome/", "/docs/"]) {
      const reply = await fetch(test.origin + path);
      expect(reply.status, path).toBe(200);
      expect(reply.headers.get("cache-control")).toBe("no-store");
      expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
    }
    const asset = await fetch(`${test.origin}/_next/static/a.js`);
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(await asset.text()).toHaveLength(5_000);
    const icon = await fetch(`${test.origin}/icon.svg`);
    const etag = icon.headers.get("etag") ?? "";
    const again = await test.raw("GET", "/icon.svg", [`If-None-Match: ${etag}`]);
    expect(again.status).toBe(304);
    const head = await test.raw("HEAD", "/");
    expect([head.status, head.body]).toEqual([200, ""]);
  });

  it("[SE6] [T22] each page allows its own inline scripts by hash, and no others", async () => {
    const reply = await fetch(`${test.origin}/`);
    const csp = reply.headers.get("content-security-policy") ?? "";
    const hash = createHash("sha256").update(inline).digest("base64");
    expect(csp).toContain(`script-src 'self' 'sha256-${hash}';`);
    expect(csp.match(/script-src[^;]*/)?.[0]).not.toContain("unsafe");
    expect(csp).toContain("frame-ancestors 'none'");
    expect(csp.match(/sha256-/g)).toHaveLength(1);
    expect(
      pageCsp("<script id=a>x</script><script  defer src=y></script>").match(/sha256-/g),
    ).toHaveLength(1);
  });

  it("[T135] links, hidden files and whatever lies outside the folder do not exist", async () => {
    const paths = [
      "/link.txt",
      "/up/package.json",
      "/.env",
      "/../package.json",
      "/_next/static/../../../package.json",
      "/%2e%2e/package.json",
      "/..%2fpackage.json",
      "/_next/static",
      "/constructor",
      "/__proto__",
    ];
    for (const path of paths) {
      const answer = await test.raw("GET", path);
      expect(answer.status, path).toBe(404);
      expect(answer.body).not.toContain("outside");
    }
  });

  it("a wrong address is a page for people and a problem for programs, 404 for both", async () => {
    const page = await test.raw("GET", "/wrong", ["Accept: text/html,*/*"]);
    expect([page.status, page.headers.get("content-type")]).toEqual([
      404,
      "text/html; charset=utf-8",
    ]);
    const problem = await test.raw("GET", "/wrong", ["Accept: */*"]);
    expect([problem.status, JSON.parse(problem.body).code]).toEqual([404, "NOT_FOUND"]);
    const api = await test.raw("GET", "/api/v1/wrong", ["Accept: text/html"]);
    expect([api.status, JSON.parse(api.body).code]).toEqual([404, "NOT_FOUND"]);
    const rebound = await test.raw("GET", "/wrong", ["Host: evil.example", "Accept: text/html"]);
    expect([rebound.status, JSON.parse(rebound.body).code]).toEqual([403, "HOST_NOT_ALLOWED"]);
  });

  it("compresses what shrinks, for those who ask", async () => {
    const plain = await test.raw("GET", "/_next/static/a.js");
    expect(plain.headers.get("content-encoding")).toBeUndefined();
    const squeezed = await fetch(`${test.origin}/_next/static/a.js`, {
      headers: { "accept-encoding": "gzip" },
    });
    expect(squeezed.headers.get("content-encoding")).toBe("gzip");
    expect(await squeezed.text()).toHaveLength(5_000);
  });

  it("without a build every page says so and the API still works", async () => {
    const bare = await startTestWeb({ host, siteFolder: join(folder, "missing") });
    try {
      const reply = await fetch(`${bare.origin}/s/?id=x`);
      expect(reply.status).toBe(503);
      expect(await reply.text()).toContain("npm run build");
      expect((await bare.call("GET", "/sessions", { token: bare.ownerToken })).status).toBe(200);
    } finally {
      await bare.dispose();
    }
  });
});
