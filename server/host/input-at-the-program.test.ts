// IN1, IN3-IN5, IN7 and PT6, shown by the program: what arrives of batches, pastes, gaps and long lines sent through the HTTP API.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "#lib/protocol/actor.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { AttachClientDouble } from "#server/testing/attach-client-double.ts";
import { ProbeSession } from "#server/testing/probe-session.ts";
import { startTestHost, type TestHost, testAgent } from "#server/testing/test-host.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(async () => {
  await host.dispose();
});

/** A session that is no probe, and a viewer of all it prints. */
async function run(script: string): Promise<{ id: string; viewer: AttachClientDouble }> {
  const body = { command: ["/bin/sh", "-c", script] };
  const { id } = await host.request("createSession", { body });
  const viewer = host.attach(id, { query: "?readonly=1&since=0" });
  await viewer.untilText("READY", 30_000);
  return { id, viewer };
}

const post = (id: string, body: unknown) =>
  host.raw("POST", `/api/v1/sessions/${id}/input`, { actor: testAgent, body });

describe("pastes at the program", () => {
  const marker = "\x1b[201~";
  const cases: readonly [text: string, arrives: string][] = [
    ["a\r\nb", "a\rb"],
    ["a\nb\n", "a\rb\r"],
    ["a\rb", "a\rb"],
    ["tab\there", "tab\there"],
    ["grüße 日本 👩‍👩‍👧", "grüße 日本 👩‍👩‍👧"],
    [`echo safe${marker}\rtouch x\r`, "echo safe\rtouch x\r"],
    [`a\x1b[20${marker}1~b`, "ab"],
    ["a\u009b201~b", "ab"],
    ["\x1b[200~a", "a"],
    ["bell\x07 red\x1b[31m null\x00 del\x7f c1\u0090", "bell red[31m null del c1"],
    ["literal \\r \\x1b[201~", "literal \\r \\x1b[201~"],
    ["", ""],
  ];

  it.each([
    ["asked for bracketed paste", "\\x1b[?2004h", "\x1b[200~", marker],
    ["did not", "", "", ""],
  ])(
    "[IN3] [B065] [B068] to a program that %s",
    async (_which, print, before, after) => {
      const session = await ProbeSession.start(host, { print });
      for (const [text, arrives] of cases) {
        const received = await session.received(() =>
          session.sent("input", { input: [{ text, paste: true }] }),
        );
        const wanted = Buffer.from(before + arrives + after).toString("hex");
        expect([text, received]).toEqual([text, wanted]);
      }
      await session.close();
    },
    60_000,
  );

  it("[IN3] [B065] text that is no paste loses the marker too; raw keeps it", async () => {
    const session = await ProbeSession.start(host, { print: "\\x1b[?2004h" });
    const typed = (item: object) =>
      session.receivedText(() => session.sent("input", { input: [item] }));
    expect(await typed({ text: `a${marker}b\nc` })).toBe("ab\rc");
    expect(await typed({ text: `a\x1b[20${marker}1~b`, paste: false })).toBe("ab");
    expect(await typed({ raw: `\x1b[200~x${marker}` })).toBe("^[[200~x^[[201~");
    await session.close();
  }, 60_000);

  it("[B065] a poisoned paste into bash stays on the prompt and runs nothing", async () => {
    const folder = mkdtempSync(join(tmpdir(), "cotty-paste-"));
    const pwned = join(folder, "pwned");
    const { id } = await host.request("createSession", {
      body: {
        command: ["/bin/bash", "--norc", "--noprofile", "-i"],
        env: { PS1: "READY> " },
        integration: "off",
      },
    });
    const viewer = host.attach(id, { query: "?readonly=1&since=0" });
    // Readline asks for bracketed paste right before its prompt.
    await viewer.untilText("\x1b[?2004hREADY> ", 30_000);
    await host.raw("GET", `/api/v1/sessions/${id}/screen`);
    const text = `echo safe${marker}\rtouch ${pwned}\r`;
    expect((await post(id, { input: [{ text, paste: true }] })).status).toBe(200);
    await viewer.untilText(`touch ${pwned}`, 30_000);
    // The interrupt empties the terminal's queue: what follows waits for the prompt.
    expect((await post(id, { input: [{ key: "C-c" }] })).status).toBe(200);
    const prompts = () => viewer.text.split("READY> ").length - 1;
    await viewer.until("the next prompt", () => prompts() > 1, 30_000);
    expect((await post(id, { input: [{ text: "echo AL''IVE\n" }] })).status).toBe(200);
    await viewer.untilText("ALIVE", 30_000);
    expect(existsSync(pwned)).toBe(false);
    expect(viewer.text).not.toContain("\nsafe");
    rmSync(folder, { recursive: true });
  }, 60_000);
});

