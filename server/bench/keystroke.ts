// (b) From a key at a viewer to its echo at the same viewer, idle and while four other sessions flood.
import { setTimeout as sleep } from "node:timers/promises";
import { type Figure, percentile } from "./figure.ts";
import { rawPty } from "./raw-pty.ts";
import { Stack } from "./stack.ts";

const samples = 400;
const echo = ["/bin/sh", "-c", "stty raw -echo; echo READY; exec cat"];

/** Sorted latencies in milliseconds. `send` writes one byte; `arm` is told what to call at its echo. */
async function measure(send: () => void, arm: (echoed: () => void) => void): Promise<number[]> {
  const latencies: number[] = [];
  for (let n = 0; n < samples; n += 1) {
    const startedAt = performance.now();
    await new Promise<void>((resolve) => {
      arm(resolve);
      send();
    });
    latencies.push(performance.now() - startedAt);
    await sleep(5);
  }
  return latencies.sort((a, b) => a - b);
}

async function rawLatency(): Promise<number[]> {
  const pty = rawPty("/bin/sh", echo.slice(1));
  let heard: () => void = () => {};
  await new Promise<void>((ready) => {
    pty.onData(() => heard());
    heard = ready;
  });
  const found = await measure(
    () => pty.write("x"),
    (echoed) => {
      heard = echoed;
    },
  );
  pty.kill();
  return found;
}

async function ourLatency(stack: Stack): Promise<number[]> {
  const session = await stack.create({ command: echo, cols: 120, rows: 40 });
  const viewer = stack.attach(session);
  await viewer.when(() => viewer.isLive && viewer.offset >= 6);
  let heard: () => void = () => {};
  viewer.onBytes = () => heard();
  const key = Buffer.from("x");
  const found = await measure(
    () => viewer.socket.send(key),
    (echoed) => {
      heard = echoed;
    },
  );
  viewer.socket.terminate();
  await stack.close(session);
  return found;
}

export async function keystroke(): Promise<Figure[]> {
  const raw = await rawLatency();
  const stack = await Stack.start();
  try {
    const idle = await ourLatency(stack);
    const floods = await Promise.all(
      [1, 2, 3, 4].map(() =>
        stack.create({ command: ["yes", "all work and no play"], cols: 120, rows: 40 }),
      ),
    );
    const busy = await ourLatency(stack);
    for (const flood of floods) await stack.close(flood);
    const rawMedian = percentile(raw, 0.5);
    const note = (found: number[]) =>
      `p50 ${percentile(found, 0.5).toFixed(2)} ms, p99 ${percentile(found, 0.99).toFixed(2)} ms; raw p50 ${rawMedian.toFixed(2)}, p99 ${percentile(raw, 0.99).toFixed(2)}`;
    return [
      {
        name: "keystroke-idle-p50",
        value: percentile(idle, 0.5) / rawMedian,
        unit: "x raw p50",
        better: "lower",
        aim: { max: 1.5 },
        note: note(idle),
      },
      {
        name: "keystroke-idle-p99",
        value: percentile(idle, 0.99),
        unit: "ms",
        better: "lower",
        aim: { max: 15 },
        note: note(idle),
      },
      {
        name: "keystroke-floods-p99",
        value: percentile(busy, 0.99),
        unit: "ms",
        better: "lower",
        aim: { max: 50 },
        note: note(busy),
      },
    ];
  } finally {
    await stack.stop();
  }
}
