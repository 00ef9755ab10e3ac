// Throughput of the stream guard: `npx tsx server/bench/guard.bench.ts [--json] [--check]`. Every byte of every session passes it, so it must cost
// nothing beside the emulator (about 10 to 30 MB/s).
import { utf8 } from "#lib/base/bytes.ts";
import { VtGuard } from "#lib/terminal/vt-guard.ts";

const size = { cols: 80, rows: 24 };
const chunkBytes = 64 * 1024;
const totalBytes = 64e6;
const rounds = 5;

/** `floor`: MB/s below which something is wrong, whatever the machine. */
const streams: readonly { name: string; unit: string; floor: number }[] = [
  {
    name: "ascii",
    unit: "The quick brown fox jumps over the lazy dog 0123456789\r\n",
    floor: 500,
  },
  {
    name: "sgr",
    unit: "\x1b[38;5;123mfoo\x1b[0m \x1b[1;32mbar\x1b[39;22m\r\n",
    floor: 150,
  },
  { name: "truecolor", unit: "\x1b[38;2;12;34;56m\x1b[48;2;1;2;3mX", floor: 150 },
  { name: "cjk", unit: "日本語のテキストです。\r\n", floor: 30 },
  { name: "boxes", unit: "─│┌┐└┘├┤ text é ü\r\n", floor: 30 },
  { name: "marks", unit: "e\u0301a\u0300o\u0302 \u0915\u094d\u0937", floor: 20 },
  { name: "strings", unit: "\x1b]8;;\x1b\\file.txt \x1b]0;title\x07\r\n", floor: 10 },
  { name: "counts", unit: "A\x1b[99999999b", floor: 1 },
];

function chunkOf(unit: string): Uint8Array {
  const one = utf8(unit);
  const count = Math.ceil(chunkBytes / one.length);
  const chunk = new Uint8Array(count * one.length);
  for (let i = 0; i < count; i++) chunk.set(one, i * one.length);
  return chunk;
}

/** Best of the rounds: the others measure what else the machine does. */
function megabytesPerSecond(chunk: Uint8Array): number {
  let best = 0;
  for (let round = 0; round < rounds; round++) {
    const guard = new VtGuard(size);
    const started = performance.now();
    let bytes = 0;
    // Slow streams are cut short: half a second tells enough.
    while (bytes < totalBytes && performance.now() - started < 500) {
      guard.filter(chunk, 0);
      bytes += chunk.length;
    }
    best = Math.max(best, bytes / 1e3 / (performance.now() - started));
  }
  return best;
}

const results = streams.map(({ name, unit, floor }) => ({
  name: `guard_${name}`,
  unit: "MB/s",
  value: Math.round(megabytesPerSecond(chunkOf(unit))),
  floor,
}));

if (process.argv.includes("--json")) {
  console.log(JSON.stringify(results));
} else {
  for (const { name, value, floor } of results)
    console.log(`${name.padEnd(18)} ${String(value).padStart(6)} MB/s   (at least ${floor})`);
}
if (process.argv.includes("--check") && results.some(({ value, floor }) => value < floor))
  process.exitCode = 1;