describe("batches at the program", () => {
  it("[IN1] [B131] one bad element: 400 with its index, and nothing of the batch arrives", async () => {
    const session = await ProbeSession.start(host);
    const bad: readonly [items: unknown[], path: string][] = [
      [[{ text: "ok" }, { key: "NoSuchKey" }, { text: "tail" }], "body.input.1.key"],
      [[{ text: "ok" }, { text: "a", key: "Enter" }], "body.input.1"],
      [[{ text: "ok" }, { text: "a", colour: "red" }], "body.input.1.colour"],
      [[{ text: "ok" }, { text: 5 }], "body.input.1.text"],
      [[{ text: "ok" }, {}], "body.input.1"],
      [[{ text: "ok" }, "Enter"], "body.input.1"],
      [[{ text: "ok" }, { raw: "\ud800" }], "body.input.1.raw"],
      [[{ text: "ok" }, { key: "a", paste: true }], "body.input.1"],
      [[], "body.input"],
      [Array(limits.inputItems + 1).fill({ text: "x" }), "body.input"],
    ];
    const received = await session.received(async () => {
      for (const [input, path] of bad) {
        const reply = await session.post("input", { input });
        const { errors } = reply.json() as { errors: { path: string }[] };
        expect([path, reply.status]).toEqual([path, 400]);
        expect(errors.map((error) => error.path.slice(0, path.length))).toContain(path);
      }
    });
    expect(received).toBe("");
    await session.close();
  }, 60_000);

  it("[IN1] text, keys and raw arrive in order, and are counted", async () => {
    const session = await ProbeSession.start(host);
    const received = await session.receivedText(async () => {
      const input = [{ text: "héllo" }, { key: "Enter" }, { raw: "\x1b[A" }, { text: "Enter" }];
      const reply = await session.post("input", { input });
      expect(reply.json()).toEqual({ written: 4 });
    });
    expect(received).toBe("h\xc3\xa9llo\r^[[AEnter");
    await session.close();
  }, 60_000);

  it("[IN4] [B067] the Enter after a text comes in a read of its own, and nobody's bytes come in between", async () => {
    const session = await ProbeSession.start(host);
    const another: Actor = { ...testAgent, id: "another", name: "Another" };
    const received = await session.received(async () => {
      const input = [{ text: "hello" }, { key: "Enter" }];
      await session.sent("input", { input, gap_ms: limits.inputGapMs.max });
      expect((await session.post("input", { input: [{ text: "X" }] }, another)).status).toBe(200);
    });
    expect(received).toBe(Buffer.from("hello\rX").toString("hex"));
    // What the other agent sent, and the mark, may come together with each other or the Enter; never before it.
    expect(session.reads[0]).toBe(Buffer.from("hello").toString("hex"));
    await session.close();
  }, 60_000);

  it("[IN4] [LS7] a person who types in a gap is not kept waiting: the text is there, its Enter is never typed", async () => {
    const session = await ProbeSession.start(host);
    const person = host.attach(session.id);
    await person.attached();
    const input = [{ text: "hello" }, { key: "Enter" }];
    await session.sent("input", { input, gap_ms: limits.inputGapMs.max });
    person.type("X");
    await session.viewer.until("the person's key", () => session.reads.join("").includes("58"));
    person.type("Y");
    await session.viewer.until("the next key", () => session.reads.join("").includes("59"));
    expect(session.reads.join("")).toBe(Buffer.from("helloXY").toString("hex"));
    person.dispose();
    await session.close();
  }, 60_000);

  it("[IN4] [PT6] a C-c does not wait for the gaps in front of it, and overtakes nothing", async () => {
    const session = await ProbeSession.start(host);
    const line = [{ text: "x" }, { key: "Enter" }];
    const gapsMs = 5 * limits.inputGapMs.max;
    const started = performance.now();
    const received = await session.received(async () => {
      await session.sent("input", {
        input: [line, line, line].flat(),
        gap_ms: limits.inputGapMs.max,
      });
      await session.sent("input", { input: [{ key: "C-c" }] });
    });
    expect(received).toBe("780d780d780d03");
    expect(performance.now() - started).toBeLessThan(gapsMs);
    await session.close();
  }, 60_000);

  it("[IN4] [PT9] a program that exits in a gap takes the rest with it, and the session stays readable", async () => {
    const { id, viewer } = await run("stty raw -echo; printf READY; dd bs=1 count=2 2>/dev/null");
    const input = [{ text: "ab" }, { key: "Enter" }, { text: "late" }];
    expect((await post(id, { input, gap_ms: 1_000 })).status).toBe(200);
    await viewer.until("the exit", () => viewer.exited !== undefined, 30_000);
    const late = await post(id, { input: [{ text: "x" }] });
    expect([late.status, late.json()]).toMatchObject([409, { code: "SESSION_EXITED" }]);
    const screen = await host.raw("GET", `/api/v1/sessions/${id}/screen`);
    expect(screen.json()).toMatchObject({ exited: true, exit_code: 0 });
    const other = await ProbeSession.start(host);
    expect(await other.received(async () => {})).toBe("");
    await other.close();
  }, 60_000);

  it("[IN4] [LM] a gap over 1 s, below 0, or gaps of more than 5 s in all are 400", async () => {
    const session = await ProbeSession.start(host);
    const line = [{ text: "x" }, { key: "Enter" }];
    const received = await session.received(async () => {
      for (const [input, gap] of [
        [line, limits.inputGapMs.max + 1],
        [line, -1],
        [line, 0.5],
        [line, "30"],
        [Array(4).fill(line).flat(), 1_000],
      ]) {
        const reply = await session.post("input", { input, gap_ms: gap });
        expect([reply.status, reply.json()]).toMatchObject([
          400,
          { errors: [{ path: "body.gap_ms" }] },
        ]);
      }
    });
    expect(received).toBe("");
    await session.close();
  }, 60_000);

  it("[PT5] [PT6] with the queue full input is 429 with a time to wait, and C-c still interrupts", async () => {
    const { id, viewer } = await run("trap 'exit 42' INT; stty raw -echo; printf READY; sleep 60");
    const piece = { input: [{ raw: "x".repeat(900_000) }] };
    expect((await post(id, piece)).status).toBe(200);
    const full = await post(id, piece);
    expect([full.status, full.json()]).toMatchObject([
      429,
      { code: "INPUT_BACKLOG", retry_after_ms: expect.any(Number) },
    ]);
    expect(full.headers["retry-after"]).toBe("1");
    expect((await post(id, { input: [{ raw: "y".repeat(140_000) }] })).status).toBe(200);
    expect((await post(id, { input: [{ key: "C-c" }] })).status).toBe(200);
    await viewer.until("the interrupt", () => viewer.exited !== undefined, 30_000);
    expect(viewer.exited).toMatchObject({ exit_code: 42 });
  }, 60_000);
});

