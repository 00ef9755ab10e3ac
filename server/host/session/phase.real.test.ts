import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { person } from "#server/testing/session-rig.ts";
import { openStage } from "#server/testing/situations/stage.ts";

let stage: Awaited<ReturnType<typeof openStage>>;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

describe.runIf(process.platform === "linux")("a session's phase on the wire", () => {
  it("[PH1] [CR1] viewers, feeds and lists are told that it waits, asks for a password, and works", async () => {
    const scene = await stage.play({
      name: "",
      command: ["bash", "-c", "read -p 'Name? ' n; read -s -p 'Secret: ' s; sleep 30"],
      steps: [],
    });
    const port = stage.registry.port(person, scene.id);
    const sink = new MemorySink();
    port.attach(sink, { readonly: false });
    const infos: SessionInfo[] = [];
    const feed = stage.registry.subscribe(({ session }) => {
      if (session.id === scene.id) infos.push(session);
    });
    const told = (isSo: (info: SessionInfo) => boolean) =>
      expect.poll(() => infos.some(isSo), { timeout: 10_000, interval: 20 }).toBe(true);

    await told(({ phase, credential }) => phase === "waiting_input" && credential === null);
    infos.length = 0;
    await scene.type("Ada\r");
    await told(
      ({ phase, credential }) => phase === "waiting_input" && credential?.source === "echo_off",
    );
    expect(port.info().credential).toEqual(infos.at(-1)?.credential);
    infos.length = 0;
    await scene.type("hunter2\r");
    await told(({ phase, credential }) => phase === "running" && credential === null);
    expect(sink.messages("phase").map(({ phase }) => phase)).toContain("waiting_input");
    expect(sink.messages("phase").at(-1)?.phase).toBe("running");
    expect((await port.explain()).phase).toBe("running");

    feed.dispose();
    await scene.end();
  }, 40_000);

  it("[PH1] keys at a prompt do not make the phase flicker for those who watch", async () => {
    const scene = await stage.play({ name: "", command: ["cat", "-u"], steps: [] });
    await expect.poll(() => scene.activity.state.phase, { timeout: 10_000 }).toBe("waiting_input");
    await new Promise((resolve) => setTimeout(resolve, 300));
    const phases: string[] = [];
    const feed = stage.registry.subscribe(({ session }) => {
      if (session.id === scene.id) phases.push(session.phase);
    });
    for (const key of "a line of text") {
      await scene.type(key);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await expect.poll(() => scene.screen(), { timeout: 5_000 }).toContain("a line of text");
    feed.dispose();
    expect(new Set(phases).has("running")).toBe(false);
    await scene.end();
  }, 40_000);
});
