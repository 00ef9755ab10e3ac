// The hand-over over the wire, from a real bash: what an agent is told after a person had the keyboard.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Handover } from "#lib/protocol/lease.ts";
import { startTestHost, type TestHost, testAgent } from "#server/testing/test-host.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.dispose());

/** A shell, with a person who types lines and waits for a text after each. */
async function shell(integration: "auto" | "off") {
  const body = { command: ["/bin/bash", "--norc", "-i"], cwd: "/usr", integration };
  const { id } = await host.request("createSession", {
    body: { ...body, env: { PS1: "ready$ " } },
  });
  const viewer = host.attach(id, { query: "?since=0" });
  await viewer.until("the prompt", () => viewer.text.includes("ready$ "));
  const type = async (line: string, until: string) => {
    viewer.type(`${line}\r`);
    await viewer.until(until, () => viewer.text.includes(until));
  };
  const handBack = () =>
    host.request("changeLease", { params: { id }, body: { action: "hand_back" } });
  const ask = { params: { id }, actor: testAgent };
  return { id, type, handBack, ask };
}

describe("what an agent is told after a person had the keyboard", () => {
  it("[AU4] [JR2] [LS6] commands with their ends, where they led, and what is left open; once", async () => {
    const { type, handBack, ask } = await shell("auto");
    await type("cd /tmp && echo went-$((1 + 1))", "went-2");
    await type("sh -c 'echo failed-$((1 + 2)); exit 3'", "failed-3");
    await type("cat", "cat");
    await host.request("waitSession", {
      ...ask,
      actor: { ...testAgent, kind: "human", role: "owner", id: "olga2" },
      body: { for: [{ phase: "waiting_input" }], timeout_ms: 10_000 },
    });
    await handBack();
    const reply = await host.request("readOutput", { ...ask, query: { since: "start" } });
    expect(reply.handover).toMatchObject({
      by: ["Olga"],
      commands: [
        { command: "cd /tmp && echo went-$((1 + 1))", exit_code: 0 },
        { command: "sh -c 'echo failed-$((1 + 2)); exit 3'", exit_code: 3 },
        { command: "cat", exit_code: null },
      ],
      cwd_from: "/usr",
      cwd_to: "/tmp",
      open_program: "cat",
    } satisfies Partial<Handover>);
    expect(reply.handover?.lines_of_output).toBeGreaterThanOrEqual(5);
    const again = await host.request("readScreen", ask);
    expect("handover" in again).toBe(false);
  });

  it("[AU4] says that it does not know the commands of a shell without marks", async () => {
    const { type, handBack, ask } = await shell("off");
    await type("cd / && echo went-$((1 + 1))", "went-2");
    await handBack();
    const verdict = await host.request("waitSession", {
      ...ask,
      body: { for: [{ keyboard: true }], timeout_ms: 0 },
    });
    expect(verdict.handover).toMatchObject({ by: ["Olga"], commands: null, cwd_from: "/usr" });
  });
});
