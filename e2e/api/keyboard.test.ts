// People and agents at one keyboard, with real shells (LS4-LS9, DR1-DR3, issue 5 shown by 1 and 3). The countdown is one second here.
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "#lib/protocol/errors.ts";
import { apiBase } from "#lib/protocol/operations/operation.ts";
import { wholeScreen } from "#lib/protocol/screen.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import type { AttachClientDouble } from "#server/testing/attach-client-double.ts";
import { startTestHost, type TestHost, testAgent, testOwner } from "#server/testing/test-host.ts";
import { until } from "./caller.ts";

const bob = { ...testOwner, id: "owner2", name: "Bob" };
let host: TestHost;
let folder: string;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cotty-keyboard-")));
  host = await startTestHost({ leaseIdleMs: 1_000 });
});
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

async function session(request: CreateSession) {
  const { id } = await host.request("createSession", { body: { cols: 120, ...request } });
  const params = { id };
  const person = async (query = "", actor = testOwner) => {
    const viewer = host.attach(id, { query, actor });
    await viewer.until("hello", () => viewer.hello !== undefined);
    return viewer;
  };
  const send = async (body: object, actor = testAgent) => {
    const reply = await host.raw("POST", `${apiBase}/sessions/${id}/input`, { actor, body });
    return reply.status === 200 ? "typed" : (reply.json() as Problem);
  };
  const lines = async () =>
    wholeScreen(await host.request("readScreen", { params })).lines.join("\n");
  /** Not by expect.poll: the shells' tests run side by side. */
  const shows = (text: string | RegExp) => {
    const isThere = async () => new RegExp(text).test(await lines());
    return until(`${text} on the screen`, isThere).catch(async (error) => {
      throw new Error(`${error.message}; there is\n${await lines()}`);
    });
  };
  const lease = () => host.request("readLease", { params, actor: testAgent });
  const keyboard = (action: "take_over" | "hold" | "hand_back" | "clear_line") =>
    host.request("changeLease", { params, body: { action } });
  /** What the agent's tries come to until one is typed. */
  const typedInTheEnd = async (body: object) => {
    const codes = new Set<string>();
    await until("a write of the agent", async () => {
      const answer = await send(body);
      if (answer !== "typed") codes.add(answer.code);
      return answer === "typed";
    });
    return [...codes];
  };
  return { id, params, person, send, lines, shows, lease, keyboard, typedInTheEnd };
}

const text = (value: string) => ({ input: [{ text: value }] });
const leaseOf = (viewer: AttachClientDouble) =>
  viewer.messages.filter((message) => message.type === "lease").at(-1)?.lease;

