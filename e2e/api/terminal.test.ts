// What programs, viewers and agents see of one terminal through both processes: answers to queries, sizes, floods, and the quick start.
import { spawn } from "node:child_process";
import headless from "@xterm/headless";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { Server } from "../server.ts";
import { Caller, pause, until } from "./caller.ts";
import { beginSilences, type Silences } from "./long-silences.ts";
import { rssMiB } from "./process-facts.ts";

let server: Server;
let owner: Caller;
let silences: Silences;

beforeAll(async () => {
  // First, so that they are nearly over when their turn comes.
  silences = await beginSilences();
  server = new Server();
  await server.start();
  owner = await Caller.owner(server);
});
afterAll(async () => {
  owner?.dispose();
  await server?.stop();
  await silences?.stop();
});
afterEach(async () => {
  owner.dispose();
  const { sessions } = await owner.call<{ sessions: SessionInfo[] }>("GET", "/sessions");
  await Promise.all(sessions.map(({ id }) => owner.close(id)));
});

const size = { cols: 80, rows: 24 };

describe.sequential("the terminal's own answers", () => {
  it.each([0, 1, 3])("[SC3] [B024] each query is answered once with %i viewers", async (count) => {
    const { id } = await owner.create({
      command: [
        "/bin/bash",
        "-c",
        "stty raw -echo; printf READY; read -N 1 x; printf '\\033[6n\\033[c'; exec cat -v",
      ],
      ...size,
    });
    await owner.untilText(id, "READY");
    const viewers = Array.from({ length: count }, (_, n) =>
      owner.attach(id, n === 0 ? "?readonly=1" : ""),
    );
    await Promise.all(viewers.map((viewer) => viewer.attached()));
    await owner.input(id, { text: "g" });
    // Typed after the answers, so it is seen after whatever else had been answered.
    await owner.untilText(id, "c");
    await owner.input(id, { text: "END" });
    const { lines } = await owner.untilText(id, "END");
    expect(lines[0]).toBe("READY^[[1;6R^[[?1;2cEND");
  });

  it("[SC3] [B025] a program gets its answer with nobody attached, before the first viewer and after the last", async () => {
    const ask = [
      "ask() {",
      "  stty raw -echo min 0 time 100; printf '\\033[c'",
      "  x=$(head -c 3); stty min 0 time 1; cat >/dev/null; stty min 1 time 0",
      '  if [ -n "$x" ]; then printf GOT$1; else printf NONE$1; fi',
      "}",
      "ask 1; head -c 1 >/dev/null; ask 2; exec cat",
    ].join("\n");
    const { id } = await owner.script(ask, size);
    await owner.untilText(id, "GOT1");
    const viewer = owner.attach(id);
    await viewer.attached();
    viewer.dispose();
    await until("the viewer to be gone", async () => (await owner.info(id)).viewers === 0);
    await owner.input(id, { text: "g" });
    await owner.untilText(id, "GOT2");
  });

  it("[SC3] [T8D] [B023] a viewer that comes back is asked nothing, and types nothing", async () => {
    const { id } = await owner.create({
      command: [
        "/bin/bash",
        "-c",
        "stty raw -echo; printf '\\033[c\\033[6n\\033[?2026$p\\033]11;?\\007\\033[>0q'; read -t 0.3 -d '' x; printf '\\r\\n$ '; exec cat -v",
      ],
      ...size,
    });
    const before = await owner.untilText(id, "$");
    for (let time = 0; time < 3; time += 1) {
      const viewer = owner.attach(id);
      await viewer.attached();
      const terminal = new headless.Terminal({ ...size, allowProposedApi: true, logLevel: "off" });
      const answers: string[] = [];
      terminal.onData((data) => answers.push(data));
      for (const { data } of viewer.snapshot)
        await new Promise<void>((resolve) => terminal.write(data, resolve));
      expect(answers).toEqual([]);
      terminal.dispose();
      viewer.dispose();
    }
    await owner.input(id, { text: "END" });
    const after = await owner.untilText(id, "END");
    expect(after.lines[1]).toBe(`${before.lines[1] ?? ""} END`);
  });
});

