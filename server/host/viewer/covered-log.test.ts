// [CR3] The log of an agent's viewer: stars for values, and every offset what it is for everybody else.
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type LogReader, OutputLog } from "#server/host/output/output-log.ts";
import { SecretWords } from "#server/host/secrets/secret-words.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { CoveredLog } from "./covered-log.ts";

const KiB = 1024;
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");

function rig(options: { ring?: number; words?: readonly string[] } = {}) {
  const clock = new FakeClock();
  const log = new OutputLog(options.ring ?? limits.ringBytes);
  const words = new SecretWords({});
  for (const word of options.words ?? ["hunter22"]) words.typed(word);
  const due: number[] = [];
  const covered = new CoveredLog(log, words, clock, () => due.push(clock.monotonic()));
  const print = (output: string) => log.appendBytes(utf8(output));
  return { clock, log, words, covered, due, print };
}

/** Everything there is to read now: bytes joined, marks as words. Checks that places follow each other. */
function read(reader: LogReader, maxBytes = 64 * KiB): string {
  let out = "";
  for (;;) {
    const at = reader.offset;
    const result = reader.read(maxBytes);
    if (result.kind === "empty" || result.kind === "evicted") {
      expect(reader.offset).toBe(at);
      return result.kind === "empty" ? out : `${out}<evicted>`;
    }
    expect(result.at).toBe(at);
    if (result.kind === "bytes") {
      expect(result.bytes.length).toBeLessThanOrEqual(maxBytes);
      expect(reader.offset).toBe(at + result.bytes.length);
      out += text(result.bytes);
    } else out += `<${result.kind} ${reader.entry}>`;
  }
}

describe("CoveredLog", () => {
  it("[CR3] whatever is asked for at once, and wherever the chunks of the log end", () => {
    for (const maxBytes of [1, 2, 3, 7, 100]) {
      for (let cut = 0; cut <= 20; cut++) {
        const { covered, print } = rig();
        const output = "is hunter22, is \x1b[1mhunt\r\ner22. ";
        print(output.slice(0, cut));
        print(output.slice(cut));
        expect(read(covered.readerAt(0), maxBytes)).toBe("is ********, is \x1b[1m****\r\n****. ");
      }
    }
  });

  it("[CR3] [AT2] from whatever place a viewer goes on, the rest of a value is covered too", () => {
    const output = "is \x1b[31mhunter22\x1b[m. ";
    const whole = "is \x1b[31m********\x1b[m. ";
    for (let since = 0; since <= output.length; since++) {
      const { covered, print } = rig();
      print(output);
      expect(read(covered.readerAt(since))).toBe(whole.slice(since));
    }
  });

  it("[CR3] resizes and the exit have their place, and what was held back goes before them", () => {
    const { covered, log, print } = rig();
    print("hunte");
    log.appendResize({ cols: 90, rows: 30 });
    print("r22 hu");
    log.appendExit({ exit_code: 0, signal: null });
    const reader = covered.readerAt(0);
    expect(read(reader)).toBe("*****<resize 1>*** hu<exit 2>");
    expect(reader.offset).toBe(log.end);
  });

  it("[CR3] what may begin a value waits a tenth of a second for the rest and no longer", () => {
    const { clock, covered, due, print } = rig();
    const reader = covered.readerAt(0);
    print("the hu");
    expect(read(reader)).toBe("the ");
    clock.advance(limits.coveredHold.ms - 1);
    expect(due).toEqual([]);
    expect(read(reader)).toBe("");
    clock.advance(1);
    expect(due.length).toBe(1);
    expect(read(reader)).toBe("hu");
    print("nter22");
    expect(read(reader)).toBe("******");
    clock.advance(10_000);
    expect(due.length).toBe(1);
  });

  it("[CR3] a value counts as soon as it is typed, one that was none is shown again", () => {
    const { covered, print, words } = rig({ words: [] });
    const reader = covered.readerAt(0);
    print("say hunter22; and hunt");
    expect(read(reader)).toBe("say hunter22; and hunt");
    words.typed("hunter22");
    print("er22; hunter22; ano");
    expect(read(reader)).toBe("****; ********; ano");
    words.typed("another");
    // What went out before is known to have begun the new one.
    print("ther hunt");
    expect(read(reader)).toBe("**** ");
    words.forget(["hunter22", "another"]);
    print("er22 another");
    expect(read(reader)).toBe("hunter22 another");
  });

  it("[CR3] without values it is the log itself: the same bytes, and nothing is copied", () => {
    const { covered, log, print } = rig({ words: [] });
    print("hunter22");
    const own = log.readerAt(0).read(100);
    const shown = covered.readerAt(0).read(100);
    expect(
      own.kind === "bytes" && shown.kind === "bytes" && shown.bytes.buffer === own.bytes.buffer,
    ).toBe(true);
  });

  it("[CR3] nobody goes on where the beginning of a value may be gone; a reader that was overtaken is told", () => {
    const { covered, log, print, words } = rig({ ring: 128 * KiB });
    const reader = covered.readerAt(0);
    print("hun");
    expect(read(reader)).toBe("");
    for (let n = 0; n < 30; n++) log.appendBytes(new Uint8Array(10 * KiB).fill(0x2e));
    expect(log.oldest).toBeGreaterThan(0);
    expect(covered.oldest).toBe(log.oldest + limits.coveredHold.back);
    expect(reader.read(64 * KiB).kind).toBe("evicted");
    words.forget(["hunter22"]);
    expect(covered.oldest).toBe(log.oldest);
  });
});
