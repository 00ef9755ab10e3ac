// Issue 3, shown by 1: what the reference daemon's description promises, over HTTP, with the base path /api/v1 and a bearer header added.
// Where our own rules differ from it, docs/decisions/009 says so: a token is always needed; LF in text is typed as Enter; an exit by signal
// has no exit_code; resize answers with the session and mouse with its reports; control messages of attach carry a type.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sessionInfoSchema } from "#lib/protocol/session.ts";
import { applicationKeys, keyBytes, keyModifiers, keyTable } from "#server/testing/key-table.ts";
import { Server } from "../server.ts";
import { Probe } from "./agents-probe.ts";
import { Caller, until } from "./caller.ts";
import { isAlive } from "./process-facts.ts";

let server: Server;
let agent: Caller;
let folder: string;

beforeAll(async () => {
  server = new Server();
  await server.start();
  agent = new Caller(server, await server.token("agent"));
  folder = mkdtempSync(join(tmpdir(), "cotty-reference-"));
});
afterAll(async () => {
  agent?.dispose();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  agent.dispose();
  const { sessions } = await agent.call<{ sessions: { id: string }[] }>("GET", "/sessions");
  await Promise.all(sessions.map(({ id }) => agent.close(id)));
});

/** One line of shell, by bash. */
function bash(line: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", line], { encoding: "utf8" }, (error, stdout, stderr) =>
      error ? reject(new Error(`${line}\n${stderr}`)) : resolve(stdout),
    );
  });
}

const ready = (script: string) => `stty -echo; ${script}; printf READY; exec cat >/dev/null`;

async function problem(reply: Response, status: number) {
  expect(reply.status).toBe(status);
  return (await reply.json()) as Record<string, unknown> & { error: string };
}

describe("its quick start", () => {
  it("[IN1] [MS1] [OP1] [OP2] four curl lines: create, type, read, click", async () => {
    const home = mkdtempSync(join(folder, "home-"));
    writeFileSync(join(home, "notes.txt"), "0123456789abcdef\n".repeat(8));
    // As it stands but for address and header: no content type, curl's own method and quoting.
    const base = `localhost:${server.port}/api/v1`;
    const auth = `-H 'Authorization: Bearer ${agent.token}'`;

    const made = JSON.parse(
      await bash(
        `curl -s -XPOST ${base}/sessions ${auth} -d'{"command":["bash"],"cols":100,"rows":30}'`,
      ),
    );
    expect(made).toMatchObject({ pid: expect.any(Number), command: ["bash"], cols: 100, rows: 30 });
    const { id } = made;
    // The file that the reference opens is to be one that a click can be seen in.
    await agent.line(id, `cd ${home}; export HOME=${home}; echo THERE-$((40+2))`);
    await agent.untilText(id, "THERE-42");

    expect(
      await bash(
        `curl -s -XPOST ${base}/sessions/${id}/input ${auth} \\\n-d'{"input":[{"text":"vim notes.txt"},{"key":"Enter"}]}'`,
      ),
    ).toBe('{"written":2}');
    await agent.untilScreen(id, "vim", ({ lines, modes }) =>
      Boolean(lines[7]?.startsWith("0123") && modes.mouse !== "off"),
    );

    const screen = JSON.parse(await bash(`curl -s ${base}/sessions/${id}/screen ${auth}`));
    expect(screen).toMatchObject({
      cols: 100,
      rows: 30,
      cursor: { x: 0, y: 0, visible: true },
      modes: { mouse_encoding: "sgr", bracketed_paste: true, app_cursor_keys: true },
      alt_screen: true,
      exited: false,
      exit_code: null,
    });
    expect(screen.lines).toHaveLength(30);
    expect(screen.lines[0]).toBe("0123456789abcdef");

    await bash(
      `curl -sf -XPOST ${base}/sessions/${id}/mouse ${auth} \\\n-d'{"type":"click","button":"left","x":10,"y":3}'`,
    );
    await agent.untilScreen(id, "vim's cursor where it was clicked", ({ cursor }) =>
      Boolean(cursor.x === 10 && cursor.y === 3),
    );
  });
});

