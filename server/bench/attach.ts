// (c) From opening a socket to the first correct screen at 5,000 lines, and the longest stall of the host's event loop meanwhile.
import { setTimeout as sleep } from "node:timers/promises";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { type Figure, percentile } from "./figure.ts";
import { Stack, type Viewer } from "./stack.ts";

const attaches = 12;
/** A snapshot serves everybody for two seconds; one taken for somebody else would make these figures look better than they are. */
const snapshotKeptMs = 2_200;
const fill = `i=0; while [ $i -lt 5200 ]; do printf '\\033[3%dm%05d the quick brown fox jumps over the lazy dog, again and again, until the line is nearly full of it %05d\\033[0m\\n' $((i % 8)) $i $i; i=$((i+1)); done; echo FILLED; exec cat`;

interface Times {
  screen: number;
  complete: number;
}

async function once(open: () => Viewer): Promise<Times> {
  const startedAt = performance.now();
  const viewer = open();
  let screen = Number.NaN;
  viewer.onMessage = (message: ServerMessage) => {
    // The frame with the screen's cells is the next one; the announcement leaves with it.
    if (message.type === "snapshot" && message.part === "screen")
      screen = performance.now() - startedAt;
  };
  await viewer.when(() => viewer.isLive);
  const complete = performance.now() - startedAt;
  viewer.socket.terminate();
  return { screen, complete };
}

async function loopStall(stack: Stack): Promise<number> {
  const reply = await stack.host.request("GET", "/internal/status");
  return (reply.json() as { loop: { max_ms: number } }).loop.max_ms;
}

export async function attach(): Promise<Figure[]> {
  const stack = await Stack.start();
  try {
    const session = await stack.create({ command: ["/bin/sh", "-c", fill], cols: 120, rows: 40 });
    for (;;) {
      const { lines } = await stack.call<{ lines: string[] }>(
        "GET",
        `/sessions/${session.id}/screen`,
      );
      if (lines.some((line) => line.startsWith("FILLED"))) break;
      await sleep(100);
    }
    // The first one compiles; a person's first attach pays that once per host.
    await once(() => stack.attach(session));
    await loopStall(stack);
    const times: Times[] = [];
    for (let n = 0; n < attaches; n += 1) {
      await stack.call("POST", `/sessions/${session.id}/input`, { input: [{ text: "x" }] });
      await sleep(snapshotKeptMs);
      times.push(await once(() => stack.attach(session)));
    }
    const stall = await loopStall(stack);
    const screens = times.map((time) => time.screen).sort((a, b) => a - b);
    const completes = times.map((time) => time.complete).sort((a, b) => a - b);
    const note = `first screen p50 ${percentile(screens, 0.5).toFixed(1)}, max ${percentile(screens, 1).toFixed(1)} ms; whole scrollback p50 ${percentile(completes, 0.5).toFixed(1)} ms`;
    return [
      {
        name: "attach-first-screen",
        value: percentile(screens, 0.5),
        unit: "ms",
        better: "lower",
        aim: { max: 50 },
        note,
      },
      {
        name: "attach-scrollback",
        value: percentile(completes, 0.5),
        unit: "ms",
        better: "lower",
        note,
      },
      {
        name: "attach-stall",
        value: stall,
        unit: "ms",
        better: "lower",
        aim: { max: 30 },
        note: `longest stall of the host's loop over ${attaches} attaches`,
      },
    ];
  } finally {
    await stack.stop();
  }
}
