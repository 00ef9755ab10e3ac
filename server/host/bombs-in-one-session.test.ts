// What the whole corpus of bombs leaves in the memory of a host, in one session that is never cleaned in between (SC8). Live memory:
// what the collector cannot take back. What is resident beside it is V8's to give back, and e2e/api/floods.test.ts looks at that.
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Bomb, bombs } from "#server/testing/bombs.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function usedMiB(): number {
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 2 ** 20;
}

async function liveMiB(): Promise<number> {
  // Array buffers are freed by a helper thread, and finalisers run between turns.
  for (let i = 0; i < 3; i++) {
    collect();
    await pause(5);
  }
  return usedMiB();
}

/** Single sequences that leave nothing but a setting are thrown together: some 250 of them in one. */
function inStages(corpus: readonly Bomb[]): Bomb[] {
  const isSmall = ({ bytes }: Bomb) => bytes.length < 1_000;
  const small = Buffer.concat(corpus.filter(isSmall).map(({ bytes }) => bytes));
  return [{ name: "counts", bytes: small }, ...corpus.filter((bomb) => !isSmall(bomb))];
}

/** Between two bombs, that none of them works on a screen that another has made harmless: no scroll region, no alternate screen. */
const opened = "\\030\\033\\\\\\\\\\033[!p\\033[r\\033[?1049l\\017\\033[m\\033[H";

let folder: string;
let host: TestHost;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cotty-bombs-"));
  host = await startTestHost();
});
afterAll(async () => {
  await host?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs every bomb in one session and looks at the memory after each; `between` is printed in front of each. */
async function explodeAll(stages: readonly Bomb[], between: string): Promise<string[]> {
  const run = mkdtempSync(join(folder, "run-"));
  for (const [i, { bytes }] of stages.entries()) writeFileSync(join(run, `${i}.bomb`), bytes);
  // Not the terminal says when to go on: it is full of the answers to the bombs' questions.
  const gate = join(run, "gate");
  execFileSync("mkfifo", [gate]);
  const script = `stty raw -echo; exec 3<>"${gate}"; i=0; while read x <&3; do printf '${between}'; cat "${run}/$i.bomb"; : > "${run}/$i.done"; i=$((i+1)); done`;
  const before = await liveMiB();
  const { id } = await host.request("createSession", { body: { command: ["sh", "-c", script] } });
  const params = { id };
  const tooMuch: string[] = [];
  let most = 0;
  for (const [i, { name }] of stages.entries()) {
    appendFileSync(gate, "\n");
    while (!existsSync(join(run, `${i}.done`))) await pause(2);
    // Read by the host and drawn: a reading waits for neither, so ask until two are the same.
    for (let last = ""; ; ) {
      const read = await host.request("readScreen", { params });
      const hash = "hash" in read ? read.hash : "";
      if (hash === last) break;
      last = hash;
      await pause(10);
    }
    // Collecting takes longer than most bombs do: only where garbage could be why it is too much, and at the end.
    let grown = usedMiB() - before;
    if (grown >= 24 || i === stages.length - 1) grown = (await liveMiB()) - before;
    most = Math.max(most, grown);
    if (grown >= 32) tooMuch.push(`${name}: ${grown.toFixed(1)} MiB`);
  }
  console.log(`live memory of the session: less than +${most.toFixed(1)} MiB (aim 32)`);
  await host.request("closeSession", { params, query: { signal: "KILL" } });
  return tooMuch;
}

it("[SC8] the corpus in one session: its live memory, ring and scrollback included, stays under 32 MiB", {
  timeout: 300_000,
}, async () => {
  expect(await explodeAll(inStages(bombs()), "")).toEqual([]);
});

it("[SC8] neither does it grow further when no bomb is spoilt by the one before (a third of them)", {
  timeout: 300_000,
}, async () => {
  const sample = inStages(bombs()).filter((_, at) => at % 3 === 0);
  expect(await explodeAll(sample.reverse(), opened)).toEqual([]);
});
