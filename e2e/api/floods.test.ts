// Output faster than somebody can read it, and output made to do harm (AT4, SC6-SC8, SN3), through both processes. One file, one test
// at a time: what is measured here must not measure its own neighbours.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Terminal } from "@xterm/headless";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AttachClientDouble } from "#server/testing/attach-client-double.ts";
import { bombs } from "#server/testing/bombs.ts";
import { Server } from "../server.ts";
import { Caller, pause, percentile, until } from "./caller.ts";
import { inspectable, type LiveMemory, openLiveMemory } from "./live-memory.ts";
import { peakMiB, rssMiB } from "./process-facts.ts";

let server: Server;
let owner: Caller;
let host: number;
let folder: string;
let memory: LiveMemory;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cotty-floods-"));
  server = new Server([], inspectable);
  await server.start();
  owner = await Caller.owner(server);
  host = server.hostPid();
  memory = await openLiveMemory(server.stateDir, host);
});
afterAll(async () => {
  memory?.close();
  owner?.dispose();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const numbers = 2_000_000;
const seq = `stty -echo; printf READY; read x; exec seq 1 ${numbers}`;

function expectedSeq(): string {
  return Array.from({ length: numbers }, (_, i) => `${i + 1}\r\n`).join("");
}

function rowsOf(terminal: Terminal): string[] {
  const { active } = terminal.buffer;
  return Array.from(
    { length: active.length },
    (_, y) => active.getLine(y)?.translateToString(true) ?? "",
  );
}

/** What a viewer shows: scrollback and viewport. */
async function shownBy(viewer: AttachClientDouble, rows: number) {
  const terminal = await viewer.terminal();
  const all = rowsOf(terminal);
  terminal.dispose();
  return { all, screen: all.slice(-rows) };
}

/** Lets a viewer read no more than so many bytes per second, until the returned function is called. */
function throttle(viewer: AttachClientDouble, bytesPerSecond: number): () => void {
  const { socket } = viewer;
  let isFree = false;
  let freeAt = performance.now();
  socket.on("message", (data: Buffer) => {
    freeAt = Math.max(freeAt, performance.now()) + (data.length / bytesPerSecond) * 1000;
    socket.pause();
    const resume = () => {
      const waitMs = Math.min(freeAt - performance.now(), 500);
      if (waitMs > 1 && !isFree) setTimeout(resume, waitMs);
      else socket.resume();
    };
    resume();
  });
  return () => {
    isFree = true;
  };
}

/** Keys typed one by one into a session that echoes, while something runs: the time from key to echo of each, in milliseconds. */
async function echoesDuring(during: Promise<unknown>): Promise<number[]> {
  const session = await owner.script("stty raw -echo; printf READY; exec cat");
  const viewer = owner.attach(session.id);
  await owner.untilText(session.id, "READY");
  await viewer.attached();
  let isOver = false;
  const over = () => {
    isOver = true;
  };
  during.then(over, over);
  const times: number[] = [];
  for (let keys = 1; !isOver; keys += 1) {
    const startedAt = performance.now();
    const aim = viewer.offset + 1;
    viewer.type("x");
    await viewer.until(`echo ${keys}`, () => viewer.offset >= aim, 30_000);
    times.push(performance.now() - startedAt);
    await pause(10);
  }
  viewer.dispose();
  await owner.close(session.id);
  return times;
}

describe.sequential("floods", () => {
  let dead: AttachClientDouble;
  let deadSince = 0;
  /** The session of the flood, and what the host held before there was one. */
  let flooded: string;
  let calmBytes = 0;
  const heldMiB = async () => ((await memory.measure()) - calmBytes) / 2 ** 20;

  it("[AT4] [SC6] seq 1 2000000 with a slow, a dead and a fast viewer: full speed, exact, resynchronised", {
    timeout: 180_000,
  }, async () => {
    const alone = await owner.script(seq);
    await owner.untilText(alone.id, "READY");
    let startedAt = performance.now();
    await owner.input(alone.id, { key: "Enter" });
    await owner.untilExit(alone.id, 60_000);
    const aloneMs = performance.now() - startedAt;
    await owner.close(alone.id);
    calmBytes = await memory.measure();

    const { id } = await owner.script(seq, { cols: 80, rows: 24 });
    flooded = id;
    await owner.untilText(id, "READY");
    const fast = owner.attach(id);
    const slow = owner.attach(id);
    dead = owner.attach(id, "", { acknowledges: false });
    await Promise.all([fast, slow, dead].map((viewer) => viewer.attached()));
    const release = throttle(slow, 50_000);
    dead.socket.pause();
    const before = rssMiB(host);
    startedAt = performance.now();
    deadSince = startedAt;
    const peak = await peakMiB(host, async () => {
      await owner.input(id, { key: "Enter" });
      await owner.untilExit(id, 60_000);
      const attendedMs = performance.now() - startedAt;
      await fast.until("the exit", () => fast.exited !== undefined, 60_000);
      console.log(
        `seq ended after ${Math.round(attendedMs)} ms, alone after ${Math.round(aloneMs)} ms`,
      );
      expect(attendedMs).toBeLessThan(aloneMs * 4 + 3_000);
      await slow.until("resync", () => slow.messages.some(({ type }) => type === "resync"), 60_000);
      // Resynchronised in mid-flood, as on a slow machine, it may have up to 8 MiB yet to read: three minutes at that speed.
      release();
      await slow.until("the exit", () => slow.exited !== undefined, 60_000);
    });
    console.log(`host: ${Math.round(before)} MiB before, ${Math.round(peak)} MiB at most`);

    expect(fast.text === expectedSeq()).toBe(true);
    const { lines } = await owner.screen(id);
    expect(lines.at(-2)).toBe(String(numbers));
    expect(slow.messages.map(({ type }) => type)).toContain("resync");
    const shown = await shownBy(slow, 24);
    expect(shown.screen).toEqual(lines);
    expect(peak - before).toBeLessThan(96);
    slow.dispose();
    fast.dispose();
    // What is left is a session: its ring, its screen with scrollback, and what one dead viewer may have under way.
    const leftMiB = await heldMiB();
    console.log(`host: ${leftMiB.toFixed(1)} MiB live afterwards (ring 8)`);
    expect(leftMiB).toBeLessThan(32);
  });

  it("[SC8] the bomb corpus in one session while another is typed in", {
    timeout: 180_000,
  }, async () => {
    const corpus = bombs();
    for (const [i, { bytes }] of corpus.entries())
      writeFileSync(join(folder, `${String(i).padStart(4, "0")}.bomb`), bytes);
    const done = join(folder, "done");
    const liveBefore = await memory.measure();
    const { id } = await owner.script(
      `seq 1 1500000; printf FILLED; read x; for f in "${folder}"/*.bomb; do cat "$f"; done; : > "$DONE"; read y; printf '\\030\\033\\\\\\033c'; echo usable-$((40+2)); exec cat`,
      { env: { DONE: done } },
    );
    const viewer = owner.attach(id);
    // Code, scrollback and ring have their size before the measure: what a full session costs is no bomb's doing.
    await owner.untilText(id, "FILLED", 30_000);
    const before = rssMiB(host);
    let peak = before;
    const exploded = (async () => {
      peak = await peakMiB(host, async () => {
        await owner.input(id, { key: "Enter" });
        await until("the last bomb", () => existsSync(done), 90_000);
      });
    })();
    const times = await echoesDuring(exploded);
    await exploded;
    const liveMiB = ((await memory.measure()) - liveBefore) / 2 ** 20;
    const startedAt = performance.now();
    await owner.input(id, { key: "Enter" });
    await owner.untilText(id, "usable-42", 20_000);
    const usableMs = performance.now() - startedAt;
    console.log(
      `${corpus.length} bombs; echo beside them p50 ${percentile(times, 0.5).toFixed(1)}, p99 ${percentile(times, 0.99).toFixed(1)}, max ${percentile(times, 1).toFixed(1)} ms (aim 50) of ${times.length}; usable after ${Math.round(usableMs)} ms; host +${liveMiB.toFixed(1)} MiB live (aim 32), +${Math.round(peak - before)} resident`,
    );
    expect(times.length).toBeGreaterThan(50);
    expect(percentile(times, 0.99)).toBeLessThan(600);
    expect(usableMs).toBeLessThan(5_000);
    // The whole session, its ring and its scrollback included. After each bomb: server/host/bombs-in-one-session.test.ts.
    expect(liveMiB).toBeLessThan(32);
    // V8 keeps more pages than it needs.
    expect(peak - before).toBeLessThan(128);
    viewer.dispose();
    await owner.close(id);
  });

  it("[AT4] [SC6] a viewer that never reads is closed with 4408, and with its session everything is given back", {
    timeout: 60_000,
  }, async () => {
    // Closed by the server 30 s after it was due; it only learns of it when it reads again.
    await pause(Math.max(0, deadSince + 33_000 - performance.now()));
    dead.socket.resume();
    await dead.untilClosed(15_000);
    expect(dead.closed?.code).toBe(4408);
    await owner.close(flooded);
    await until("the memory to be given back", async () => (await heldMiB()) < 6, 15_000);
    console.log(`host: ${(await heldMiB()).toFixed(1)} MiB live without the session`);
  });
});
