import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HostDouble, startHostDouble } from "#server/testing/host-double.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";
import { prefersMarkdown } from "./documents.ts";

let host: HostDouble;
let test: TestWeb;
beforeAll(async () => {
  host = await startHostDouble();
  test = await startTestWeb({ host });
});
afterAll(async () => {
  await test.dispose();
  await host.dispose();
});

describe("documents for programs", () => {
  it("[OP6] /openapi.json and /llms.txt answer without a credential and ask the host nothing", async () => {
    const openApi = await fetch(`${test.url}/openapi.json`);
    expect(openApi.headers.get("content-type")).toBe("application/json");
    expect(await openApi.json()).toMatchObject({ openapi: "3.1.0" });
    const guide = await fetch(`${test.url}/llms.txt`);
    expect(await guide.text()).toContain(`${test.url}/api/v1`);
    for (const answer of [openApi, guide]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    expect(host.calls).toEqual([]);
  });

  it("[OP6] [T01] the gate stands before them: foreign Host 403, other methods 405", async () => {
    for (const path of ["/openapi.json", "/llms.txt"]) {
      expect((await test.raw("GET", path, ["Host: evil.example"])).status).toBe(403);
      expect((await test.raw("POST", path)).status).toBe(405);
      expect((await test.raw("HEAD", path)).body).toBe("");
    }
  });

  it("[OP6] the root is the guide for who asks for markdown and the page for everybody else", async () => {
    const markdown = await fetch(`${test.url}/`, { headers: { accept: "text/markdown, */*" } });
    expect(await markdown.text()).toContain("# Cotty");
    const page = await fetch(`${test.url}/`, { headers: { accept: "text/html,*/*" } });
    expect(page.headers.get("content-type")).toContain("text/html");
  });

  it("[OP6] every 401 tells a stranger how to go on, and where the documents are", async () => {
    const refused = await fetch(`${test.url}/api/v1/sessions`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get("link")).toContain('</llms.txt>; rel="service-doc"');
    expect((await refused.json()).guide).toContain("cotty token create");
  });

  it.each([
    [undefined, false],
    ["text/html,application/xhtml+xml,*/*;q=0.8", false],
    ["text/markdown", true],
    ["text/markdown, text/html;q=0.5", true],
    ["text/html, text/markdown", false],
  ])("Accept %j: markdown %s", (accept, wanted) => {
    expect(prefersMarkdown(accept)).toBe(wanted);
  });
});
