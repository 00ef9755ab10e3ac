import { Terminal } from "@xterm/headless";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Emitter } from "#lib/base/emitter.ts";
import type { ClientMessage } from "#lib/protocol/attach.ts";
import { type ErrorCode, TermError, toProblem } from "#lib/protocol/errors.ts";
import { ScreenWriter } from "#lib/xterm/screen-writer.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { FakeNetwork } from "#server/testing/fake-socket.ts";
import { ApiError } from "./api-error.ts";
import { AttachClient } from "./attach-client.ts";
import type { AttachState } from "./attach-state.ts";

const size = { cols: 40, rows: 5 };
const encode = (text: string) => new TextEncoder().encode(text);

let clock: FakeClock;
let network: FakeNetwork;
let terminal: Terminal;
let client: AttachClient;
let states: AttachState["kind"][];
let wake: Emitter<void>;
let isVisible: boolean;
let authorise: () => Promise<readonly string[]>;

beforeEach(() => {
  clock = new FakeClock();
  network = new FakeNetwork();
  wake = new Emitter<void>();
  isVisible = true;
  states = [];
  let tickets = 0;
  authorise = async () => {
    tickets += 1;
    return [`ticket${tickets}`];
  };
  terminal = new Terminal({ ...size, logLevel: "off", allowProposedApi: true });
  client = newClient(false);
});

afterEach(() => {
  client.dispose();
  terminal.dispose();
  expect(clock.pending, "timers left behind").toBe(0);
  expect(wake.listenerCount, "listeners left behind").toBe(0);
});

function newClient(isReadOnly: boolean): AttachClient {
  const target = new ScreenWriter(terminal, {
    isScrolledUp: () => false,
    beforeRestart() {},
    restored() {},
    resized() {},
    printed() {},
  });
  const created = new AttachClient({
    sessionId: "abcdefghijklmnopqrstuvwxyz",
    isReadOnly,
    socketUrl: "ws://127.0.0.1:1",
    openSocket: network.open,
    authorise: () => authorise(),
    clock,
    page: {
      isVisible: () => isVisible,
      onWake: wake.event,
      onVisibility: new Emitter<boolean>().event,
      dispose() {},
    },
    target,
    random: () => 0.5,
  });
  created.onState((state) => states.push(state.kind));
  return created;
}

/** When everything given to the terminal so far is parsed. */
const drawn = () => new Promise<void>((resolve) => terminal.write("", resolve));

