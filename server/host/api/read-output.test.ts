// Reading output over the host's API, of real programs (JR4, JR5, OP3).
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { OutputReply } from "#lib/protocol/journal.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import { startTestHost, type TestHost, testAgent } from "#server/testing/test-host.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.dispose());
afterEach(async () => {
  for (const { id } of (await host.request("listSessions", {})).sessions)
    await host.request("closeSession", { params: { id }, query: { signal: "KILL" } });
});

const lines = 200_000;
const pieceBytes = 16 * 1024;
/** As a build prints them: numbered, now and then one that wraps. */
const warning =
  "compiled with these warnings: ------------------------------ and ==============================";
const lineOf = (n: number) => `[${n}] ${n % 50 ? "compiled" : warning}\n`;
/** `each`: what awk does after each line. */
const build = (each = "") =>
  `awk 'BEGIN { for (n = 0; n < ${lines}; n++) { printf "[%d] %s\\n", n, n % 50 ? "compiled" : "${warning}"; ${each} } }'`;

async function start(script: string, more: CreateSession = {}) {
  const { id } = await host.request("createSession", {
    body: { command: ["/bin/sh", "-c", script], cols: 80, rows: 24, ...more },
    actor: testAgent,
  });
  const read = (since: string, maxBytes = pieceBytes): Promise<OutputReply> =>
    host.request("readOutput", {
      params: { id },
      query: { since, max_bytes: maxBytes },
      actor: testAgent,
    });
  const resize = (rows: number, cols = 80) =>
    host.request("resizeSession", { params: { id }, body: { rows, cols }, actor: testAgent });
  const type = (text: string) =>
    host.request("writeInput", {
      params: { id },
      body: { input: [{ raw: text }] },
      actor: testAgent,
    });
  return { id, read, resize, type };
}

/** Follows until END, in pieces; resizes the height at every 20th. */
async function follow(
  session: Awaited<ReturnType<typeof start>>,
  pause: () => Promise<unknown>,
): Promise<{ text: string; evictions: number }> {
  let since = "0:0";
  let text = "";
  let evictions = 0;
  for (let n = 1; !text.endsWith("END"); n++) {
    const reply = await session.read(since);
    expect(Buffer.byteLength(reply.text)).toBeLessThan(pieceBytes + 100);
    expect(reply.alt_screen).toBe(false);
    expect(reply.reflowed).toBeUndefined();
    if (reply.evicted) evictions++;
    else expect(reply.start).toBe(since);
    text += reply.text;
    since = reply.next;
    if (n % 20 === 0) await session.resize(10 + ((n * 7) % 40));
    if (!reply.truncated) await pause();
  }
  return { text, evictions };
}

/** The first place where they differ: the difference of two texts of 4 MB is worth nothing and takes minutes. */
function expectSameText(text: string, expected: string): void {
  let at = 0;
  while (at < expected.length && text[at] === expected[at]) at++;
  const around = (whole: string) => whole.slice(Math.max(0, at - 60), at + 60);
  expect(around(text)).toBe(around(expected));
  expect(text.length).toBe(expected.length);
}

