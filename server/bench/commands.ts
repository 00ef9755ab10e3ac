// (f) A thousand commands in one bash, one after the other, each with its exit code and output: through `act`, by hand in a bare terminal (the
// shell's own time), and as programs do it with tmux: send-keys, then capture-pane until a mark is there.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { newSessionId } from "#lib/protocol/ids.ts";
import type { ActReply } from "#lib/protocol/wait.ts";
import { resolveSpawnSpec } from "#server/host/pty/spawn-spec.ts";
import { type Figure, percentile } from "./figure.ts";
import { rawPty } from "./raw-pty.ts";
import { Stack } from "./stack.ts";

const count = 1_000;
/** In turns, so that whatever else the machine does falls on all of them alike. */
const rounds = 5;
const tmuxCount = 200;
const run = promisify(execFile);

interface Asked {
  readonly text: string;
  readonly code: number;
  readonly output: string;
}

function command(n: number): Asked {
  return { text: `echo out-$((${n}*3)); (exit ${n % 7})`, code: n % 7, output: `out-${n * 3}` };
}

function sorted(times: number[]): number[] {
  return times.sort((a, b) => a - b);
}

interface Runner {
  /** Milliseconds of each. */
  run(from: number, to: number): Promise<number[]>;
  end(): Promise<void>;
}

/** The shell's own time, from Enter to its next prompt: bash as a host would start it, in a bare terminal. */
async function bare(integration: "auto" | "off", home: string): Promise<Runner> {
  const { file, args, env } = resolveSpawnSpec(
    { command: ["bash"], integration, env: { HOME: home } },
    { sessionId: newSessionId(), environment: process.env },
  );
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const pty = rawPty("/usr/bin/env", ["-i", ...variables, "PS1=$ ", file, ...args]);
  let seen = "";
  let heard: () => void = () => {};
  pty.onData((bytes) => {
    seen += bytes.toString("latin1");
    heard();
  });
  const until = (mark: string) =>
    new Promise<void>((resolve) => {
      heard = () => {
        if (!seen.includes(mark)) return;
        heard = () => {};
        resolve();
      };
      heard();
    });
  // Bracketed paste is turned on when the line editor is ready.
  const ready = "\x1b[?2004h";
  await until(ready);
  const run = async (from: number, to: number) => {
    const times: number[] = [];
    for (let n = from; n < to; n += 1) {
      seen = "";
      const startedAt = performance.now();
      pty.write(`${command(n).text}\r`);
      await until(ready);
      times.push(performance.now() - startedAt);
    }
    return times;
  };
  return { run, end: async () => pty.kill() };
}

async function ours(stack: Stack, home: string): Promise<Runner> {
  const env = { HOME: home };
  const session = await stack.create({ command: ["bash"], cols: 120, rows: 40, env });
  const path = `/sessions/${session.id}`;
  await stack.call("POST", `${path}/wait`, { for: [{ prompt: true }] });
  const run = async (from: number, to: number) => {
    const times: number[] = [];
    for (let n = from; n < to; n += 1) {
      const { text, code, output } = command(n);
      const startedAt = performance.now();
      const reply = await stack.call<ActReply>("POST", `${path}/act`, {
        input: [{ text: `${text}\n` }],
        read: "command",
      });
      times.push(performance.now() - startedAt);
      const got = reply.command?.output.text.trim();
      if (reply.wait.exit_code !== code || got !== output)
        throw new Error(`command ${n}: ${JSON.stringify(reply)}`);
    }
    return times;
  };
  return { run, end: () => stack.close(session) };
}

async function tmux(): Promise<{ times: number[]; wrong: number }> {
  const folder = mkdtempSync(join(tmpdir(), "cotty-bench-tmux-"));
  const socket = join(folder, "socket");
  const call = async (...args: string[]) =>
    (await run("tmux", ["-S", socket, "-f", "/dev/null", ...args])).stdout;
  await call("new-session", "-d", "-x", "120", "-y", "40", "bash --noprofile --norc -i");
  const times: number[] = [];
  let wrong = 0;
  for (let n = 0; n < tmuxCount; n += 1) {
    const { text, code, output } = command(n);
    const startedAt = performance.now();
    await call("send-keys", "-l", `${text}; echo "mark-${n}:"$?`);
    await call("send-keys", "Enter");
    for (;;) {
      const screen = await call("capture-pane", "-p", "-S", "-10");
      const found = new RegExp(`^mark-${n}:(\\d+)$`, "m").exec(screen);
      if (!found) continue;
      if (Number(found[1]) !== code || !screen.includes(`${output}\n`)) wrong += 1;
      break;
    }
    times.push(performance.now() - startedAt);
  }
  await call("kill-server");
  rmSync(folder, { recursive: true, force: true });
  return { times: sorted(times), wrong };
}

export async function commands(): Promise<Figure[]> {
  const stack = await Stack.start();
  // Whatever a person's own start-up files do is neither the shell's time nor ours.
  const home = mkdtempSync(join(tmpdir(), "cotty-bench-home-"));
  try {
    const runners = [
      await ours(stack, home),
      await bare("auto", home),
      await bare("off", home),
    ] as const;
    const all: number[][] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      const [from, to] = [(round * count) / rounds, ((round + 1) * count) / rounds];
      for (const [i, runner] of runners.entries()) all[i]?.push(...(await runner.run(from, to)));
    }
    for (const runner of runners) await runner.end();
    const [act = [], own = [], plain = []] = all.map(sorted);
    const other = await tmux();
    const [actMs, ownMs, tmuxMs] = [act, own, other.times].map((all) => percentile(all, 0.5)) as [
      number,
      number,
      number,
    ];
    const figures = `act p50 ${actMs.toFixed(2)} ms, p99 ${percentile(act, 0.99).toFixed(2)} ms; the same shell alone p50 ${ownMs.toFixed(2)} ms, without marks ${percentile(plain, 0.5).toFixed(2)} ms; tmux send-keys + capture-pane p50 ${tmuxMs.toFixed(2)} ms (${other.wrong} of ${tmuxCount} wrong)`;
    return [
      {
        name: "command-overhead-p50",
        value: actMs - ownMs,
        unit: "ms",
        better: "lower",
        aim: { max: 5 },
        note: figures,
      },
      {
        name: "command-tmux-p50",
        value: tmuxMs / actMs,
        unit: "x act",
        better: "higher",
        note: figures,
      },
    ];
  } finally {
    await stack.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
