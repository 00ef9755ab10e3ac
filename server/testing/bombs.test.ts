// Every bomb of the corpus through the guard into a real emulator: no stall, no growth, and the screen is of use afterwards.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import headless, { type Terminal as HeadlessTerminal } from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { sliceEnd } from "#lib/terminal/slice.ts";
import { VtGuard } from "#lib/terminal/vt-guard.ts";
import { type Bomb, bombs } from "./bombs.ts";

const size = { cols: 80, rows: 24 };
const corpus = bombs();

/** The emulator's own synchronous write: what is measured is its work and not the event loop's. */
function writeSync(terminal: HeadlessTerminal, bytes: Uint8Array): void {
  const core = (terminal as unknown as { _core: { writeSync(data: Uint8Array): void } })._core;
  core.writeSync(bytes);
}

/** Time of this process: the machine's other work stalls nobody here. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Effect {
  worstStallMs: number;
  lastLine: string;
  passedBytes: number;
  replies: string[];
}

function explode(bomb: Bomb): Effect {
  const terminal = new headless.Terminal({
    ...size,
    scrollback: 1000,
    allowProposedApi: true,
    logLevel: "off",
  });
  const guard = new VtGuard(size);
  const effect: Effect = { worstStallMs: 0, lastLine: "", passedBytes: 0, replies: [] };
  terminal.onData((data) => effect.replies.push(data));
  const slice = (bytes: Uint8Array, nowMs: number) => {
    const safe = guard.filter(bytes, nowMs);
    effect.passedBytes += safe.length;
    for (let at = 0; at < safe.length; ) {
      const end = sliceEnd(safe, at, size);
      const started = cpuMs();
      writeSync(terminal, safe.subarray(at, end));
      effect.worstStallMs = Math.max(effect.worstStallMs, cpuMs() - started);
      at = end;
    }
  };
  // As a PTY delivers it, at 100 MB/s.
  for (let at = 0; at < bomb.bytes.length; at += 65_536)
    slice(bomb.bytes.subarray(at, at + 65_536), Math.floor(at / 100_000));
  // Later than a dropped string may last; the prompt of a shell, which resets nothing.
  slice(utf8("\x1b[?2004h\r\n\x1b[H\x1b[2J"), 60_000);
  slice(utf8("$ ready"), 60_001);
  const buffer = terminal.buffer.active;
  effect.lastLine = buffer.getLine(buffer.baseY + buffer.cursorY)?.translateToString(true) ?? "";
  terminal.dispose();
  return effect;
}

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function heapMiB(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

describe("bombs", () => {
  it("the corpus has at least a hundred bombs, each with its own name", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(100);
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
  });

  it("[SC8] no bomb stalls the emulator in a slice, and the screen is usable afterwards", () => {
    const stalls: string[] = [];
    const unusable: string[] = [];
    for (const bomb of corpus) {
      // A stall of the collector's threads does not come three times.
      let effect = explode(bomb);
      for (let i = 0; i < 2 && effect.worstStallMs > 100; i++) effect = explode(bomb);
      if (effect.worstStallMs > 100) stalls.push(`${bomb.name}: ${effect.worstStallMs.toFixed(0)}`);
      // An alternate charset or a single shift may stay: the shape counts, not the letters.
      if (effect.lastLine.length !== "$ ready".length)
        unusable.push(`${bomb.name}: ${effect.lastLine}`);
    }
    expect(stalls).toEqual([]);
    expect(unusable).toEqual([]);
  }, 180_000);

  it("[SC8] no string of 4 MiB and no image passes the guard", () => {
    const passed = corpus
      .filter(({ name }) => /without end|ended late|sixel|iTerm2|kitty/.test(name))
      .map((bomb) => ({ name: bomb.name, passed: explode(bomb).passedBytes }))
      .filter(({ passed }) => passed > 200);
    expect(passed).toEqual([]);
  });

  it("[SC8] memory rises under 32 MiB while a bomb is on the screen", () => {
    const grown: string[] = [];
    for (const bomb of corpus.filter(({ name }) =>
      /marks|family|conjunct|syllable|underline|links|link |title|noise/.test(name),
    )) {
      const terminal = new headless.Terminal({
        ...size,
        scrollback: 5000,
        allowProposedApi: true,
        logLevel: "off",
      });
      const guard = new VtGuard(size);
      const before = heapMiB();
      for (let at = 0; at < bomb.bytes.length; at += 65_536) {
        const safe = guard.filter(bomb.bytes.subarray(at, at + 65_536), Math.floor(at / 100_000));
        for (let from = 0; from < safe.length; ) {
          const end = sliceEnd(safe, from, size);
          writeSync(terminal, safe.subarray(from, end));
          from = end;
        }
      }
      const grownMiB = heapMiB() - before;
      if (grownMiB > 32) grown.push(`${bomb.name}: ${grownMiB.toFixed(1)} MiB`);
      terminal.dispose();
    }
    expect(grown).toEqual([]);
  }, 120_000);
});
