// Sessions that come and go through the API of real processes: complete output at the end, nothing left behind (PT3, PT11, SN3).
import { spawn } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { Server } from "../server.ts";
import { Caller, pause, until } from "./caller.ts";
import { carriersOf, isAlive, terminalDescriptors, threads, zombiesOf } from "./process-facts.ts";

let server: Server;
let owner: Caller;
let host: number;

beforeAll(async () => {
  server = new Server(["--max-sessions", "64"]);
  await server.start();
  owner = await Caller.owner(server);
  host = server.hostPid();
});
afterAll(async () => {
  owner?.dispose();
  await server?.stop();
});

const hellos = "hello".repeat(4096);

/** Ends as soon as it started; what a viewer that asks for all of it gets. */
async function fastExit(): Promise<string> {
  const { id } = await owner.create({ command: ["/bin/echo", "-n", hellos] });
  const viewer = owner.attach(id, "?since=0");
  await viewer.until("the exit", () => viewer.exited !== undefined);
  const { text } = viewer;
  viewer.dispose();
  await owner.close(id);
  return text;
}

async function fastExits(runs: number): Promise<number[]> {
  const lengths: number[] = [];
  for (let run = 0; run < runs; run += 4) {
    const texts = await Promise.all(Array.from({ length: 4 }, fastExit));
    for (const text of texts) lengths.push(text === hellos ? hellos.length : -text.length);
  }
  return lengths;
}

const complete = (runs: number) => Array.from({ length: runs }, () => hellos.length);

describe.sequential("sessions that end at once", () => {
  it("[PT3] [B001] 40 echoes of 20,480 bytes are complete", async () => {
    expect(await fastExits(40)).toEqual(complete(40));
  });

  it("[PT3] [B001] and with two processors' worth of other work", async () => {
    const burners = [0, 1].map(() =>
      spawn("/bin/sh", ["-c", "while :; do :; done"], { stdio: "ignore" }),
    );
    try {
      expect(await fastExits(40)).toEqual(complete(40));
    } finally {
      for (const burner of burners) burner.kill("SIGKILL");
    }
  });

  it("[SC2] [B128] 2 MB printed by a program that has ended can be had as often as one likes, until it is closed", async () => {
    const { id } = await owner.script("seq 1 280000");
    await owner.untilExit(id);
    const wanted = Array.from({ length: 280_000 }, (_, i) => `${i + 1}\r\n`).join("");
    for (let time = 0; time < 2; time += 1) {
      const viewer = owner.attach(id, "?since=0");
      await viewer.until("the exit", () => viewer.exited !== undefined);
      expect(viewer.text === wanted).toBe(true);
      viewer.dispose();
    }
    expect(await owner.screen(id)).toMatchObject({ exited: true, exit_code: 0 });
    await owner.close(id);
    expect((await owner.raw("GET", `/sessions/${id}/screen`)).status).toBe(404);
  });
});

describe.sequential("viewers that come during a flood", () => {
  it("[SN3] [B021] 20 end equal to the server and to each other, every number once", async () => {
    const flood =
      "stty -echo; i=0; until read -t 0.02 x; do seq $((i*2000+1)) $(((i+1)*2000)); i=$((i+1)); done; printf LAST-$((1+1))";
    const { id } = await owner.create({
      command: ["/bin/bash", "-c", flood],
      cols: 80,
      rows: 24,
    });
    const viewers = [];
    for (let n = 0; n < 20; n += 1) {
      viewers.push(owner.attach(id));
      await pause((n * 7) % 30);
    }
    await Promise.all(viewers.map((viewer) => viewer.attached()));
    expect(viewers.every(({ exited }) => exited === undefined)).toBe(true);
    await owner.input(id, { key: "Enter" });
    await Promise.all(
      viewers.map((viewer) => viewer.until("the exit", () => viewer.exited !== undefined)),
    );
    const { lines } = await owner.screen(id);
    expect(lines.at(-1)).toBe("LAST-2");
    let first: string[] | undefined;
    for (const viewer of viewers) {
      const terminal = await viewer.terminal();
      const { active } = terminal.buffer;
      // 5,000 lines are kept by the server; this terminal keeps more.
      const rows = Array.from({ length: active.length }, (_, y) =>
        active.getLine(y)?.translateToString(true),
      ).slice(-5_000) as string[];
      terminal.dispose();
      expect(rows.slice(-24)).toEqual(lines);
      first ??= rows;
      expect(rows).toEqual(first);
    }
    const numbers = (first ?? []).slice(0, -1).map(Number);
    expect(numbers.length).toBeGreaterThan(1_000);
    expect(numbers.every((number, i) => number === (numbers[0] ?? 0) + i)).toBe(true);
    for (const viewer of viewers) viewer.dispose();
    await owner.close(id);
  });
});

describe.sequential("sessions that end in every way", () => {
  const ready = (script: string) => owner.script(`${script} printf READY; exec cat`);
  const untilReady = ({ id }: SessionInfo) => owner.untilText(id, "READY");

  /** Each starts a session, ends its program, and leaves what such programs leave. */
  const ways: Record<string, () => Promise<SessionInfo>> = {
    "natural exit": async () => {
      const session = await owner.script("echo natural");
      await owner.untilExit(session.id);
      return session;
    },
    "DELETE while it runs": async () => {
      const session = await ready("sleep 600 &");
      await untilReady(session);
      return session;
    },
    "kill -9 of the shell": async () => {
      const session = await ready("sleep 600 &");
      await untilReady(session);
      process.kill(session.pid, "SIGKILL");
      await owner.untilExit(session.id);
      return session;
    },
    "setsid leftover": async () => {
      const session = await owner.script("setsid sleep 600 & printf left");
      await owner.untilExit(session.id);
      return session;
    },
    "nohup leftover": async () => {
      const session = await owner.script("nohup sleep 600 >/dev/null 2>&1 & printf left");
      await owner.untilExit(session.id);
      return session;
    },
  };

  it("[PT11] [B003] [T108] 200 leave no descriptor, thread, zombie or process; the 201st works", {
    timeout: 120_000,
  }, async () => {
    const before = { terminals: terminalDescriptors(host), threads: threads(host) };
    const ids: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const started = await Promise.all(Object.values(ways).flatMap((way) => [way(), way()]));
      ids.push(...started.map(({ id }) => id));
      const viewer = owner.attach(started[0]?.id ?? "");
      await viewer.attached();
      await Promise.all(started.map(({ id }) => owner.close(id, "HUP")));
      await viewer.untilClosed();
      expect(viewer.closed?.code).toBe(4404);
    }
    expect(ids).toHaveLength(200);
    const left = () => ids.flatMap((id) => carriersOf("COTTY_SESSION", id));
    await until("the last of them", () => left().length === 0, 20_000);
    await until(
      "descriptors and threads to come back",
      () => terminalDescriptors(host) === before.terminals && threads(host) <= before.threads + 2,
    );
    expect(zombiesOf(host)).toBe(0);
    expect(isAlive(host)).toBe(true);
    const next = await owner.script("echo $((100+101)); exec cat");
    await owner.untilText(next.id, "201");
    await owner.close(next.id);
  });
});
