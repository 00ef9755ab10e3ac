// What every sink does. Run by the WebSocket sink's test and by the memory sink's.
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import type { Sink } from "#server/host/viewer/sink.ts";
import type { SinkFrame } from "./memory-sink.ts";

export interface SinkUnderTest {
  sink: Sink;
  /** Resolves with what the far end got, once that is `count` frames. */
  received(count: number): Promise<SinkFrame[]>;
}

/** `make` is called once per test and may clean up with vitest's own hooks. */
export function describeSink(name: string, make: () => Promise<SinkUnderTest>): void {
  describe(`${name} as a sink`, () => {
    it("[AT1] messages and bytes arrive as what they are, in order", async () => {
      const { sink, received } = await make();
      sink.send({ type: "resume", at: 7 });
      sink.sendBytes(utf8("abc\u001b[0m"));
      sink.send({ type: "bell" });
      const frames = await received(3);
      expect(frames[0]).toEqual({ kind: "message", message: { type: "resume", at: 7 } });
      expect(bytesOf(frames[1])).toEqual([...utf8("abc\u001b[0m")]);
      expect(frames[2]).toEqual({ kind: "message", message: { type: "bell" } });
    });

    it("[AT1] a view of a larger array arrives alone, bytes above 127 untouched", async () => {
      const { sink, received } = await make();
      const all = Uint8Array.from({ length: 256 }, (_, index) => index);
      sink.sendBytes(all.subarray(100, 200));
      expect(bytesOf((await received(1))[0])).toEqual([...all.subarray(100, 200)]);
    });

    it("[AT4] a megabyte arrives whole and leaves nothing buffered", async () => {
      const { sink, received } = await make();
      const frame = new Uint8Array(64 * 1024).fill(97);
      for (let i = 0; i < 16; i++) sink.sendBytes(frame);
      const frames = await received(16);
      expect(frames.every((each) => each.kind === "bytes" && each.bytes.length === 65_536)).toBe(
        true,
      );
      expect(sink.bufferedBytes).toBe(0);
    });

    it("[AT7] close comes after what was sent, with its code, and what follows is ignored", async () => {
      const { sink, received } = await make();
      sink.send({ type: "bell" });
      sink.close(4408, "slow");
      sink.send({ type: "bell" });
      sink.sendBytes(utf8("late"));
      sink.close(4400, "again");
      expect((await received(2))[1]).toEqual({ kind: "closed", code: 4408, reason: "slow" });
    });
  });
}

function bytesOf(frame: SinkFrame | undefined): number[] {
  return frame?.kind === "bytes" ? [...frame.bytes] : [];
}
