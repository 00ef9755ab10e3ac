import { setImmediate as nextLoop } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import type { MirrorViewer } from "#server/testing/mirror-viewer.ts";
import { patience } from "#server/testing/patience.ts";
import { realRig } from "#server/testing/real-rig.ts";

const MiB = 1024 * 1024;
const rigs: Awaited<ReturnType<typeof realRig>>[] = [];

async function rig() {
  const made = await realRig();
  rigs.push(made);
  return made;
}

afterEach(() => {
  for (const each of rigs.splice(0)) each.registry.dispose();
});

const sh = (script: string) => ({ command: ["/bin/sh", "-c", script], cols: 80, rows: 24 });

describe("a flood through the real terminal and screen", () => {
  it("[SN3] [B021] 20 viewers that attach at random moments end equal to the server, every number once", async () => {
    const { create, exited } = await rig();
    const { id, port, mirror } = await create(sh("read x; seq 1 150000; echo LAST-$((1+1))"));
    const first = mirror();
    first.attachment.typed(utf8("\r"));
    const viewers = [first.viewer];
    let seed = 42;
    let attachedInFlood = 0;
    while (viewers.length < 20) {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      for (let turns = seed % 60; turns > 0; turns--) await nextLoop();
      if (!port().info().exited) attachedInFlood += 1;
      viewers.push(mirror().viewer);
    }
    await exited(id);
    const screen = await port().screen();
    expect(screen.lines).toContain("LAST-2");
    expect(attachedInFlood).toBeGreaterThan(10);
    const end = await exitOffset(first.viewer);
    await Promise.all(viewers.map((viewer) => viewer.drawnTo(end)));
    const rows = first.viewer.rows();
    const numbers = rows.map(Number).filter((number) => number > 0);
    expect(numbers.length).toBeGreaterThan(5_000);
    expect(numbers.every((number, i) => i === 0 || number === (numbers[i - 1] ?? 0) + 1)).toBe(
      true,
    );
    expect(numbers.at(-1)).toBe(150_000);
    expect(rows.slice(-24)).toEqual(screen.lines);
    for (const viewer of viewers) expect(viewer.rows()).toEqual(rows);
  });

  it("[SC6] [PT13] [B019] with nobody attached, a stuck viewer and eight readers memory stays bounded and the screen is right", async () => {
    const { create, exited } = await rig();
    const flood = (volume: number) =>
      create(
        sh(
          `read x; yes 0123456789012345678901234567890123456789 | head -c ${volume}; echo; echo END-$((1+1))`,
        ),
      );
    // Warm up: code, scrollback and ring have their size before the measure.
    const warm = await flood(10 * MiB);
    warm.port().write([{ key: "Enter" }]);
    await exited(warm.id);

    const { id, port, counter, mirror } = await flood(40 * MiB);
    const stuck = counter(true);
    const readers = Array.from({ length: 8 }, () => counter());
    const slow = mirror();
    slow.viewer.acknowledge = () => {};
    const before = process.memoryUsage().rss;
    let peak = before;
    const sampler = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    port().write([{ key: "Enter" }]);
    await exited(id);
    const screen = await port().screen();
    clearInterval(sampler);
    expect(screen.lines.at(-2)).toBe("END-2");
    expect(peak - before).toBeLessThan(64 * MiB);
    expect(stuck.viewer.received).toBeLessThanOrEqual(256 * 1024);
    for (const reader of readers) expect(reader.viewer.received).toBeGreaterThan(38 * MiB);
    // The slow one wakes up far behind, gets a snapshot and ends with the same screen.
    slow.viewer.acknowledge = (at) => slow.attachment.acknowledge(at);
    slow.attachment.acknowledge(slow.viewer.drawn);
    await slow.viewer.drawnTo(await exitOffset(slow.viewer));
    expect(slow.viewer.messages.map((message) => message.type)).toContain("resync");
    expect(slow.viewer.rows().slice(-24)).toEqual(screen.lines);
  });

  it("[SC7] a flood in one session leaves another's echo quick", async () => {
    const { create } = await rig();
    const flood = await create(sh("yes 'a flood of words in every line of it'"));
    flood.counter();
    const quiet = await create(sh("stty -echo raw; exec cat"));
    const { sink, attachment } = quiet.dump();
    const times: number[] = [];
    for (let i = 1; i <= 60; i++) {
      const began = performance.now();
      attachment.typed(utf8("x"));
      await sink.until(() => sink.liveBytes.length >= i);
      times.push(performance.now() - began);
    }
    times.sort((a, b) => a - b);
    expect(times[57]).toBeLessThan(patience(100));
    expect((await flood.port().screen()).lines[0]).toBe("a flood of words in every line of it");
  });
});

/** Offset of the exit, once this viewer was told. */
async function exitOffset(viewer: MirrorViewer): Promise<number> {
  for (;;) {
    const exit = viewer.messages.find((message) => message.type === "exited");
    if (exit?.type === "exited") return exit.at;
    await nextLoop();
  }
}
