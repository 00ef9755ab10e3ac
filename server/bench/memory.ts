// (d) Resident memory per idle session, per full session (5,000 lines of 120 x 40) and per idle viewer's socket. (e) Sessions per second.
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { Figure } from "./figure.ts";
import { Stack } from "./stack.ts";

const many = 40;
const full = 10;
const sockets = 400;
/** Before those that count: making a connection leaves garbage, for which V8 takes some 16 MB once, however many follow. */
const socketsBefore = 200;

/** Host and web together, after a moment for what was just done to settle, in KiB. */
async function rss(stack: Stack): Promise<number> {
  await sleep(1_500);
  return Stack.rss(stack.host.record.pid) + Stack.rss(stack.webPid);
}

export async function memory(): Promise<Figure[]> {
  const stack = await Stack.start("--max-sessions", "200");
  try {
    const idleCommand = { command: ["/bin/sleep", "1000"], cols: 120, rows: 40 };
    // What the first sessions and sockets load and compile is not the price of the next.
    const warm = await stack.create(idleCommand);
    const first = stack.attach(warm);
    await first.when(() => first.isLive);

    const before = await rss(stack);
    const startedAt = performance.now();
    const sessions: SessionInfo[] = [];
    for (let n = 0; n < many; n += 1) sessions.push(await stack.create(idleCommand));
    const perSecond = many / ((performance.now() - startedAt) / 1_000);
    const withSessions = await rss(stack);
    for (const session of sessions) await stack.close(session);

    const beforeFull = await rss(stack);
    const line =
      "the quick brown fox jumps over the lazy dog, again and again, until the line is full of foxes, dogs and lazy jumps, x";
    const fill = `i=0; while [ $i -lt 5200 ]; do echo "$i ${line}"; i=$((i+1)); done; exec sleep 1000`;
    for (let n = 0; n < full; n += 1)
      await stack.create({ command: ["/bin/sh", "-c", fill], cols: 120, rows: 40 });
    await sleep(3_000);
    const withFull = await rss(stack);

    // A credential may hold 64 sockets at once, so several take part.
    const tokens = Array.from({ length: Math.ceil((socketsBefore + sockets) / 50) }, (_, n) =>
      stack.token(`viewer-${n}`),
    );
    const attach = async (count: number) => {
      const viewers = Array.from({ length: count }, (_, n) =>
        stack.attach(warm, tokens[n % tokens.length]),
      );
      await Promise.all(viewers.map((viewer) => viewer.when(() => viewer.isLive)));
      return viewers;
    };
    const earlier = await attach(socketsBefore);
    const beforeSockets = await rss(stack);
    const viewers = await attach(sockets);
    const withSockets = await rss(stack);
    for (const viewer of [...earlier, ...viewers]) viewer.socket.terminate();

    return [
      {
        name: "memory-idle-session",
        value: (withSessions - before) / many / 1_024,
        unit: "MiB",
        better: "lower",
        aim: { max: 1.5 },
      },
      {
        name: "memory-full-session",
        value: (withFull - beforeFull) / full / 1_024,
        unit: "MiB",
        better: "lower",
        aim: { max: 15 },
      },
      {
        name: "memory-idle-socket",
        value: (withSockets - beforeSockets) / sockets,
        unit: "KiB",
        better: "lower",
        aim: { max: 32 },
        note: "host and web together",
      },
      {
        name: "sessions-per-second",
        value: perSecond,
        unit: "1/s",
        better: "higher",
        aim: { min: 20 },
      },
    ];
  } finally {
    await stack.stop();
  }
}