describe("whose hands", () => {
  it("[LS4] [LS5] [T64] one key stops an agent that writes all the time, and it goes on a second after the last", async () => {
    const at = await session({ command: ["cat"] });
    const viewer = await at.person();
    expect(await at.send(text("a\n"))).toBe("typed");
    viewer.type("\r");
    await viewer.until("the banner", () => leaseOf(viewer)?.holder === "human");
    const refused = await at.send(text("b\n"));
    expect(refused).toMatchObject({ code: "LEASE_DENIED", status: 409, holder: "human" });
    expect((refused as Problem).retry_after_ms).toBeLessThanOrEqual(1_000);
    expect(await at.typedInTheEnd(text("c\n"))).toEqual(["LEASE_DENIED"]);
    await viewer.until("the agent again", () => leaseOf(viewer)?.holder === "agent");
    await at.shows(/a\n[^b]*c/);
  });

  it("[LS2] attaching, sizes, focus, the mouse and vim that starts leave the keyboard to the agent", async () => {
    const at = await session({
      command: ["vim", "-n", "-u", "NONE", "--cmd", "set mouse=a t_RV="],
    });
    const viewer = await at.person();
    await at.shows("VIM - Vi");
    viewer.send({ type: "resize", cols: 100, rows: 30 });
    viewer.send({ type: "report", data: "\x1b[I" });
    viewer.send({ type: "report", data: "\x1b[<0;5;5M" });
    viewer.send({ type: "ping", id: 1 });
    await viewer.until("the answer", () => viewer.messages.some(({ type }) => type === "pong"));
    expect(await at.send({ input: [{ text: "ihello" }, { key: "Escape" }] })).toBe("typed");
    await at.shows("hello");
    expect(await at.lease()).toMatchObject({ holder: "agent", epoch: 0 });
    // In a full-screen program there is no line to protect: after the second the agent goes on.
    viewer.type("x");
    expect(await at.typedInTheEnd({ input: [{ key: "Escape" }] })).toEqual(["LEASE_DENIED"]);
  });

  it("[LS6] [LS8] [T64] [T65] take over and hold last until handed back, or until the holder's last socket is gone", async () => {
    const at = await session({ command: ["cat"] });
    const viewer = await at.person();
    viewer.send({ type: "keyboard", action: "take_over" });
    await viewer.until("the lease", () => leaseOf(viewer)?.cause === "takeover");
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(await at.send(text("x"))).toMatchObject({ code: "LEASE_DENIED" });
    viewer.send({ type: "keyboard", action: "hand_back" });
    await viewer.until("the lease", () => leaseOf(viewer)?.holder === "agent");
    expect(await at.send(text("y\n"))).toBe("typed");
    viewer.send({ type: "keyboard", action: "hold" });
    await viewer.until("the lease", () => leaseOf(viewer)?.cause === "hold");
    viewer.socket.terminate();
    expect(await at.typedInTheEnd(text("z\n"))).toEqual(["LEASE_DENIED"]);
  });

  it("[LS9] a second person's first key is swallowed with a word, the next one takes over", async () => {
    const at = await session({ command: ["cat"] });
    const [ada, other] = [await at.person("?idle=60"), await at.person("", bob)];
    ada.type("one\r");
    // Before the program has repeated it, another line's echo could come between.
    await at.shows(/one\none/);
    await other.until("the banner", () => leaseOf(other)?.actor === "Olga");
    other.type("2");
    await other.until("the notice", () => other.errors.some(({ code }) => code === "HUMAN_BUSY"));
    other.type("3\r");
    await ada.until("who did", () => leaseOf(ada)?.actor === "Bob");
    await at.shows(/one\none\n3\n3/);
  });

  it("[LS9] [LS3] ask: no key of another person takes it by any door; taking it over does; a new choice counts at once", async () => {
    const at = await session({ command: ["cat"] });
    const [ada, other] = [await at.person("?idle=never"), await at.person("", bob)];
    ada.send({ type: "politeness", politeness: "ask" });
    ada.type("one\r");
    await other.until("the banner", () => leaseOf(other)?.politeness === "ask");
    for (const key of "234") other.type(key);
    await other.until("the words", () => other.errors.length === 3);
    expect(other.errors[2]?.detail).toContain("Olga is typing and wants to be asked");
    expect(await at.send(text("5"), bob)).toMatchObject({ code: "HUMAN_BUSY" });
    expect(await at.send(text("6"), bob)).toMatchObject({ code: "HUMAN_BUSY" });
    other.send({ type: "keyboard", action: "ask" });
    await ada.until("the wish", () => ada.messages.some(({ type }) => type === "asked"));
    other.send({ type: "keyboard", action: "take_over" });
    await ada.until("who did", () => leaseOf(ada)?.actor === "Bob");
    other.type("seven\r");
    await at.shows(/one\none\nseven\nseven/);

    // Bob's own choice, in the middle of holding it.
    ada.type("x");
    await ada.until("the words", () => ada.errors.length === 1);
    other.send({ type: "politeness", politeness: "immediate" });
    await ada.until("the news", () => leaseOf(ada)?.politeness === "immediate");
    ada.type("eight\r");
    await other.until("who did", () => leaseOf(other)?.actor === "Olga");
    await at.shows(/eight\neight/);
    expect(await at.lease()).toMatchObject({ actor: "Olga", politeness: "ask" });
    // A free keyboard is anybody's.
    await at.keyboard("hand_back");
    expect(await at.send(text("nine\n"), bob)).toBe("typed");
  });

  it("[LS5] never, for a person whose connection says so", async () => {
    const at = await session({ command: ["cat"] });
    const viewer = await at.person("?idle=never");
    viewer.type("\r");
    await viewer.until("the banner", () => leaseOf(viewer)?.holder === "human");
    expect(leaseOf(viewer)).toMatchObject({ cause: "typing", until: null, draft: null });
    for (const idle of ["0", "601", "soon", "1.5"]) {
      const refused = host.attach(at.id, { query: `?idle=${idle}` });
      await refused.until("the refusal", () => refused.refused !== undefined);
      expect(refused.refused?.status).toBe(400);
    }
    await at.keyboard("hand_back");
    expect(await at.send(text("x\n"))).toBe("typed");
  });
});

