import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type SseEvent, SseParser } from "./sse-parser.ts";

const parse = (...chunks: Uint8Array[]) => {
  const parser = new SseParser();
  const events = chunks.flatMap((chunk) => parser.push(chunk));
  return { events, parser };
};

describe("SseParser", () => {
  it("[EV1] finds the same events however the bytes are split and lines end", () => {
    const line = fc
      .string({ unit: "grapheme", maxLength: 12 })
      .map((s) => s.replace(/[\r\n\0]/g, ""));
    const event = fc.record({
      id: line,
      type: line,
      data: fc.array(line, { minLength: 1, maxLength: 3 }),
    });
    const ending = fc.constantFrom("\n", "\r\n", "\r");
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 6 }),
        ending,
        fc.array(fc.nat()),
        (sent, eol, cuts) => {
          const lines = sent.flatMap(({ id, type, data }) => [
            ":comment",
            `id: ${id}`,
            `event: ${type}`,
            ...data.map((value) => `data: ${value}`),
            "unknown: field",
            "",
          ]);
          const bytes = utf8(lines.map((text) => text + eol).join(""));
          const expected: SseEvent[] = sent.map(({ id, type, data }) => ({
            id,
            type: type || "message",
            data: data.join("\n"),
          }));
          const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort(
            (a, b) => a - b,
          );
          const chunks = [0, ...places].map((from, i) =>
            bytes.subarray(from, places[i] ?? bytes.length),
          );
          expect(concatBytes(chunks)).toEqual(bytes);
          expect(parse(...chunks).events).toEqual(expected);
          expect(parse(...Array.from(bytes, (byte) => Uint8Array.of(byte))).events).toEqual(
            expected,
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it("[EV1] an id without data moves the place to come back to, and is no event", () => {
    const { events, parser } = parse(utf8("id: a-1\ndata: x\n\n:\nid: a-9\n\nid: bad\0id\n\n"));
    expect(events).toEqual([{ id: "a-1", type: "message", data: "x" }]);
    expect(parser.lastEventId).toBe("a-9");
  });

  it("takes a field without colon, one space off, a byte order mark, and nothing half", () => {
    const { events } = parse(utf8("\ufeffdata\ndata:  two\ndata:one\n\ndata: never ended"));
    expect(events).toEqual([{ id: "", type: "message", data: "\n two\none" }]);
  });

  it("[LM] stops reading a line or an event without end", () => {
    const chunk = utf8("x".repeat(64 * 1024));
    for (const [start, more] of [
      ["data: ", chunk],
      ["", utf8(`data: ${"y".repeat(1_000)}\n`.repeat(64))],
    ] as const) {
      const parser = new SseParser();
      parser.push(utf8(start));
      let taken = 0;
      for (; !parser.isOverlong && taken < 3 * limits.eventChars; taken += more.length)
        expect(parser.push(more)).toEqual([]);
      expect(taken).toBeLessThan(1.2 * limits.eventChars);
      expect(parser.push(utf8("\n\ndata: z\n\n"))).toEqual([]);
    }
  });
});
