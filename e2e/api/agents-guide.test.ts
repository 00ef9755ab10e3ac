// What an agent is told who knows nothing but the address, executed as it is written: the guide at /llms.txt, the README, and where they are found.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentGuide, shortGuide } from "#lib/protocol/documents/guide.ts";
import { newSessionId } from "#lib/protocol/ids.ts";
import { attachRoute } from "#lib/protocol/operations/attach-route.ts";
import { apiBase, type Operation } from "#lib/protocol/operations/operation.ts";
import { mcpRoute, operations } from "#lib/protocol/operations/table.ts";
import { rawHttp, rawRequest } from "#server/testing/raw-http.ts";
import { Server } from "../server.ts";
import { Caller } from "./caller.ts";

let server: Server;
let agent: Caller;

beforeAll(async () => {
  server = new Server();
  await server.start();
  agent = new Caller(server, await server.token("agent"));
});
afterAll(async () => {
  agent?.dispose();
  await server?.stop();
});

/** The one shell block in markdown. */
function shellBlock(markdown: string): string {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(
    ([, lines]) => lines ?? "",
  );
  expect(blocks).toHaveLength(1);
  return blocks[0] ?? "";
}

/** By bash, which stops at the first line that fails. */
function execute(script: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-e", "-o", "pipefail", "-c", script], {
      env: { ...process.env, HOME: server.stateDir, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    const take = (part: Buffer) => {
      text += part;
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.once("close", (code) =>
      code === 0 ? resolve(text) : reject(new Error(`bash ended with ${code}:\n${text}`)),
    );
  });
}

const credentials = () => ({ COTTY_URL: server.url, COTTY_TOKEN: agent.token });
const openSessions = async () =>
  (await agent.call<{ sessions: unknown[] }>("GET", "/sessions")).sessions.length;

describe("the guide", () => {
  it("[OP6] its lines run as written: a session, a sum typed into it, the answer on its screen, nothing left", async () => {
    const reply = await fetch(`${server.url}/llms.txt`);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([
      200,
      "text/markdown; charset=utf-8",
    ]);
    const guide = await reply.text();
    expect(guide.trimEnd().split("\n").length).toBeLessThanOrEqual(60);
    const script = shellBlock(guide);
    let said = await execute(script, credentials());
    expect(said).toMatch(/"written":2,"wait":\{"outcome":"command_done","confidence":"marker"/);
    expect(said).toContain('"text":"42\\n"');
    // The compact view's form of a row that has nothing else in it.
    expect(said).toMatch(/\\n\d+\|42(?:\\n|")/);
    expect(await openSessions()).toBe(0);
    // Without an address in the environment it uses the one that it was read from.
    expect(script).toContain(`:-${server.url}}`);
    said = await execute(script, { COTTY_TOKEN: agent.token });
    expect(said).toContain('"exit_code":0');
    expect(await openSessions()).toBe(0);
  });

  it("[OP6] the README's lines for agents run as written", async () => {
    const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
    const chapter = readme.split("\n## ").find((part) => part.startsWith("Connect an agent\n"));
    const said = await execute(shellBlock(chapter ?? ""), credentials());
    expect(said).toMatch(/"written":2,"wait":\{"outcome":"command_done"/);
    expect(said).toMatch(/"lines":\[".*"cols":100,"rows":30/);
    expect(await openSessions()).toBe(0);
  });
});

describe("the way to it", () => {
  it("[OP6] the root is the guide for who prefers markdown, and the dashboard for browsers", async () => {
    const root = async (accept: string) => {
      const reply = await fetch(server.url, { headers: { accept } });
      return { type: reply.headers.get("content-type") ?? "", text: await reply.text(), reply };
    };
    for (const accept of ["text/markdown", "text/markdown, text/html;q=0.9, */*;q=0.1"]) {
      const { type, text, reply } = await root(accept);
      expect([reply.status, type]).toEqual([200, "text/markdown; charset=utf-8"]);
      expect(text).toBe(agentGuide(server.url));
      expect(reply.headers.get("link")).toContain("</openapi.json>");
      expect(reply.headers.get("vary")).toMatch(/accept/i);
    }
    for (const accept of ["text/html,application/xhtml+xml,*/*;q=0.8", "*/*"]) {
      const { type } = await root(accept);
      expect(type).toMatch(/^text\/html/);
    }
  });

  it("[OP6] the links lead to documents that are there, by the name that the caller used", async () => {
    const reply = await fetch(`${server.url}/llms.txt`);
    const targets = [...(reply.headers.get("link") ?? "").matchAll(/<([^>]+)>/g)];
    expect(targets.length).toBeGreaterThanOrEqual(2);
    for (const [, target = ""] of targets)
      expect([target, (await fetch(server.url + target)).status]).toEqual([target, 200]);
    const local = await (await fetch(`http://localhost:${server.port}/llms.txt`)).text();
    expect(local).toContain(`http://localhost:${server.port}/api/v1`);
  });

  it("[HT1] [OP6] every 401 has the short guide and the links", async () => {
    const routes = [
      ...(Object.values(operations) as Operation[])
        .filter(({ action }) => action !== "public")
        .map(({ method, path }) => [
          method,
          apiBase + path.replace("{id}", newSessionId()).replace("{index}", "latest"),
          [],
        ]),
      ["GET", apiBase + attachRoute.path.replace("{id}", newSessionId()), upgrade],
      [mcpRoute.method, mcpRoute.path, []],
    ] as [string, string, string[]][];
    for (const [method, path, headers] of routes) {
      const request = rawRequest(method, path, [`Host: 127.0.0.1:${server.port}`, ...headers]);
      const answer = await rawHttp(server.port, request);
      expect([method, path, answer.status]).toEqual([method, path, 401]);
      expectGuide(answer.body, answer.headers.get("link"), answer.headers.get("www-authenticate"));
    }
    const wrong = await agent.raw("GET", "/me", undefined, { authorization: "Bearer wrong" });
    const used = await agent.raw("POST", "/login", { code: "wrong" });
    for (const reply of [wrong, used]) {
      expect(reply.status).toBe(401);
      const { headers } = reply;
      expectGuide(await reply.text(), headers.get("link"), headers.get("www-authenticate"));
    }
  });
});

const upgrade = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
  "Sec-WebSocket-Protocol: cotty.v1",
];

function expectGuide(
  body: string,
  link: string | null | undefined,
  scheme: string | null | undefined,
) {
  expect(JSON.parse(body)).toMatchObject({ status: 401, guide: shortGuide });
  expect(link).toContain("</llms.txt>");
  expect(scheme).toBe("Bearer");
}
