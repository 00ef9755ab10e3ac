// (f) Reading the screen and typing through web, beside 20 busy sessions, web and host and all on one core; against a bare node:http server there.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Figure, percentile } from "./figure.ts";
import { exchange, type LoadResult, type LoadTarget, load, together } from "./http-load.ts";
import { onOneCore } from "./one-core.ts";
import { Stack } from "./stack.ts";

const busySessions = 20;
/** Ours and the yardstick take turns, so that a machine that changes its speed changes both. */
const rounds = 3;
const roundSeconds = 2;
const warmSeconds = 0.5;

/** A few coloured lines per second, for ever. */
const busy = `i=0; while :; do i=$((i+1)); printf '\\033[3%dm%06d\\033[m the quick brown fox jumps over the lazy dog\\n' $((i % 8)) $i; sleep 0.25; done`;
/** Takes what is typed and shows nothing. */
const taker = "stty raw -echo; echo READY; exec cat >/dev/null";

interface Compared {
  readonly ours: LoadResult;
  readonly yardstick: LoadResult;
}

async function echoServer(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "echo-server.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
    child.once("exit", (code) => reject(new Error(`the echo server ended with ${code}`)));
  });
  return { child, url: `http://127.0.0.1:${port}/` };
}

async function compare(ours: LoadTarget, yardstick: LoadTarget): Promise<Compared> {
  await load(ours, warmSeconds);
  await load(yardstick, warmSeconds);
  const found: { ours: LoadResult[]; yardstick: LoadResult[] } = { ours: [], yardstick: [] };
  for (let round = 0; round < rounds; round += 1) {
    found.yardstick.push(await load(yardstick, roundSeconds));
    found.ours.push(await load(ours, roundSeconds));
  }
  return { ours: together(found.ours), yardstick: together(found.yardstick) };
}

function figures(name: string, { ours, yardstick }: Compared, where: string): Figure[] {
  const show = ({ perSecond, latencies }: LoadResult) =>
    `${perSecond.toFixed(0)} req/s, p50 ${percentile(latencies, 0.5).toFixed(2)}, p99 ${percentile(latencies, 0.99).toFixed(2)} ms`;
  const note = `${show(ours)}; node:http ${show(yardstick)}; ${where}`;
  return [
    {
      name: `${name}-rate`,
      value: ours.perSecond / yardstick.perSecond,
      unit: "x node:http",
      better: "higher",
      note,
    },
    {
      name: `${name}-p99`,
      value: percentile(ours.latencies, 0.99),
      unit: "ms",
      better: "lower",
      note,
    },
  ];
}

export async function api(): Promise<Figure[]> {
  const stack = await Stack.start("--max-sessions", String(busySessions + 1));
  const echo = await echoServer();
  try {
    const isPinned = onOneCore([stack.webPid, stack.host.record.pid, echo.child.pid ?? 0]);
    const sessions = [];
    for (let n = 0; n < busySessions; n += 1)
      sessions.push(await stack.create({ command: ["/bin/sh", "-c", busy], cols: 120, rows: 40 }));
    const typed = await stack.create({ command: ["/bin/sh", "-c", taker], cols: 120, rows: 40 });
    // A screenful each: that is what an agent reads.
    await sleep(40 * 250);

    const headers = {
      authorization: `Bearer ${stack.token("bench")}`,
      "content-type": "application/json",
    };
    const session = (id: string | undefined) => `${stack.url}/api/v1/sessions/${id}`;
    const screen: LoadTarget = {
      url: `${session(sessions[0]?.id)}/screen`,
      method: "GET",
      headers,
    };
    const input: LoadTarget = {
      url: `${session(typed.id)}/input`,
      method: "POST",
      headers,
      body: JSON.stringify({ input: [{ text: "ls -la" }, { key: "Enter" }] }),
    };
    const yardstick = { url: echo.url, headers: { "content-type": "application/json" } };
    await exchange({ ...yardstick, method: "PUT", body: await exchange(screen) });

    const reads = await compare(screen, { ...yardstick, method: "GET" });
    const writes = await compare(input, { ...yardstick, method: "POST", body: input.body ?? "" });
    const where = `8 connections, ${isPinned ? "servers and sessions on one core" : "NOT PINNED to a core"}`;
    return [...figures("api-screen", reads, where), ...figures("api-input", writes, where)];
  } finally {
    echo.child.kill();
    await stack.stop();
  }
}
