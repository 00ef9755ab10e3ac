import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type LogReader, OutputLog } from "./output-log.ts";

const KiB = 1024;
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Everything a reader gets until it runs dry: bytes joined, marks as words. */
function drain(reader: LogReader, maxBytes = 64 * KiB): string[] {
  const seen: string[] = [];
  let joined = false;
  for (;;) {
    const result = reader.read(maxBytes);
    if (result.kind === "empty") return seen;
    if (result.kind === "evicted") return [...seen, "evicted"];
    if (result.kind === "bytes") {
      if (joined) seen.push(seen.pop() + text(result.bytes));
      else seen.push(text(result.bytes));
      joined = true;
      continue;
    }
    joined = false;
    seen.push(
      result.kind === "exit" ? `exit@${result.at}` : `resize ${result.size.cols}@${result.at}`,
    );
  }
}

describe("OutputLog", () => {
  it("[LG1] resizes and exit have a place between bytes", () => {
    const log = new OutputLog();
    log.appendBytes(utf8("one"));
    log.appendResize({ cols: 90, rows: 30 });
    log.appendBytes(utf8("two"));
    log.appendExit({ exit_code: 0, signal: null });
    expect(drain(log.readerAt(0))).toEqual(["one", "resize 90@3", "two", "exit@6"]);
    expect(drain(log.readerAt(0), 1)).toEqual(["one", "resize 90@3", "two", "exit@6"]);
    expect(log.end).toBe(6);
    expect(log.entryCount).toBe(2);
  });

  it("[LG1] a reader at a resize's offset gets it, and with the entry count of a snapshot does not", () => {
    const log = new OutputLog();
    log.appendBytes(utf8("one"));
    log.appendResize({ cols: 90, rows: 30 });
    log.appendResize({ cols: 91, rows: 30 });
    log.appendBytes(utf8("two"));
    expect(drain(log.readerAt(3))).toEqual(["resize 90@3", "resize 91@3", "two"]);
    expect(drain(log.readerAt(3, 1))).toEqual(["resize 91@3", "two"]);
    expect(drain(log.readerAt(3, 2))).toEqual(["two"]);
    expect(drain(log.readerAt(4))).toEqual(["wo"]);
  });

  it("[LG1] the exit is told to a reader that starts with a snapshot taken after it", () => {
    const log = new OutputLog();
    log.appendBytes(utf8("one"));
    log.appendResize({ cols: 90, rows: 30 });
    log.appendExit({ exit_code: 0, signal: null });
    expect(drain(log.readerAt(3, 2))).toEqual(["exit@3"]);
    expect(drain(log.readerAt(3))).toEqual(["resize 90@3", "exit@3"]);
  });

  it("[LG1] the ring keeps its capacity and at most a block more", () => {
    const log = new OutputLog(256 * KiB);
    const chunk = new Uint8Array(3_000);
    for (let i = 0; i < 1_000; i++) log.appendBytes(chunk);
    expect(log.end).toBe(3_000_000);
    expect(log.end - log.oldest).toBeGreaterThan(256 * KiB - 64 * KiB);
    expect(log.end - log.oldest).toBeLessThanOrEqual(256 * KiB);
  });

  it("[LG1] [LM] the default ring is 8 MiB", () => {
    const log = new OutputLog();
    const chunk = new Uint8Array(64 * KiB);
    for (let i = 0; i < 200; i++) log.appendBytes(chunk);
    expect(log.end - log.oldest).toBeLessThanOrEqual(limits.ringBytes);
    expect(log.end - log.oldest).toBeGreaterThan(limits.ringBytes - 512 * KiB);
  });

  it("[LG1] a reader overtaken by eviction is told so, every time it asks", () => {
    const log = new OutputLog(128 * KiB);
    const reader = log.readerAt(0);
    log.appendBytes(new Uint8Array(10));
    expect(reader.read(4).kind).toBe("bytes");
    log.appendBytes(new Uint8Array(300 * KiB));
    expect(reader.read(4)).toEqual({ kind: "evicted", oldest: log.oldest });
    expect(reader.read(4)).toEqual({ kind: "evicted", oldest: log.oldest });
    expect(log.readerAt(log.oldest).read(4).kind).toBe("bytes");
  });

  it("bytes handed out stay what they were when the ring has moved past them", () => {
    const log = new OutputLog(128 * KiB);
    log.appendBytes(utf8("keep me"));
    const result = log.readerAt(0).read(100);
    for (let i = 0; i < 50; i++) log.appendBytes(new Uint8Array(10_000).fill(88));
    expect(result.kind === "bytes" && text(result.bytes)).toBe("keep me");
  });

  it("bytes are copied: the writer may reuse its array", () => {
    const log = new OutputLog();
    const scratch = utf8("abc");
    log.appendBytes(scratch);
    scratch.fill(88);
    expect(drain(log.readerAt(0))).toEqual(["abc"]);
  });

  it("[LM] resizes of a silent program are bounded, and who missed one is told", () => {
    const log = new OutputLog();
    log.appendBytes(utf8("x"));
    const early = log.readerAt(0);
    for (let i = 0; i < 5_000; i++) log.appendResize({ cols: 2 + (i % 500), rows: 24 });
    expect(drain(early)).toEqual(["evicted"]);
    expect(drain(log.readerAt(1))).toEqual(["evicted"]);
    expect(drain(log.readerAt(1, log.entryCount))).toEqual([]);
  });

  it("[B048] a read ends where a chunk ended, and in a longer chunk between two characters", () => {
    const log = new OutputLog();
    for (let i = 0; i < 20; i++) log.appendBytes(utf8(`${"x".repeat(1_500)}—`));
    const reader = log.readerAt(0);
    for (const maxBytes of [2_000, 4_000, 1_600, 10_000]) {
      const result = reader.read(maxBytes);
      expect(result.kind === "bytes" && text(result.bytes).endsWith("x—")).toBe(true);
      expect(reader.offset % 1_503).toBe(0);
    }
    const long = new OutputLog();
    long.appendBytes(utf8("é—€😀".repeat(1_000)));
    const slow = long.readerAt(0);
    for (let i = 0; i < 200; i++) {
      const result = slow.read(7);
      expect(result.kind === "bytes" && text(result.bytes)).not.toContain("\uFFFD");
    }
  });

  it("every byte comes out once, in order, whatever the sizes of writes and reads", () => {
    const log = new OutputLog(1 << 20);
    const reader = log.readerAt(0);
    const expected: number[] = [];
    const got: number[] = [];
    let seed = 7;
    const random = (n: number) => {
      seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
      return seed % n;
    };
    for (let i = 0; i < 400; i++) {
      const chunk = Uint8Array.from({ length: 1 + random(3_000) }, () => random(256));
      expected.push(...chunk);
      log.appendBytes(chunk);
      if (random(3) === 0) log.appendResize({ cols: 80, rows: 24 });
      for (let reads = random(4); reads > 0; reads--) {
        const result = reader.read(1 + random(5_000));
        if (result.kind === "bytes") {
          expect(result.at).toBe(got.length);
          got.push(...result.bytes);
        }
      }
    }
    for (;;) {
      const result = reader.read(64 * KiB);
      if (result.kind === "empty") break;
      if (result.kind === "bytes") got.push(...result.bytes);
    }
    expect(got).toEqual(expected);
  });
});