describe("GET output", { timeout: 120_000 }, () => {
  it("[JR4] [JR5] a build of 200,000 lines is read in pieces, every line once, while it scrolls, is resized and evicts", async () => {
    // The reader sets the pace: the program goes on when it was read so far. Key by key: a whole line that is not echoed is a password.
    const step = 4_000;
    const session = await start(
      `stty -echo -icanon; ${build(`if (n % ${step} == ${step - 1}) { fflush(); getline go < "/dev/tty" }`)}; printf END; cat`,
    );
    let since = "0:0";
    let text = "";
    let pieces = 0;
    for (let due = step; ; ) {
      const reply = await session.read(since);
      expect(reply.evicted).toBe(false);
      expect(reply.start).toBe(since);
      text += reply.text;
      since = reply.next;
      if (++pieces % 10 === 0) await session.resize(10 + ((pieces * 7) % 40));
      if (text.endsWith("END")) break;
      if (text.endsWith(lineOf(due - 1))) {
        due += step;
        await session.type("\n");
      }
    }
    const expected = Array.from({ length: lines }, (_, n) => lineOf(n)).join("");
    expectSameText(text, `${expected}END`);
    expect(pieces).toBeGreaterThan(expected.length / pieceBytes);
  });

  it("[JR4] [JR5] a reader that is too slow for the scrollback is told where lines are missing, and only there are they", async () => {
    const session = await start(`${build()}; printf END; cat`);
    let waits = 0;
    const { text, evictions } = await follow(session, async () => {
      // Many lines pass while nobody reads.
      for (let n = 0; n < 20; n++) await session.read("now", 4_096);
      waits++;
    });
    expect(waits).toBeGreaterThan(0);
    const numbers = [...text.matchAll(/^\[(\d+)\] /gm)].map(([, n]) => Number(n));
    const gaps = numbers.filter((n, i) => i > 0 && n !== (numbers[i - 1] ?? 0) + 1);
    expect(evictions).toBeGreaterThan(0);
    expect(gaps.length).toBeLessThanOrEqual(evictions);
    // In order, none twice, and each one whole but the one that was cut by an eviction.
    expect(numbers.every((n, i) => i === 0 || n > (numbers[i - 1] ?? 0))).toBe(true);
    expect(text.endsWith(`${lineOf(lines - 1)}END`)).toBe(true);
  });

  it("[OP3] now is a cursor without text, start is the oldest line, and without either it is from the start", async () => {
    const session = await start("printf 'one\\ntwo\\n$ '; read x; echo three; cat");
    await waitFor(session, "$ ");
    const now = await session.read("now");
    expect(now).toMatchObject({ text: "", start: "2:2", next: "2:2", truncated: false });
    const whole = { text: "one\ntwo\n$ ", start: "0:0", next: "2:2" };
    expect(await session.read("start")).toMatchObject(whole);
    const plain = await host.request("readOutput", { params: { id: session.id }, query: {} });
    expect(plain).toMatchObject(whole);
    await session.type("\n");
    await waitFor(session, "three");
    expect((await session.read(now.next)).text).toBe("\nthree\n");
  });

  it("[OP3] [HT2] tail is the last lines; with since, or out of bounds, it is refused by name", async () => {
    const session = await start("printf 'one\\ntwo\\n$ '; cat");
    await waitFor(session, "$ ");
    const read = (query: { tail: number; since?: string; max_bytes?: number }) =>
      host.request("readOutput", { params: { id: session.id }, query, actor: testAgent });
    expect(await read({ tail: 2 })).toMatchObject({ text: "two\n$ ", start: "1:0", next: "2:2" });
    expect(await read({ tail: 50_000, max_bytes: 4_096 })).toMatchObject({ start: "0:0" });
    await expect(read({ tail: 2, since: "1:0" })).rejects.toThrow(
      /query\.tail counts from the end, and since names a beginning/,
    );
    for (const tail of [0, 50_001]) await expect(read({ tail })).rejects.toThrow(/query\.tail/);
  });

  it("[JR5] a full-screen program is said and moves no cursor", async () => {
    const session = await start(
      "printf 'before\\n'; read x; printf '\\033[?1049hdrawn'; read x; printf '\\033[?1049lafter'; cat",
    );
    await waitFor(session, "before");
    const { next } = await session.read("now");
    await session.type("\n");
    let drawn = await session.read(next);
    while (!drawn.alt_screen) drawn = await session.read(next);
    // What the terminal echoed before.
    expect(drawn).toMatchObject({ text: "\n", alt_screen: true });
    await session.type("\n");
    let after = await session.read(drawn.next);
    while (after.alt_screen || after.text === "") after = await session.read(drawn.next);
    expect(after.text).toBe("after");
  });

  it("[JR4] a change of width is told, and the text goes on where it was", async () => {
    const session = await start(
      `printf '%s\\n' ${"x".repeat(100)} second; read x; echo third; cat`,
    );
    await waitFor(session, "second");
    const first = await session.read("1:0", 4_096);
    expect(first.text).toBe(`${"x".repeat(20)}\nsecond\n`);
    await session.resize(24, 30);
    await session.type("\n");
    await waitFor(session, "third");
    const second = await session.read(first.next);
    expect(second).toMatchObject({ text: "\nthird\n", reflowed: true });
    expect((await session.read(second.next)).reflowed).toBeUndefined();
  });

  it("[JR4] a program that has ended can be read to its end", async () => {
    const session = await start("printf 'one\\ntwo'");
    for (;;) {
      const info = await host.request("getSession", { params: { id: session.id } });
      if ("exited" in info && info.exited) break;
    }
    expect((await session.read("start")).text).toBe("one\ntwo");
  });
});

async function waitFor(session: Awaited<ReturnType<typeof start>>, text: string): Promise<void> {
  while (!(await session.read("start")).text.includes(text));
}