describe.sequential("sizes", () => {
  it("[B056] [SZ3] a viewer with a bad layout shrinks nothing, and the smallest size shreds nothing", async () => {
    const { id } = await owner.create({
      command: ["/bin/sh", "-c", "seq 1 60; exec cat"],
      ...size,
    });
    const before = await owner.untilText(id, "60");
    const viewer = owner.attach(id);
    await viewer.attached();
    for (const bad of [
      { cols: 0, rows: 0 },
      { cols: 1, rows: 1 },
      { cols: 2, rows: 501 },
    ]) {
      viewer.send({ type: "use_my_size", ...bad });
    }
    await viewer.until("three refusals", () => viewer.errors.length === 3);
    expect(viewer.closed).toBeUndefined();
    expect(await owner.screen(id)).toMatchObject({ ...size, hash: before.hash });
    viewer.send({ type: "use_my_size", cols: 2, rows: 1 });
    await owner.untilScreen(id, "the smallest size", ({ cols, rows }) => cols === 2 && rows === 1);
    viewer.send({ type: "use_my_size", ...size });
    const after = await owner.untilScreen(id, "80 columns again", ({ cols }) => cols === 80);
    expect(after.lines.filter(Boolean).slice(-10)).toEqual(before.lines.filter(Boolean).slice(-10));
  });

  it("[SZ4] a storm through API and attach at once ends with everybody at the last size", async () => {
    const { id } = await owner.create({
      command: ["/bin/bash", "-c", "printf READY; while read -r x; do stty size; done"],
      ...size,
    });
    await owner.untilText(id, "READY");
    const viewers = [owner.attach(id), owner.attach(id)];
    await Promise.all(viewers.map((viewer) => viewer.attached()));
    const storm = viewers.map(async (viewer, n) => {
      for (let i = 0; i < 200; i += 1) {
        viewer.send({
          type: n === 0 ? "use_my_size" : "resize",
          cols: 40 + (i % 90),
          rows: 10 + n,
        });
        await pause(5);
      }
    });
    for (let i = 0; i < 60; i += 1) {
      const reply = await owner.raw("POST", `/sessions/${id}/resize`, { cols: 50 + i, rows: 30 });
      expect(reply.status).toBe(200);
    }
    await Promise.all(storm);
    // What a viewer sends too fast waits its turn (T56), this one the longest.
    viewers[0]?.send({ type: "use_my_size", cols: 133, rows: 10 });
    await owner.untilScreen(id, "the viewer's last size", ({ cols }) => cols === 133);
    await owner.call("POST", `/sessions/${id}/resize`, { cols: 101, rows: 33 });
    // Sizes are taken at most 20 times a second: within 50 ms of the answer.
    await owner.untilScreen(id, "the size set last", ({ cols }) => cols === 101);
    await owner.input(id, { key: "Enter" });
    const screen = await owner.untilText(id, "33 101");
    expect(screen).toMatchObject({ cols: 101, rows: 33 });
    expect(await owner.info(id)).toMatchObject({ cols: 101, rows: 33 });
    for (const viewer of viewers) {
      await viewer.untilText("33 101");
      const terminal = await viewer.terminal();
      expect([terminal.cols, terminal.rows]).toEqual([101, 33]);
      terminal.dispose();
    }
  });
});