describe("its table of calls", () => {
  it("[OP1] POST /sessions takes command, cwd, env, cols, rows, term, and needs none of them", async () => {
    const cwd = mkdtempSync(join(folder, "cwd-"));
    const made = await agent.raw("POST", "/sessions", {
      command: ["/bin/sh", "-c", 'echo "$K|$TERM|$PWD|$(stty size)"; exec cat'],
      cwd,
      env: { K: "V" },
      cols: 90,
      rows: 33,
      term: "vt220",
    });
    expect(made.status).toBe(201);
    const { id } = sessionInfoSchema.parse(await made.json());
    await agent.untilText(id, `V|vt220|${cwd}|33 90`);

    const base = `${server.url}/api/v1`;
    const bare = await bash(
      `curl -s -XPOST ${base}/sessions -H 'Authorization: Bearer ${agent.token}'`,
    );
    // The server of this test runs with SHELL=/bin/bash.
    expect(JSON.parse(bare)).toMatchObject({ command: ["/bin/bash"], cols: 80, rows: 24 });
    await agent.line(JSON.parse(bare).id, 'echo "$0 $TERM"-$((40+2))');
    await agent.untilText(JSON.parse(bare).id, "xterm-256color-42");
  });

  it("[OP1] GET /sessions and GET /sessions/{id} tell what runs", async () => {
    const first = await agent.script("exec cat");
    const second = await agent.script("printf '\\033]2;its title\\007'; exit 3");
    await agent.untilExit(second.id);
    const { sessions } = await agent.call<{ sessions: { id: string }[] }>("GET", "/sessions");
    expect(sessions.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(await agent.info(first.id)).toMatchObject({
      id: first.id,
      pid: expect.any(Number),
      command: ["/bin/sh", "-c", "exec cat"],
      cols: 80,
      rows: 24,
      title: "",
      exited: false,
      exit_code: null,
    });
    expect(await agent.info(second.id)).toMatchObject({
      title: "its title",
      exited: true,
      exit_code: 3,
    });
  });

  it("[PT11] DELETE /sessions/{id} sends each signal by name, HUP unless named, and KILL after 3 s", async () => {
    mkdirSync(join(folder, "signals"), { recursive: true });
    const note = (name: string) => join(folder, "signals", name);
    const trapping = (name: string, signal: string) =>
      ready(`trap 'echo ${signal} > ${note(name)}; exit' ${signal}`).replace(
        "exec cat >/dev/null",
        "while :; do sleep 0.05; done",
      );
    const cases: [string, string, string][] = [
      ["default", "HUP", ""],
      ...["HUP", "TERM", "INT", "QUIT", "USR1", "USR2"].map((signal): [string, string, string] => [
        signal,
        signal,
        `?signal=${signal}`,
      ]),
    ];
    const ended = cases.map(async ([name, signal, query]) => {
      const { id, pid } = await agent.script(trapping(name, signal));
      await agent.untilText(id, "READY");
      const reply = await agent.raw("DELETE", `/sessions/${id}${query}`);
      expect([name, reply.status, await reply.text()]).toEqual([name, 204, ""]);
      await until(`${name} to be noted`, () => existsSync(note(name)));
      expect(readFileSync(note(name), "utf8")).toBe(`${signal}\n`);
      expect(isAlive(pid)).toBe(false);
      expect((await agent.raw("GET", `/sessions/${id}/screen`)).status).toBe(404);
    });
    const stubborn = (async () => {
      const { id, pid } = await agent.script(
        "trap '' HUP; printf READY; while :; do sleep 0.1; done",
      );
      await agent.untilText(id, "READY");
      const askedAt = performance.now();
      expect((await agent.raw("DELETE", `/sessions/${id}`)).status).toBe(204);
      await until("the stubborn program's end", () => !isAlive(pid));
      expect(performance.now() - askedAt).toBeGreaterThan(2_500);
    })();
    const killed = (async () => {
      const { id, pid } = await agent.script("trap '' HUP; printf READY; exec sleep 60");
      await agent.untilText(id, "READY");
      expect((await agent.raw("DELETE", `/sessions/${id}?signal=KILL`)).status).toBe(204);
      await until("the end at once", () => !isAlive(pid));
    })();
    const unknown = await agent.script("exec cat");
    await problem(await agent.raw("DELETE", `/sessions/${unknown.id}?signal=STOP`), 400);
    await Promise.all([...ended, stubborn, killed]);
  });

  it("[OP1] POST /sessions/{id}/resize is 200 and the program sees the size", async () => {
    const { id } = await agent.script("printf READY; while read -r x; do stty size; done");
    await agent.untilText(id, "READY");
    const reply = await agent.raw("POST", `/sessions/${id}/resize`, { cols: 120, rows: 40 });
    expect(reply.status).toBe(200);
    await agent.untilScreen(id, "the size", ({ cols, rows }) => cols === 120 && rows === 40);
    await agent.input(id, { key: "Enter" });
    await agent.untilText(id, "40 120");
  });

  it("[AT1] GET /sessions/{id}/attach upgrades: binary is terminal bytes both ways, text is JSON, read-only is the server's", async () => {
    const { id } = await agent.script("stty raw -echo; printf READY; exec cat -v");
    await agent.untilText(id, "READY");
    const viewer = agent.attach(id);
    await viewer.attached();
    viewer.type("typed\x01");
    await viewer.until("the echo", () => viewer.text.includes("typed^A"));
    const reader = agent.attach(id, "?readonly=1");
    await reader.attached();
    reader.type("never");
    await reader.until("the refusal", () => reader.errors.length > 0);
    expect(reader.errors).toMatchObject([{ code: "READ_ONLY" }]);
    await agent.close(id, "KILL");
    expect((await agent.raw("GET", `/sessions/${id}/attach`)).status).toBe(400);
  });

  it("[HT1] every error has an `error` beside a real status", async () => {
    const { id } = await agent.script("exec cat");
    const nowhere = `/sessions/${"a".repeat(26)}`;
    for (const [method, path, body, status] of [
      ["GET", nowhere, undefined, 404],
      ["DELETE", nowhere, undefined, 404],
      ["GET", `${nowhere}/screen`, undefined, 404],
      ["POST", `${nowhere}/input`, { input: [{ text: "x" }] }, 404],
      ["POST", `${nowhere}/mouse`, { type: "press", button: "left", x: 0, y: 0 }, 404],
      ["POST", `${nowhere}/resize`, { cols: 80, rows: 24 }, 404],
      ["POST", "/sessions", { command: ["/no/such/program"] }, 400],
      ["POST", "/sessions", { cwd: "/no/such/folder" }, 400],
      ["POST", `/sessions/${id}/resize`, { cols: 0, rows: 24 }, 400],
      ["PUT", "/sessions", {}, 405],
      ["GET", "/nothing", undefined, 404],
    ] as const) {
      const said = await problem(await agent.raw(method, path, body), status);
      expect(said.error.length, `${method} ${path}`).toBeGreaterThan(10);
    }
    const unknown = await agent.raw("GET", "/sessions", undefined, { authorization: "Bearer x" });
    expect((await problem(unknown, 401)).error).toContain("token");
  });
});

describe("its input section", () => {
  it("[IN1] text, key and raw arrive in order; written counts the items", async () => {
    const probe = await Probe.start(agent);
    const bytes = await probe.received(async () => {
      const reply = await probe.post("input", {
        input: [{ text: "ls -la" }, { key: "Enter" }, { raw: "\x1b[200~x\x1b[201~" }],
      });
      expect(await reply.json()).toEqual({ written: 3 });
    });
    expect(bytes).toBe("ls -la\r^[[200~x^[[201~");
  });

  it("[IN1] a batch is checked before any of it is typed: 400 names the element", async () => {
    const probe = await Probe.start(agent);
    const bad: [unknown, string][] = [
      [{ key: "Entr" }, "body.input.2"],
      [{ key: "C-1" }, "body.input.2"],
      [{ text: "x", key: "Enter" }, "body.input.2"],
      [{}, "body.input.2"],
      [{ text: 1 }, "body.input.2"],
      ["x", "body.input.2"],
    ];
    const received = await probe.received(async () => {
      for (const [item, path] of bad) {
        const reply = await probe.post("input", { input: [{ text: "a" }, { key: "b" }, item] });
        const said = await problem(reply, 400);
        expect(JSON.stringify(said.errors)).toContain(path);
      }
      await problem(await probe.post("input", { input: [] }), 400);
      await problem(await probe.post("input", {}), 400);
    });
    expect(received).toBe("");
  });

  it("[PT9] input to an exited session is 409", async () => {
    const { id } = await agent.script("exit 0");
    await agent.untilExit(id);
    const reply = await agent.raw("POST", `/sessions/${id}/input`, { input: [{ text: "x" }] });
    expect(await problem(reply, 409)).toMatchObject({ code: "SESSION_EXITED" });
  });
});

describe("its screen section", () => {
  it("[SC1] rows as strings, cursor, title, and the program's modes as they are now", async () => {
    const { id } = await agent.script(
      "printf '\\033]0;a title\\007$ ls   \\r\\nnotes.txt\\r\\n$ READY'; stty raw -echo; cat",
      { cols: 40, rows: 5 },
    );
    const screen = await agent.untilText(id, "READY");
    expect(screen).toMatchObject({
      lines: ["$ ls", "notes.txt", "$ READY", "", ""],
      cols: 40,
      rows: 5,
      cursor: { x: 7, y: 2, visible: true },
      alt_screen: false,
      title: "a title",
      modes: {
        mouse: "off",
        mouse_encoding: "default",
        app_cursor_keys: false,
        bracketed_paste: false,
      },
      exited: false,
      exit_code: null,
    });
    expect(screen).not.toHaveProperty("raw");
    // cat prints what is typed, so the program switches its modes as it is told.
    for (const [sequence, changed] of [
      ["\x1b[?9h", { modes: { mouse: "x10" } }],
      ["\x1b[?1000h", { modes: { mouse: "normal" } }],
      ["\x1b[?1002h", { modes: { mouse: "button_event" } }],
      ["\x1b[?1003h", { modes: { mouse: "any_event" } }],
      ["\x1b[?1003l", { modes: { mouse: "off" } }],
      ["\x1b[?1006h", { modes: { mouse_encoding: "sgr" } }],
      ["\x1b[?1h", { modes: { app_cursor_keys: true } }],
      ["\x1b[?2004h", { modes: { bracketed_paste: true } }],
      ["\x1b[?25l", { cursor: { visible: false } }],
      ["\x1b[?1049h", { alt_screen: true }],
    ] as const) {
      await agent.input(id, { raw: sequence });
      const shows = (now: unknown) => {
        try {
          expect(now).toMatchObject(changed);
          return true;
        } catch {
          return false;
        }
      };
      await agent.untilScreen(id, JSON.stringify(changed), shows);
    }
  });

  it("[OP2] format=raw adds the rows with their colours", async () => {
    const { id } = await agent.script("printf '\\033[1;31mred\\033[0m plain READY'; exec cat");
    await agent.untilText(id, "READY");
    const styled = await agent.call<{ lines: string[]; raw: string }>(
      "GET",
      `/sessions/${id}/screen?format=raw`,
    );
    expect(styled.lines[0]).toBe("red plain READY");
    expect(styled.raw).toMatch(/\x1b\[[0-9;]*31[0-9;]*mred\x1b\[[0-9;]*m plain READY/);
    const text = await agent.call("GET", `/sessions/${id}/screen?format=text`);
    expect(text).not.toHaveProperty("raw");
    await problem(await agent.raw("GET", `/sessions/${id}/screen?format=xml`), 400);
  });

  it("[SC2] it stays readable after the exit, until DELETE", async () => {
    const { id } = await agent.script("echo last words; exit 7");
    await agent.untilExit(id);
    const screen = await agent.screen(id);
    expect(screen).toMatchObject({ exited: true, exit_code: 7 });
    expect(screen.lines[0]).toBe("last words");
    await agent.close(id);
    await problem(await agent.raw("GET", `/sessions/${id}/screen`), 404);
  });
});

describe("its mouse section", () => {
  const at = { x: 10, y: 5 };
  /** Event, what it sends as SGR, and its legacy button byte: release has one for all buttons. */
  const events: [Record<string, unknown>, string, readonly number[]][] = [
    [{ type: "press", button: "left" }, "^[[<0;11;6M", [0]],
    [{ type: "press", button: "middle" }, "^[[<1;11;6M", [1]],
    [{ type: "press", button: "right" }, "^[[<2;11;6M", [2]],
    [{ type: "release", button: "right" }, "^[[<2;11;6m", [3]],
    [{ type: "click", button: "left" }, "^[[<0;11;6M^[[<0;11;6m", [0, 3]],
    [{ type: "scroll", button: "wheel-up" }, "^[[<64;11;6M", [64]],
    [{ type: "scroll", button: "wheel-down" }, "^[[<65;11;6M", [65]],
    [{ type: "press", button: "left", modifiers: ["ctrl"] }, "^[[<16;11;6M", [16]],
    [{ type: "press", button: "left", modifiers: ["alt"] }, "^[[<8;11;6M", [8]],
    [{ type: "press", button: "left", modifiers: ["shift", "alt", "ctrl"] }, "^[[<28;11;6M", [28]],
    [{ type: "drag", button: "left" }, "^[[<32;11;6M", [32]],
    [{ type: "drag", button: "right" }, "^[[<34;11;6M", [34]],
    [{ type: "move" }, "^[[<35;11;6M", [35]],
  ];
  const legacy = (buttons: readonly number[]) =>
    buttons.map((button) => `^[[M${String.fromCharCode(32 + button, 43, 38)}`).join("");

  it.each([
    ["any_event", "1003", () => true],
    ["button_event", "1002", (type: unknown) => type !== "move"],
    ["normal", "1000", (type: unknown) => type !== "move" && type !== "drag"],
  ] as const)(
    "[MS1] [MS2] under %s every event is sent in both encodings or refused with 409 and the modes",
    async (mouse, mode, isReported) => {
      const probes = await Promise.all([
        Probe.start(agent, `\\x1b[?${mode}h\\x1b[?1006h`),
        Probe.start(agent, `\\x1b[?${mode}h`),
      ]);
      for (const [at_, probe] of probes.entries()) {
        const isSgr = at_ === 0;
        let expected = "";
        const received = await probe.received(async () => {
          for (const [event, sgr, buttons] of events) {
            const reply = await probe.post("mouse", { ...event, ...at });
            if (isReported(event.type)) {
              expect([event, reply.status]).toEqual([event, 200]);
              expected += isSgr ? sgr : legacy(buttons);
            } else {
              const said = await problem(reply, 409);
              expect(said.error.length).toBeGreaterThan(10);
              expect(said.modes).toMatchObject({
                mouse,
                mouse_encoding: isSgr ? "sgr" : "default",
              });
            }
          }
        });
        expect(received).toBe(expected);
      }
    },
  );

  it("[MS2] without tracking all is 409; under X10 all but a press is; what no mouse does is 400", async () => {
    const off = await Probe.start(agent);
    const x10 = await Probe.start(agent, "\\x1b[?9h");
    expect(
      await off.received(async () => {
        for (const [event] of events) {
          const said = await problem(await off.post("mouse", { ...event, ...at }), 409);
          expect(said.modes).toMatchObject({ mouse: "off" });
        }
      }),
    ).toBe("");
    const received = await x10.received(async () => {
      for (const [event] of events) {
        const reply = await x10.post("mouse", { ...event, ...at });
        const isPlainPress = event.type === "press" && !event.modifiers;
        if (isPlainPress) expect(reply.status).toBe(200);
        else expect((await problem(reply, 409)).modes).toMatchObject({ mouse: "x10" });
      }
    });
    expect(received).toBe(legacy([0, 1, 2]));
    for (const bad of [
      { type: "scroll", button: "left" },
      { type: "press", button: "wheel-up" },
      { type: "tap", button: "left" },
      { type: "press", button: "left", x: -1 },
      { type: "press", button: "left", x: 1.5 },
      { type: "press", button: "left", y: 200 },
      { type: "press", button: "left", modifiers: ["hyper"] },
    ])
      await problem(await x10.post("mouse", { ...at, ...bad }), 400);
  });
});

describe("its table of keys", () => {
  /** Names in the order of the reference; the bytes are in the table that was checked by hand against xterm's. */
  const names =
    "Enter Escape Esc Tab BTab Space Backspace BSpace Up Down Left Right Home End Insert IC Delete DC PgUp PPage PgDn NPage F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12".split(
      " ",
    );
  const modifiable = names.slice(names.indexOf("Up"));
  const letters = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i));
  const shown = (name: string, modifier: string) => {
    const row = keyTable.find(([key]) => key === name);
    const value = row?.[1 + keyModifiers.indexOf(modifier)];
    if (value === undefined) throw new Error(`${name} is not in the table`);
    return Buffer.from(keyBytes(value)).toString("latin1").replaceAll("\x1b", "^[");
  };

  it.each([
    ["normal", "", {}],
    ["application", "\\x1b[?1h", applicationKeys],
  ] as const)(
    "[IN2] in %s mode every name sends its bytes, through HTTP",
    async (_, print, changed) => {
      const wanted = new Map<string, string>();
      for (const name of names) wanted.set(name, shown(name, ""));
      for (const name of modifiable)
        for (const modifier of keyModifiers.slice(1))
          wanted.set(`${modifier}${name}`, shown(name, modifier));
      for (const [name, bytes] of Object.entries(changed)) wanted.set(name, bytes);
      for (const single of ["a", "Z", "%", "-", "~", "0"]) wanted.set(single, single);
      for (const [i, letter] of letters.entries()) {
        wanted.set(`C-${letter}`, String.fromCharCode(1 + i));
        wanted.set(`M-${letter}`, `^[${letter}`);
        wanted.set(`S-${letter}`, letter.toUpperCase());
      }
      for (const [i, name] of ["Space", "[", "\\", "]", "^", "_"].entries())
        wanted.set(
          `C-${name}`,
          [0, 27, 28, 29, 30, 31].map((c) => String.fromCharCode(c))[i] ?? "",
        );
      // Any order of prefixes, and the reference's own examples of them.
      wanted.set("M-C-Delete", shown("Delete", "C-M-"));
      wanted.set("S-M-C-Up", shown("Up", "C-M-S-"));
      wanted.set("M-Enter", shown("Enter", "M-"));
      wanted.set("M-C-x", "^[\x18");

      const probe = await Probe.start(agent, print);
      const entries = [...wanted];
      const received = await probe.sent("input", {
        input: entries.flatMap(([key]) => [{ raw: "|" }, { key }]),
        gap_ms: 0,
      });
      const escaped = (bytes: string) => bytes.replaceAll("\x1b", "^[");
      expect(
        received
          .split("|")
          .slice(1)
          .map((bytes, i) => [entries[i]?.[0], bytes]),
      ).toEqual(entries.map(([key, bytes]) => [key, escaped(bytes)]));
    },
  );

  it("[IN2] what has no sequence is 400 and sends nothing", async () => {
    const probe = await Probe.start(agent);
    const none = [
      "C-Enter",
      "C-1",
      "S-1",
      "S-%",
      "C-Tab",

      "F13",
      "F0",
      "C-",
      "C-C-a",
      "ab",
    ];
    const received = await probe.received(async () => {
      for (const key of none) {
        const said = await problem(await probe.post("input", { input: [{ key }] }), 400);
        expect(said.error, key).toContain(key);
      }
    });
    expect(received).toBe("");
  });
});
