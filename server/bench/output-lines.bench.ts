// What line numbers and markers cost (JR4, JR6): `npx tsx server/bench/output-lines.bench.ts`. The emulator's rate with and without them, on output
// that evicts a line per line, and the reading of 8 MiB as text.
import type { Terminal } from "@xterm/headless";
import { utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { createEmulator } from "#server/host/screen/emulator.ts";
import { LineIndex } from "#server/host/screen/line-index.ts";
import { readMarkers } from "#server/host/screen/markers.ts";
import { Screen } from "#server/host/screen/screen.ts";

const size = { cols: 120, rows: 40 };
const rounds = 7;
const roundBytes = 8e6;

const streams = {
  log: "[1234] compiling module number 8638 of the program, with warnings\r\n",
  short: "y\r\n",
  marked:
    "\x1b]133;A\x07$ \x1b]133;B\x07true\r\n\x1b]133;C\x07\x1b]133;D;0\x07\x1b]7;file:///tmp\x07",
};

function parseRate(unit: string, prepare: (terminal: Terminal) => void): number {
  const terminal = createEmulator(size, limits.scrollbackLines.default);
  prepare(terminal);
  const chunk = utf8(unit.repeat(Math.ceil(limits.screenSliceBytes / unit.length)));
  const write = () => {
    terminal.input("", true);
    terminal.write(chunk);
  };
  // Until lines are evicted.
  for (let n = 0; n < 1_000; n++) write();
  const began = performance.now();
  for (let bytes = 0; bytes < roundBytes; bytes += chunk.length) write();
  const rate = roundBytes / 1e3 / (performance.now() - began);
  terminal.dispose();
  return rate;
}

for (const [name, unit] of Object.entries(streams)) {
  let bare = 0;
  let numbered = 0;
  // In turns, so that what else the machine does hits both.
  for (let round = 0; round < rounds; round++) {
    bare = Math.max(
      bare,
      parseRate(unit, () => {}),
    );
    numbered = Math.max(
      numbered,
      parseRate(unit, (terminal) => {
        const index = new LineIndex(terminal);
        readMarkers(terminal, () => index.position());
      }),
    );
  }
  const cost = (100 * (bare - numbered)) / bare;
  console.log(
    `parse ${name.padEnd(7)} ${bare.toFixed(1)} MB/s without, ${numbered.toFixed(1)} MB/s with (${cost.toFixed(1)} % less)`,
  );
}

const looks = {
  plain: (n: number) => `[${n}] ${"compiled ".repeat(17)}\r\n`,
  coloured: (n: number) => `\x1b[32m[${n}]\x1b[0m ${"compiled ".repeat(17)}\r\n`,
  accents: (n: number) => `[${n}] ${"compilé ".repeat(19)}\r\n`,
};
for (const [name, line] of Object.entries(looks)) {
  const screen = new Screen({ size: { cols: 200, rows: 50 }, scrollback: 50_000 });
  let text = "";
  for (let n = 0; n < 50_000; n++) text += line(n);
  const bytes = utf8(text);
  await new Promise<void>((done) => screen.write(bytes, done));
  let worst = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    worst = Math.max(worst, performance.now() - last);
    last = performance.now();
  }, 0);
  await new Promise((resolve) => setTimeout(resolve, 50));
  worst = 0;
  const began = performance.now();
  const read = await screen.outputInSlices({ seq: 0, col: 0 }, null, limits.outputBytes.max);
  const ms = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 20));
  clearInterval(watch);
  const mib = Buffer.byteLength(read.text) / 1024 / 1024;
  console.log(
    `read ${name.padEnd(9)} ${mib.toFixed(1)} MiB in ${ms.toFixed(0)} ms, longest turn ${worst.toFixed(0)} ms`,
  );
  screen.dispose();
}