describe.sequential("a lot of output", () => {
  it("[SC6] [B136] 40 MB of NUL and a listing end soon with a viewer; C-c stops a flood every time", async () => {
    const { id } = await owner.create({
      command: ["/bin/bash", "--norc", "--noprofile", "-i"],
      ...size,
      env: { PS1: "$ " },
    });
    const viewer = owner.attach(id);
    await viewer.attached();
    const startedAt = performance.now();
    await owner.line(
      id,
      "head -c 40000000 /dev/zero; ls -lR /usr/lib | head -30000; echo DONE-$((1+1))",
    );
    await owner.untilText(id, "DONE-2", 60_000);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`40 MB of NUL and a listing took ${seconds.toFixed(1)} s`);
    for (let time = 1; time <= 3; time += 1) {
      // Of its own text: what the last one left on the screen says nothing of whether this one runs.
      await owner.line(id, `yes flood-${time}`);
      await owner.untilScreen(id, "a flood", ({ lines }) =>
        lines.slice(1, 20).every((l) => l === `flood-${time}`),
      );
      const pressedAt = performance.now();
      await owner.input(id, { key: "C-c" });
      await owner.line(id, `echo STOP-$((${time}+1))`);
      await owner.untilText(id, `STOP-${time + 1}`, 10_000);
      const stopMs = performance.now() - pressedAt;
      console.log(`C-c and the next command took ${Math.round(stopMs)} ms (aim 1,000)`);
      expect(stopMs).toBeLessThan(8_000);
    }
  });

  it("[B134] twelve sessions full of wide coloured lines cost a bounded amount, and the next twelve no more", {
    timeout: 90_000,
  }, async () => {
    const host = server.hostPid();
    const fill =
      "i=0; while [ $i -lt 40 ]; do seq -f '\\033[3%gm%g 中文字 wide and coloured, up to the end of the line, and then some' 1 150 | sed 's/\\\\033/\\x1b/g'; i=$((i+1)); done; printf FULL; exec cat";
    const before = rssMiB(host);
    const peaks: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const made = await Promise.all(
        Array.from({ length: 12 }, () => owner.script(fill, { cols: 120, rows: 40 })),
      );
      await Promise.all(made.map(({ id }) => owner.untilText(id, "FULL", 60_000)));
      peaks.push(rssMiB(host));
      await Promise.all(made.map(({ id }) => owner.close(id)));
    }
    const [first = 0, , third = 0] = peaks;
    console.log(
      `host ${Math.round(before)} MiB; with twelve full sessions ${peaks.map(Math.round).join(", ")} MiB`,
    );
    expect((first - before) / 12).toBeLessThan(25);
    expect(third - before).toBeLessThan((first - before) * 1.5 + 40);
  });
});

describe("the quick start", () => {
  it("[OP1] [OP2] three curl commands make a session, type and read the screen", async () => {
    const script = `
      set -e
      curl -fsS -X POST "$URL/api/v1/sessions" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"command":["/bin/sh"],"name":"demo"}' > "$OUT"
      ID=$(sed 's/.*"id":"\\([^"]*\\)".*/\\1/' "$OUT")
      curl -fsS -X POST "$URL/api/v1/sessions/$ID/input" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"input":[{"text":"echo hello-$((40+2))"},{"key":"Enter"}]}'
      n=0
      until curl -fsS "$URL/api/v1/sessions/$ID/screen" -H "Authorization: Bearer $TOKEN" > "$OUT" && grep -q hello-42 "$OUT"; do n=$((n+1)); [ $n -lt 100 ]; sleep 0.1; done
      cat "$OUT"
      curl -fsS -X DELETE "$URL/api/v1/sessions/$ID" -H "Authorization: Bearer $TOKEN"
    `;
    const child = spawn("/bin/sh", ["-c", script], {
      env: {
        ...process.env,
        URL: server.url,
        TOKEN: await server.token("agent"),
        OUT: `${server.stateDir}/quick.json`,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.stderr.on("data", (chunk) => {
      text += chunk;
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect(text).toContain('{"written":2}');
    expect(text).toContain("hello-42");
    expect(code).toBe(0);
  });
});

describe.sequential("long silences", () => {
  it("[AT7] a session that was deleted elsewhere is watched for 30 s: nobody asks for it again", {
    timeout: 60_000,
  }, async () => {
    const { watchedMs, state, opened } = await silences.deletion;
    expect(watchedMs).toBeGreaterThanOrEqual(29_900);
    expect(state).toBe("ended 4404");
    expect(opened).toEqual({ before: 1, after: 1 });
  });

  it("[AT8] [AT9] 60 s without network in the middle of vim: same screen and modes, nothing typed by itself", {
    timeout: 150_000,
  }, async () => {
    const after = await silences.network;
    expect(after.silentMs).toBeGreaterThanOrEqual(60_000);
    // The client found out by itself, tried again, and is back; the first word of the list is how it began.
    expect(after.states).toContain("waiting");
    expect(after.states.at(-1)).toBe("live");
    expect(after.rows.client).toEqual(after.rows.socket);
    expect(after.rows.server[0]).toBe("before during");
    expect(after.rows.client[0]?.trimEnd()).toBe("before during");
    expect(after.mouse).toBe("drag");
    // A bare socket that comes back by offset goes on there, without a snapshot.
    expect(after.resumed).toEqual({
      asked: after.resumed.asked,
      at: after.resumed.asked,
      snapshots: 0,
    });
    expect(after.file).toBe("before during after\n");
  });
});
