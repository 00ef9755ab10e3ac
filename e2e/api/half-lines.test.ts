// Every way to leave half a line behind, in real shells, while an agent waits for its turn (DR1-DR3). All at once: what takes the time is that
// nothing happens. The countdown is one second here.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#lib/protocol/actor.ts";
import type { Problem } from "#lib/protocol/errors.ts";
import { apiBase } from "#lib/protocol/operations/operation.ts";
import { wholeScreen } from "#lib/protocol/screen.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import { fishHome } from "#server/testing/fish-home.ts";
import { startTestHost, type TestHost, testAgent, testOwner } from "#server/testing/test-host.ts";
import { until } from "./caller.ts";
import { type HalfLine, over, type ShellName, standing } from "./half-lines.ts";

let host: TestHost;
let folder: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cotty-half-lines-")));
  host = await startTestHost({ leaseIdleMs: 1_000, maxSessions: 128 });
});
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const shells: [string, ShellName, CreateSession][] = [
  ["bash", "bash", { command: ["bash", "--norc"] }],
  ["bash without markers", "bash", { command: ["bash", "--norc"], integration: "off" }],
  ["zsh", "zsh", { command: ["zsh"] }],
  ["zsh without markers", "zsh", { command: ["zsh"], integration: "off" }],
  ["fish", "fish", { command: ["fish", "--no-config"] }],
  ["fish without markers", "fish", { command: ["fish", "--no-config"], integration: "off" }],
  ["dash", "dash", { command: ["dash"] }],
];
const ls = { input: [{ text: "ls" }, { key: "Enter" }] };

/** A shell in a folder where `rm -rf ls` would be seen, in which a person typed it. */
async function typed(line: HalfLine, request: CreateSession, actor: Actor) {
  const cwd = mkdtempSync(join(folder, "at-"));
  fishHome(cwd, cwd);
  mkdirSync(join(cwd, "ls"));
  writeFileSync(join(cwd, "kept"), "");
  writeFileSync(join(cwd, "many"), "line\n".repeat(100));
  writeFileSync(join(cwd, ".zshrc"), "PS1='$ '\nbindkey -e\n");
  const env = { PS1: "$ ", HOME: cwd, XDG_DATA_HOME: cwd };
  const { id } = await host.request("createSession", {
    body: { cols: 120, ...request, cwd, env },
  });
  const params = { id };
  const viewer = host.attach(id, { actor });
  await viewer.until("hello", () => viewer.hello !== undefined);
  const lines = async () =>
    wholeScreen(await host.request("readScreen", { params })).lines.join("\n");
  const shows = (text: RegExp) =>
    until(`${text} on the screen`, async () => text.test(await lines())).catch(async (error) => {
      throw new Error(`${error.message}; there is\n${await lines()}`);
    });
  const send = async (body: object) => {
    const url = `${apiBase}/sessions/${id}/input`;
    const reply = await host.raw("POST", url, { actor: testAgent, body });
    return reply.status === 200 ? "typed" : (reply.json() as Problem);
  };
  const handBack = () => host.request("changeLease", { params, body: { action: "hand_back" } });
  const lease = () => host.request("readLease", { params, actor: testAgent });
  const close = async () => {
    viewer.socket.terminate();
    await host.request("closeSession", { params, query: { signal: "KILL" } });
  };

  await shows(/[$%>#] ?$/m);
  const { integration } = await host.request("getSession", { params });
  const isAnnouncing = request.integration !== "off" && request.command?.[0] !== "dash";
  expect(/^osc/.test(integration)).toBe(isAnnouncing);
  for (const step of line.steps)
    if (typeof step === "string") viewer.type(step);
    else await shows(step);
  return { shows, send, handBack, lease, close, isKept: () => existsSync(join(cwd, "ls")) };
}

async function each(
  lines: readonly HalfLine[],
  shell: ShellName,
  request: CreateSession,
  run: (at: Awaited<ReturnType<typeof typed>>) => Promise<void>,
) {
  const fitting = lines.filter(({ not }) => !not?.includes(shell));
  // So many viewers of one person would be too many.
  const actor = { ...testOwner, id: randomUUID() };
  const answers = await Promise.allSettled(
    fitting.map(async (line) => {
      const at = await typed(line, request, actor);
      await run(at);
      await at.close();
    }),
  );
  const failures = answers.flatMap((answer, at) =>
    answer.status === "rejected" ? [`${fitting[at]?.name}: ${answer.reason}`] : [],
  );
  expect(failures.join("\n")).toBe("");
}

describe("half a line", () => {
  it.each(shells)(
    "[DR1] [DR2] [DR3] [LS5] %s keeps what a person began, however they began it, until the agent clears it whole, and nothing that is over",
    async (_name, shell, request) => {
      await Promise.all([
        each(standing, shell, request, async (at) => {
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          expect(await at.send(ls)).toMatchObject({ code: "DRAFT_PENDING" });
          expect(await at.lease()).toMatchObject({ until: null, draft: {} });
          await at.handBack();
          expect(await at.send(ls)).toMatchObject({ code: "DRAFT_PENDING" });
          expect(await at.send({ ...ls, if_draft: "clear" })).toBe("typed");
          await at.shows(/kept\s+ls\W\s*many/);
          expect(at.isKept()).toBe(true);
        }),
        // A draft would keep it for a minute, six times longer than is waited here.
        each(over, shell, request, (at) =>
          until("a write of the agent", async () => (await at.send(ls)) === "typed"),
        ),
      ]);
    },
    60_000,
  );
});
