import { setImmediate as nextLoop } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { limits } from "#lib/protocol/limits.ts";
import { OutputLog } from "#server/host/output/output-log.ts";
import { Pump } from "#server/host/output/pump.ts";
import type { EarlySnapshot, Snapshot } from "#server/host/screen/screen-api.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { AttachStream } from "./attach-stream.ts";
import { Fanout } from "./fanout.ts";
import { SnapshotSource } from "./snapshot-source.ts";

const KiB = 1024;
const hello = { type: "hello" } as unknown as ServerMessage;

/** A screen whose snapshot names the place it was taken at, with `historyPieces` pieces of 64 KiB above it. */
function rig(options: { historyPieces?: number; ring?: number; isEarly?: boolean } = {}) {
  const clock = new FakeClock();
  const log = new OutputLog(options.ring ?? limits.ringBytes);
  const taken: Snapshot[] = [];
  const gates: (() => void)[] = [];
  const screen = {
    write: (_bytes: Uint8Array, done: () => void) => done(),
    resize: () => {},
    async snapshot(
      at: number,
      afterEntry: number,
      early: (snapshot: EarlySnapshot) => void = () => {},
    ): Promise<Snapshot> {
      if (options.isEarly)
        early({ at, afterEntry, size: { cols: 80, rows: 24 }, screen: utf8(`<screen ${at}>`) });
      await new Promise<void>((resolve) => gates.push(resolve));
      const history = Array.from(
        { length: options.historyPieces ?? 0 },
        () => new Uint8Array(64 * KiB),
      );
      const size = { cols: 80, rows: 24 };
      taken.push({ at, afterEntry, size, screen: utf8(`<screen ${at}>`), history });
      return taken.at(-1) as Snapshot;
    },
  };
  const pump = new Pump(log, screen, { pause: () => {}, resume: () => {} }, clock);
  const snapshots = new SnapshotSource(log, pump, screen, clock);
  const fanout = new Fanout(log, clock);
  const attach = (since?: number, sink = new MemorySink()) => {
    const stream = new AttachStream(sink, log, snapshots, clock);
    fanout.add(stream);
    stream.begin(hello, since);
    return { sink, stream };
  };
  /** Lets the snapshots begun so far be finished. */
  const release = async () => {
    await nextLoop();
    for (const open of gates.splice(0)) open();
    await nextLoop();
  };
  /** Appends, and lets loop and clock go as far as sending it. */
  const print = async (bytes: Uint8Array) => {
    log.appendBytes(bytes);
    clock.advance(4);
    await nextLoop();
    await nextLoop();
  };
  return { clock, log, pump, fanout, taken, attach, release, print };
}

const types = (sink: MemorySink) =>
  sink.frames.map((frame) =>
    frame.kind === "message" ? frame.message.type : frame.kind === "bytes" ? "bytes" : frame.code,
  );
const live = (sink: MemorySink) => new TextDecoder().decode(sink.liveBytes);