const shells: [string, CreateSession][] = [
  ["bash", { command: ["bash", "--norc"] }],
  ["bash without markers", { command: ["bash", "--norc"], integration: "off" }],
  ["zsh", { command: ["zsh", "-f"] }],
  ["fish", { command: ["fish", "--no-config"] }],
  ["fish without markers", { command: ["fish", "--no-config"], integration: "off" }],
  ["dash", { command: ["dash"] }],
];

describe("half a line", () => {
  it.concurrent.each(shells)(
    "[DR1] [DR2] [DR3] %s never sees what two hands made together",
    async (_name, request) => {
      const cwd = mkdtempSync(join(folder, "at-"));
      // What `rm -rf ls` would take away.
      mkdirSync(join(cwd, "ls"));
      writeFileSync(join(cwd, "kept"), "");
      const at = await session({ ...request, cwd, env: { PS1: "$ " } });
      const viewer = await at.person();
      await at.shows(/[$%>#] ?$/m);
      // The cursor stands inside it.
      viewer.type("rm -rf x\x1b[D");
      await at.shows("rm -rf");
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      const enter = { input: [{ text: "ls" }, { key: "Enter" }] };
      const refused = (await at.send(enter)) as Problem;
      expect(refused.code).toBe("DRAFT_PENDING");
      expect(refused.draft_age_ms).toBeGreaterThanOrEqual(4_500);
      expect(JSON.stringify(refused)).not.toContain("rm");
      expect(await at.lease()).toMatchObject({ holder: "human", until: null });
      // Handed back as it stands, the agent has to say what becomes of it.
      await at.keyboard("hand_back");
      expect(await at.send(enter)).toMatchObject({ code: "DRAFT_PENDING" });
      expect(await at.send({ ...enter, if_draft: "clear" })).toBe("typed");
      await at.shows("kept");
      expect(existsSync(join(cwd, "ls"))).toBe(true);
      // The other way round: a person clears what an agent left.
      expect(await at.send(text("rm -rf "))).toBe("typed");
      viewer.send({ type: "keyboard", action: "take_over" });
      await viewer.until("the word", () => leaseOf(viewer)?.left_by === "Bot");
      viewer.send({ type: "keyboard", action: "clear_line" });
      await viewer.until("the word gone", () => leaseOf(viewer)?.left_by === null);
      viewer.type("ls\r");
      await until("another list", async () => (await at.lines()).split("kept").length === 3);
      expect(existsSync(join(cwd, "ls"))).toBe(true);
    },
    60_000,
  );

  it("[DR2] keep: the agent types behind what stands there", async () => {
    const at = await session({ command: ["bash", "--norc"], env: { PS1: "$ " } });
    const viewer = await at.person();
    await at.shows(/\$ ?$/m);
    viewer.type("echo one ");
    await at.shows("echo one");
    await at.keyboard("hand_back");
    const kept = { input: [{ text: "two" }, { key: "Enter" }], if_draft: "keep" };
    expect(await at.send(kept)).toBe("typed");
    await at.shows(/^one two$/m);
    expect(await at.send(text("x"))).toBe("typed");
  });
});