function lines(): string[] {
  const { active } = terminal.buffer;
  return Array.from(
    { length: terminal.rows },
    (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
  );
}

async function live(at = 100) {
  client.start();
  const socket = await network.socket(1);
  socket.hello();
  socket.snapshot(at, size, "one\r\ntwo", []);
  await drawn();
  return socket;
}

function refused(code: ErrorCode): ApiError {
  return new ApiError({ kind: "refused", problem: toProblem(new TermError(code, "no"), "r1") });
}

describe("attach", () => {
  it("[AT1] names the protocol and a fresh ticket, and asks for a snapshot first", async () => {
    const socket = await live();
    expect(socket.protocols).toEqual(["cotty.v1", "ticket1"]);
    expect(socket.url).toBe("ws://127.0.0.1:1/api/v1/sessions/abcdefghijklmnopqrstuvwxyz/attach");
    expect(socket.binaryType).toBe("arraybuffer");
  });

  it("[CR2] an answer to a password prompt is flagged for hosts that know of it, typed for older ones, and kept for nobody", async () => {
    expect(client.answer("hunter2")).toBe(false);
    const old = await live();
    expect(client.answer("hunter2")).toBe(true);
    expect(old.messages.filter(({ type }) => (type as string) === "secret")).toEqual([]);
    expect(old.typed).toBe("hunter2\r");
    old.drop(1006);
    expect(client.answer("hunter2")).toBe(false);
    clock.advance(10_000);
    const next = await network.socket(2);
    next.hello({ takesSecrets: true });
    expect(client.answer("hunter3")).toBe(true);
    expect(next.messages).toContainEqual({ type: "secret", text: "hunter3" });
    expect(next.typed).toBe("");
  });

  it("[LS9] says how others may take the keyboard, on each connection and at once, to hosts that know of it", async () => {
    const said = (of: { messages: ClientMessage[] }) =>
      of.messages.flatMap((one) => (one.type === "politeness" ? one.politeness : []));
    client.setPoliteness("ask");
    const socket = await live();
    expect(said(socket)).toEqual(["ask"]);
    client.setPoliteness("ask");
    client.setPoliteness("immediate");
    client.setPoliteness("server");
    expect(said(socket)).toEqual(["ask", "immediate", "server"]);
    client.setPoliteness("polite");
    socket.drop(1006);
    clock.advance(10_000);
    const next = await network.socket(2);
    next.hello({ politeness: null });
    client.setPoliteness("ask");
    // It closes the socket of whoever says what it does not know.
    expect(said(next)).toEqual([]);
    next.drop(1006);
    clock.advance(10_000);
    const third = await network.socket(3);
    third.hello();
    expect(said(third)).toEqual(["ask"]);
  });

  it("[SN5] shows the screen part at once, then history and screen as a whole", async () => {
    client.start();
    const socket = await network.socket(1);
    socket.hello();
    socket.tell({ type: "snapshot", at: 7, cols: 30, rows: 4, part: "screen", last: false });
    socket.bytes("prompt $");
    await drawn();
    expect([terminal.cols, terminal.rows]).toEqual([30, 4]);
    expect(lines()[0]).toBe("prompt $");
    expect(client.state.kind).toBe("restoring");
    expect(client.offset).toBeNull();
    expect(socket.messages.filter(({ type }) => type === "ack")).toEqual([]);

    const history = (part: string, last: boolean) => {
      socket.tell({ type: "snapshot", at: 7, cols: 30, rows: 4, part: "history", last });
      socket.bytes(part);
    };
    history("h1\r\nh2\r\n", false);
    history("h3\r\nh4\r\n", true);
    await drawn();
    expect(client.state.kind).toBe("live");
    const all = Array.from({ length: terminal.buffer.active.length }, (_, row) =>
      terminal.buffer.active.getLine(row)?.translateToString(true),
    );
    expect(all.slice(0, 5)).toEqual(["h1", "h2", "h3", "h4", "prompt $"]);
    expect(terminal.modes.synchronizedOutputMode).toBe(false);
    expect(socket.messages.filter(({ type }) => type === "ack")).toEqual([{ type: "ack", at: 7 }]);
  });

  it("[SN5] proposes its size only when the snapshot is there", async () => {
    client.propose({ cols: 120, rows: 50 });
    client.start();
    const socket = await network.socket(1);
    socket.hello();
    expect(socket.messages.some(({ type }) => type === "resize")).toBe(false);
    socket.snapshot(1, size, "x", []);
    expect(socket.messages).toContainEqual({ type: "resize", cols: 120, rows: 50 });
    client.propose({ cols: 120, rows: 50 });
    expect(socket.messages.filter(({ type }) => type === "resize")).toHaveLength(1);
  });

  it("[AT2] draws bytes and resizes in their order", async () => {
    const socket = await live();
    socket.bytes("\r\n\x1b[4");
    socket.bytes("1mthree");
    socket.tell({ type: "resized", at: 112, size: { cols: 20, rows: 6 } });
    socket.bytes("\r\n");
    socket.bytes("12345678901234567890X");
    await drawn();
    expect([terminal.cols, terminal.rows]).toEqual([20, 6]);
    expect(lines()).toEqual(["one", "two", "three", "12345678901234567890", "X", ""]);
  });

  it("[AT4] acknowledges what is drawn: every 32 KiB, and the rest when idle", async () => {
    const socket = await live(0);
    const acks = () => socket.messages.flatMap((m) => (m.type === "ack" ? [m.at] : []));
    expect(acks()).toEqual([0]);
    socket.bytes(encode("a".repeat(10_000)));
    await drawn();
    expect(acks()).toEqual([0]);
    socket.bytes(encode("b".repeat(30_000)));
    expect(acks(), "not before it is drawn").toEqual([0]);
    await drawn();
    expect(acks()).toEqual([0, 40_000]);
    socket.bytes("!");
    await drawn();
    clock.advance(49);
    expect(acks()).toEqual([0, 40_000]);
    clock.advance(1);
    expect(acks()).toEqual([0, 40_000, 40_001]);
  });

  it("[AT4] sends at most 20 acks per second in a flood, and the last one tells all", async () => {
    const socket = await live(0);
    for (let i = 0; i < 100; i++) {
      socket.bytes(encode("x".repeat(40_000)));
      await drawn();
      clock.advance(5);
    }
    clock.advance(50);
    const acks = socket.messages.flatMap((m) => (m.type === "ack" ? [m.at] : []));
    expect(acks.length).toBeLessThanOrEqual(12);
    expect(acks.at(-1)).toBe(4_000_000);
  });

  it("[AT8] comes back at the byte after the last one it was given, and repeats none", async () => {
    const socket = await live(100);
    socket.bytes("\r\nabc");
    socket.drop(1006);
    expect(client.state).toMatchObject({ kind: "waiting", attempt: 1 });
    clock.advance(500);
    const next = await network.socket(2);
    expect(next.url).toMatch(/\?since=105$/);
    expect(next.protocols).toEqual(["cotty.v1", "ticket2"]);
    next.hello();
    next.tell({ type: "resume", at: 105 });
    next.bytes("def");
    await drawn();
    expect(lines().slice(0, 3)).toEqual(["one", "two", "abcdef"]);
    expect(client.offset).toBe(108);
    expect(states).toEqual(["restoring", "live", "waiting", "connecting", "restoring", "live"]);
  });

  it("[AT8] has no position amid a snapshot", async () => {
    client.start();
    const socket = await network.socket(1);
    socket.hello();
    socket.tell({ type: "snapshot", at: 7, cols: 30, rows: 4, part: "screen", last: false });
    socket.bytes("half");
    socket.drop(1006);
    clock.advance(500);
    expect((await network.socket(2)).url).not.toContain("since");
  });

  it("[AT4] takes a fresh snapshot after resync, and what follows belongs behind it", async () => {
    const socket = await live(100);
    socket.bytes("lost\x1b[3");
    socket.tell({ type: "resync" });
    expect(client.state.kind).toBe("restoring");
    socket.snapshot(9_000_000, size, "fresh", ["old\r\n".repeat(5)]);
    socket.bytes("+live");
    await drawn();
    expect(lines().join("|")).toContain("fresh+live");
    expect(lines().join("|")).not.toContain("lost");
    expect(client.offset).toBe(9_000_005);
  });

  it("[AT8] drops and counts what is typed while nobody hears it, and never sends it later", async () => {
    const socket = await live();
    expect(client.typed(encode("a"))).toBe(true);
    socket.drop(1006);
    for (const key of "xyz") expect(client.typed(encode(key))).toBe(false);
    expect(client.droppedKeys).toBe(3);
    clock.advance(500);
    const next = await network.socket(2);
    next.hello();
    next.tell({ type: "resume", at: 100 });
    expect(client.droppedKeys).toBe(3);
    client.typed(encode("b"));
    expect(socket.typed).toBe("a");
    expect(next.typed).toBe("b");
    next.drop(1006);
    expect(client.droppedKeys, "a new interruption counts anew").toBe(0);
  });

  it("[B121] keys that went into a silence count as not sent once the peer is given up", async () => {
    const socket = await live();
    client.typed(encode("a"));
    socket.bytes("a");
    for (const key of "xy") expect(client.typed(encode(key))).toBe(true);
    clock.advance(20_000);
    expect(client.state.kind).toBe("waiting");
    expect(client.droppedKeys).toBe(2);
    client.typed(encode("z"));
    expect(client.droppedKeys).toBe(3);
  });

  it("[AT8] a failed ticket is not kept: the next attempt asks again", async () => {
    let asked = 0;
    authorise = async () => {
      asked += 1;
      if (asked < 3) throw new ApiError({ kind: "unreachable", detail: "no network" });
      return [`ticket${asked}`];
    };
    client.start();
    for (const delay of [500, 1_000]) {
      await expect.poll(() => client.state.kind).toBe("waiting");
      clock.advance(delay);
    }
    expect((await network.socket(1)).protocols).toEqual(["cotty.v1", "ticket3"]);
  });

  it.each([
    ["UNAUTHENTICATED", 4401],
    ["FORBIDDEN", 4403],
    ["SESSION_NOT_FOUND", 4404],
  ] as const)("[AT7] a ticket refused with %s ends it as %i", async (code, close) => {
    authorise = () => Promise.reject(refused(code));
    client.start();
    await expect.poll(() => client.state).toEqual({ kind: "ended", code: close });
    clock.advance(600_000);
    wake.fire();
    client.retryNow();
    expect(network.sockets).toHaveLength(0);
  });

  it("[AT8] tries at once when the network is back", async () => {
    const socket = await live();
    clock.advance(10_000);
    socket.drop(1006);
    expect(network.sockets).toHaveLength(1);
    wake.fire();
    await network.socket(2);
  });

  it("[AT10] the late close of an old socket leaves its successor alone", async () => {
    const socket = await live();
    clock.advance(20_000);
    expect(client.state.kind, "the dead peer was given up").toBe("waiting");
    clock.advance(500);
    const next = await network.socket(2);
    next.hello();
    next.tell({ type: "resume", at: 100 });
    socket.tell({ type: "title", title: "ghost" });
    socket.bytes("ghost");
    socket.drop(4401);
    expect(client.state.kind).toBe("live");
    expect(client.offset).toBe(100);
    client.typed(encode("k"));
    expect(next.typed).toBe("k");
  });

  it("[B121] gives up a connection that looks open and is dead, within 45 s", async () => {
    await live();
    const startedMs = clock.monotonic();
    while (client.state.kind === "live" && clock.monotonic() - startedMs < 60_000)
      clock.advance(1_000);
    expect(client.state.kind).toBe("waiting");
    expect(clock.monotonic() - startedMs).toBeLessThanOrEqual(45_000);
  });

  it("[B121] leaves a healthy idle connection alone for 5 minutes, in view or not", async () => {
    const socket = await live();
    for (const visible of [true, false]) {
      isVisible = visible;
      let answered = 0;
      for (let second = 0; second < 300; second++) {
        clock.advance(1_000);
        const pings = socket.messages.filter(({ type }) => type === "ping");
        // A hidden page hears nothing for minutes: its timers and sockets are throttled.
        if (visible)
          for (const ping of pings.slice(answered)) socket.tell({ ...ping, type: "pong" } as never);
        answered = pings.length;
      }
    }
    expect(network.sockets).toHaveLength(1);
    expect(client.state.kind).toBe("live");
  });

  it("measures the round trip", async () => {
    const socket = await live();
    const ping = socket.messages.find(({ type }) => type === "ping");
    clock.advance(37);
    socket.tell({ type: "pong", id: ping?.type === "ping" ? ping.id : -1 });
    expect(client.rttMs).toBe(37);
  });

  it("[B130] after the exit it stays readable and does not come back", async () => {
    const socket = await live();
    socket.bytes("\r\nbye");
    socket.tell({ type: "exited", at: 105, exit_code: 3, signal: null });
    await drawn();
    socket.drop(1006);
    expect(client.state).toEqual({ kind: "ended", code: 1006 });
    clock.advance(60_000);
    wake.fire();
    expect(network.sockets).toHaveLength(1);
    expect(lines()[2]).toBe("bye");
  });

  it("[B130] learns that an exited session was closed", async () => {
    const socket = await live();
    socket.tell({ type: "exited", at: 100, exit_code: 0, signal: null });
    socket.drop(4404);
    expect(client.state).toEqual({ kind: "ended", code: 4404 });
  });

  it("[AT3] sends reports as such, many moves in few frames, every byte in order", async () => {
    const socket = await live();
    const moves = Array.from({ length: 200 }, (_, i) => `\x1b[<35;${i + 1};1M`);
    for (const move of moves) {
      client.report(move);
      clock.advance(2);
    }
    clock.advance(40);
    const reports = socket.messages.flatMap((m) => (m.type === "report" ? [m.data] : []));
    expect(reports.join("")).toBe(moves.join(""));
    expect(reports[0]).toBe(moves[0]);
    expect(reports.length).toBeLessThanOrEqual(12);
    expect(socket.typed).toBe("");
  });

  it("[AT9] cuts what is larger than a frame", async () => {
    const socket = await live();
    client.typed(new Uint8Array(2_500_000).fill(97));
    const frames = socket.sent.filter((item) => item instanceof Uint8Array);
    expect(frames.map((frame) => frame.length)).toEqual([1_048_576, 1_048_576, 402_848]);
  });

  it("gives up an attempt that gets no hello within 10 s", async () => {
    client.start();
    (await network.socket(1)).accept();
    clock.advance(9_999);
    expect(client.state.kind).toBe("connecting");
    clock.advance(1);
    expect(client.state.kind).toBe("waiting");
  });

  it("starts over when a peer sends bytes that have no place", async () => {
    client.start();
    const socket = await network.socket(1);
    socket.hello();
    socket.bytes("where do I belong?");
    expect(client.state.kind).toBe("waiting");
    await drawn();
    expect(lines()[0]).toBe("");
  });

  it("does not mind news it does not know", async () => {
    const socket = await live();
    socket.tell({ type: "lease", holder: "agent" } as never);
    socket.bytes("!");
    await drawn();
    expect(client.state.kind).toBe("live");
    expect(lines()[1]).toBe("two!");
  });
});