describe("AttachStream", () => {
  it("[AT2] sends hello, snapshot with its data, then the bytes after it", async () => {
    const { log, attach, release, print } = rig();
    log.appendBytes(utf8("before"));
    const { sink } = attach();
    await release();
    await print(utf8("after"));
    expect(types(sink)).toEqual(["hello", "snapshot", "bytes", "bytes"]);
    expect(sink.messages("snapshot")).toEqual([
      { type: "snapshot", at: 6, cols: 80, rows: 24, part: "screen", last: true },
    ]);
    expect(live(sink)).toBe("after");
  });

  it("[SN3] bytes printed while the snapshot is taken come after it, once", async () => {
    const { log, pump, attach, release, print } = rig();
    log.appendBytes(utf8("before"));
    const { sink } = attach();
    await nextLoop();
    await print(utf8("meanwhile "));
    // The screen stands still while it is serialised.
    expect(pump.applied).toBe(6);
    expect(types(sink)).toEqual(["hello"]);
    await release();
    await print(utf8("after"));
    expect(sink.messages("snapshot")[0]?.at).toBe(6);
    expect(live(sink)).toBe("meanwhile after");
  });

  it("[LG1] a resize that the snapshot shows is not sent again, one after it is", async () => {
    const { log, attach, release } = rig();
    log.appendBytes(utf8("before"));
    log.appendResize({ cols: 90, rows: 30 });
    const { sink } = attach();
    await nextLoop();
    log.appendResize({ cols: 91, rows: 30 });
    await release();
    expect(sink.messages("resized").map(({ size }) => size.cols)).toEqual([91]);
  });

  it("[SN4] the screen leaves while the history is still being drawn, once, for whoever comes meanwhile too", async () => {
    const { log, attach, release, print } = rig({ historyPieces: 2, isEarly: true });
    log.appendBytes(utf8("before"));
    const first = attach().sink;
    await nextLoop();
    const second = attach().sink;
    for (const sink of [first, second]) {
      expect(sink.messages("snapshot")).toMatchObject([{ part: "screen", at: 6, last: false }]);
    }
    await print(utf8("after"));
    await release();
    await nextLoop();
    for (const sink of [first, second]) {
      const parts = sink.messages("snapshot").map(({ part, last }) => [part, last]);
      expect(parts).toEqual([
        ["screen", false],
        ["history", false],
        ["history", true],
      ]);
    }
  });

  it("[SN4] the screen goes first, then the history; last is on the last piece", async () => {
    const { attach, release } = rig({ historyPieces: 2 });
    const { sink } = attach();
    await release();
    expect(sink.messages("snapshot").map(({ part, last }) => [part, last])).toEqual([
      ["screen", false],
      ["history", false],
      ["history", true],
    ]);
  });

  it("viewers that attach while a snapshot is taken share it, and soon after too", async () => {
    const { attach, release, print, taken } = rig();
    const viewers = [attach(), attach(), attach()];
    await release();
    await print(utf8("abc"));
    viewers.push(attach());
    await nextLoop();
    expect(taken).toHaveLength(1);
    for (const { sink } of viewers) expect(live(sink)).toBe("abc");
  });

  it("a snapshot is not shared across a resize, nor kept for long", async () => {
    const { clock, log, attach, release, taken } = rig();
    attach();
    await release();
    log.appendResize({ cols: 90, rows: 30 });
    attach();
    await release();
    expect(taken.map((snapshot) => snapshot.afterEntry)).toEqual([0, 1]);
    clock.advance(2_000);
    attach();
    await release();
    expect(taken).toHaveLength(3);
  });

  it("[AT2] with since it resumes at that byte, a resize in its place", async () => {
    const { log, attach } = rig();
    log.appendBytes(utf8("0123"));
    log.appendResize({ cols: 90, rows: 30 });
    log.appendBytes(utf8("4567"));
    const { sink } = attach(2);
    expect(sink.frames.slice(1)).toEqual([
      { kind: "message", message: { type: "resume", at: 2 } },
      { kind: "bytes", bytes: Buffer.from("23") },
      {
        kind: "message",
        message: { type: "resized", at: 4, size: { cols: 90, rows: 30 }, nth: 1 },
      },
      { kind: "bytes", bytes: Buffer.from("4567") },
    ]);
  });

  it("[AT2] [LG1] since beyond the end or before the ring gets a snapshot with the reason", async () => {
    const { log, attach, release } = rig({ ring: 64 * KiB });
    for (let i = 0; i < 100; i++) log.appendBytes(new Uint8Array(4 * KiB));
    const ahead = attach(log.end + 1).sink;
    const evicted = attach(0).sink;
    await release();
    expect(ahead.messages("snapshot")[0]?.reason).toBe("ahead");
    expect(evicted.messages("snapshot")[0]?.reason).toBe("evicted");
    expect(ahead.messages("resume")).toEqual([]);
  });

  it("[AT2] the exit has its place after the last byte, and the socket stays open", async () => {
    const { log, attach, print, clock } = rig();
    const { sink } = attach(0);
    await print(utf8("bye"));
    log.appendExit({ exit_code: null, signal: "SIGKILL" });
    clock.advance(4);
    expect(types(sink)).toEqual(["hello", "resume", "bytes", "exited"]);
    expect(sink.messages("exited")[0]).toMatchObject({ at: 3, exit_code: null, signal: "SIGKILL" });
  });

  it("[AT4] never more than the window is unacknowledged; acknowledging lets the rest come, in order", async () => {
    const { log, attach } = rig();
    const all = Uint8Array.from({ length: 1_000_000 }, (_, i) => (i * 31) >> 8);
    for (let at = 0; at < all.length; at += 4_000) log.appendBytes(all.subarray(at, at + 4_000));
    const { sink, stream } = attach(0);
    let acked = 0;
    while (acked < all.length) {
      const sent = sink.liveBytes.length;
      expect(sent - acked).toBeGreaterThan(0);
      expect(sent - acked).toBeLessThanOrEqual(limits.viewerWindowBytes);
      acked = Math.min(sent, acked + 100_000);
      stream.acknowledge(acked);
    }
    expect(Buffer.compare(sink.liveBytes, all)).toBe(0);
    for (const frame of sink.frames)
      if (frame.kind === "bytes") expect(frame.bytes.length).toBeLessThanOrEqual(64 * KiB);
  });

  it("[AT4] an acknowledgement beyond what was sent closes 4400", async () => {
    const { attach, print } = rig();
    const { sink, stream } = attach(0);
    await print(utf8("abc"));
    stream.acknowledge(3);
    expect(sink.closed).toBeNull();
    stream.acknowledge(4);
    expect(sink.closed?.code).toBe(4400);
  });

  it("[AT4] a viewer that acknowledges nothing for 30 s while bytes are due is closed 4408; the log goes on", async () => {
    const { clock, log, attach, print } = rig();
    const { sink } = attach(0);
    const other = attach(0);
    for (let i = 0; i < 5; i++) await print(new Uint8Array(64 * KiB));
    other.stream.acknowledge(other.sink.liveBytes.length);
    clock.advance(limits.viewerSilenceMs - 100);
    expect(sink.closed).toBeNull();
    clock.advance(100);
    expect(sink.closed?.code).toBe(4408);
    expect(sink.liveBytes.length).toBeLessThanOrEqual(limits.viewerWindowBytes);
    await print(utf8("more"));
    expect(other.sink.closed).toBeNull();
    expect(other.sink.liveBytes.length).toBe(log.end);
  });

  it("[AT4] a viewer that has everything may be silent for ever", async () => {
    const { clock, attach, print } = rig();
    const { sink } = attach(0);
    await print(utf8("abc"));
    clock.advance(10 * limits.viewerSilenceMs);
    expect(sink.closed).toBeNull();
    expect(clock.pending).toBe(0);
  });

  it("[AT4] [LG1] a viewer overtaken by eviction gets resync, a snapshot, and the bytes after it", async () => {
    const { log, attach, release, print } = rig({ ring: 512 * KiB });
    const { sink, stream } = attach(0);
    for (let i = 0; i < 20; i++) await print(new Uint8Array(64 * KiB));
    const before = sink.liveBytes.length;
    stream.acknowledge(before);
    await release();
    const at = sink.messages("snapshot")[0]?.at;
    expect(types(sink).slice(-3)).toEqual(["resync", "snapshot", "bytes"]);
    expect(sink.messages("snapshot")[0]?.reason).toBe("evicted");
    expect(at).toBe(log.end);
    await print(utf8("after"));
    expect(new TextDecoder().decode(sink.liveBytes.subarray(before))).toBe("after");
    stream.acknowledge(before);
    stream.acknowledge(log.end);
    expect(sink.closed).toBeNull();
  });

  it("[AT4] [T5A] a large snapshot goes out only as fast as the network takes it", async () => {
    const { clock, attach, release } = rig({ historyPieces: 40 });
    const sink = new MemorySink();
    sink.onFrame((frame) => {
      if (frame.kind === "bytes") sink.bufferedBytes += frame.bytes.length;
    });
    attach(undefined, sink);
    await release();
    let worst = 0;
    let rounds = 0;
    while (!sink.messages("snapshot").at(-1)?.last) {
      worst = Math.max(worst, sink.bufferedBytes);
      sink.bufferedBytes = Math.max(0, sink.bufferedBytes - 10 * KiB);
      clock.advance(1_000);
      rounds += 1;
      expect(sink.closed).toBeNull();
    }
    expect(worst).toBeLessThanOrEqual(limits.viewerWindowBytes + 64 * KiB + 100);
    // Longer than the silence that is allowed: what trickles is not silent.
    expect(rounds * 1_000).toBeGreaterThan(2 * limits.viewerSilenceMs);
  });

  it("[AT4] a network that takes nothing of a snapshot for 30 s ends in 4408", async () => {
    const { clock, attach, release } = rig({ historyPieces: 40 });
    const sink = new MemorySink();
    sink.onFrame((frame) => {
      if (frame.kind === "bytes") sink.bufferedBytes += frame.bytes.length;
    });
    attach(undefined, sink);
    await release();
    clock.advance(limits.viewerSilenceMs);
    expect(sink.closed?.code).toBe(4408);
    expect(clock.pending).toBe(0);
  });

  it("[AT4] bytes after a snapshot larger than the window wait for its acknowledgement", async () => {
    const { log, attach, release, print } = rig({ historyPieces: 5 });
    const { sink, stream } = attach();
    await release();
    await print(utf8("after"));
    expect(live(sink)).toBe("");
    stream.acknowledge(log.end - 5);
    expect(live(sink)).toBe("after");
  });

  it("[B019] notices to a viewer that does not read are kept one per type and sent when it does", async () => {
    const { clock, attach, fanout } = rig();
    const { sink } = attach(0);
    sink.bufferedBytes = 300 * KiB;
    for (let i = 0; i < 1_000; i++) {
      fanout.notice({ type: "title", title: `t${i}` });
      fanout.notice({ type: "bell" });
    }
    expect(types(sink)).toEqual(["hello", "resume"]);
    sink.bufferedBytes = 0;
    clock.advance(20);
    expect(types(sink)).toEqual(["hello", "resume", "title", "bell"]);
    expect(sink.messages("title")[0]?.title).toBe("t999");
  });

  it("[AT10] a stream that was disposed sends nothing more, whatever was under way", async () => {
    const { log, attach, release, print, fanout } = rig();
    const first = attach();
    const second = attach();
    first.stream.dispose();
    await release();
    await print(utf8("abc"));
    fanout.notice({ type: "bell" });
    first.stream.acknowledge(log.end + 100);
    expect(types(first.sink)).toEqual(["hello"]);
    expect(live(second.sink)).toBe("abc");
  });

  it("many small reads of one turn of the loop are one frame, the first at once", async () => {
    const { log, attach, clock } = rig();
    const { sink } = attach(0);
    for (const char of "echo") log.appendBytes(utf8(char));
    expect(types(sink)).toEqual(["hello", "resume"]);
    await nextLoop();
    expect(live(sink)).toBe("echo");
    expect(types(sink)).toHaveLength(3);
    log.appendBytes(utf8("more"));
    await nextLoop();
    expect(live(sink)).toBe("echo");
    clock.advance(4);
    expect(live(sink)).toBe("echomore");
  });

  it("viewers share the bytes: a frame is the same memory for all of them", async () => {
    const { attach, print } = rig();
    const sinks = [attach(0).sink, attach(0).sink];
    await print(utf8("shared"));
    const [first, second] = sinks.map((sink) => sink.frames.at(-1));
    expect(first?.kind === "bytes" && second?.kind === "bytes").toBe(true);
    if (first?.kind === "bytes" && second?.kind === "bytes") {
      expect(first.bytes.buffer).toBe(second.bytes.buffer);
      expect(concatBytes([first.bytes])).toEqual(second.bytes);
    }
  });

  it("[AT4] a viewer that was closed for its silence is done with: nothing waits for it any more", async () => {
    const { clock, attach, release, print } = rig();
    const { sink, stream } = attach();
    await release();
    stream.acknowledge(0);
    await print(new Uint8Array(300 * KiB));
    clock.advance(limits.viewerSilenceMs);
    expect(sink.closed).toMatchObject({ code: 4408 });
    await print(new Uint8Array(300 * KiB));
    stream.notice({ type: "bell" });
    stream.acknowledge(64 * KiB);
    expect(clock.pending).toBe(0);
  });
});