describe.skipIf(process.platform !== "linux")("long lines", () => {
  // "$L" through printf: a shell's ${#L} counts characters. With echo: without, it is a password that is asked for, and no agent's to answer.
  const reader = 'printf READY; read -r L; printf \'LEN=%s.\' "$(printf %s "$L" | wc -c)"';
  const long = limits.canonicalLineBytes;

  it("[IN7] [T10A] [B017] a line that the kernel would cut is 413 LINE_TOO_LONG, and no byte of it arrives", async () => {
    const { id, viewer } = await run(reader);
    for (const input of [
      [{ text: "a".repeat(10_000) }, { key: "Enter" }],
      [{ text: `${"a".repeat(long + 1)}\n` }],
      [{ text: "é".repeat(2_048) }],
      [{ raw: `short\r${"a".repeat(long + 1)}` }],
      [{ text: "a".repeat(3_000) }, { text: "b".repeat(3_000) }, { key: "Enter" }],
      [{ text: "a".repeat(5_000), paste: true }],
    ]) {
      const reply = await post(id, { input });
      expect([reply.status, reply.json()]).toMatchObject([413, { code: "LINE_TOO_LONG" }]);
    }
    expect((await post(id, { input: [{ text: "short" }, { key: "Enter" }] })).status).toBe(200);
    await viewer.untilText("LEN=5.", 30_000);
  }, 60_000);

  it("[IN7] the longest line that fits arrives whole; one that grows too long over batches is refused", async () => {
    const fits = await run(reader);
    await post(fits.id, { input: [{ text: "a".repeat(long) }, { key: "Enter" }] });
    await fits.viewer.untilText(`LEN=${long}.`, 30_000);
    const grows = await run(reader);
    expect((await post(grows.id, { input: [{ text: "a".repeat(3_000) }] })).status).toBe(200);
    expect((await post(grows.id, { input: [{ text: "a".repeat(3_000) }] })).status).toBe(413);
    expect((await post(grows.id, { input: [{ text: "b\n" }] })).status).toBe(200);
    await grows.viewer.untilText("LEN=3001.", 30_000);
  }, 60_000);

  it("[IN7] many lines that each fit are no long line", async () => {
    const { id, viewer } = await run("printf READY; head -n 20 | wc -c");
    const text = `${"a".repeat(999)}\n`.repeat(20);
    expect((await post(id, { input: [{ text }] })).status).toBe(200);
    await viewer.untilText("20000", 30_000);
  }, 60_000);

  it("[IN7] a program that reads byte by byte gets lines of any length", async () => {
    const session = await ProbeSession.start(host);
    const text = "a".repeat(20_000);
    const received = await session.received(() =>
      session.sent("input", { input: [{ text }, { key: "Enter" }] }),
    );
    expect(received).toBe(Buffer.from(`${text}\r`).toString("hex"));
    await session.close();
  }, 60_000);

  it("[IN7] what a person types is not refused; the kernel cuts it", async () => {
    const { id, viewer } = await run(reader);
    const person = host.attach(id);
    await person.attached();
    person.type("a".repeat(5_000));
    person.type("\r");
    await viewer.untilText(`LEN=${long}.`, 30_000);
    expect(person.errors).toEqual([]);
    person.dispose();
  }, 60_000);
});
