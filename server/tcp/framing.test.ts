import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineFraming, mayBeJsonLines, parseLine } from "./framing.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (raw: Uint8Array) => new TextDecoder().decode(raw);

function linesOf(chunks: readonly Uint8Array[], maxBytes = 64): string[] {
  const framing = new LineFraming({ maxBytes });
  return chunks.flatMap((chunk) =>
    Array.from(framing.push(chunk), (framed) =>
      framed.kind === "line" ? text(framed.bytes) : "TOO LONG",
    ),
  );
}

describe("lines out of chunks", () => {
  it("[TC1] however the bytes are cut, the lines are the same", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: "grapheme", maxLength: 12 }).filter((one) => !/[\r\n]/.test(one)),
        ),
        fc.array(fc.nat(200)),
        (lines, cuts) => {
          const all = bytes(lines.map((line) => `${line}\n`).join(""));
          const places = [0, ...cuts.map((cut) => cut % (all.length + 1)), all.length].sort(
            (a, b) => a - b,
          );
          const chunks = places.slice(1).map((end, index) => all.subarray(places[index], end));
          expect(linesOf(chunks, 1_000)).toEqual(lines.filter((line) => line !== ""));
        },
      ),
    );
  });

  it("[TC1] a line of the limit is taken, one byte more ends everything, also before its newline", () => {
    const fits = "x".repeat(64);
    expect(linesOf([bytes(`${fits}\nnext\n`)])).toEqual([fits, "next"]);
    expect(linesOf([bytes(`${fits}x\nnext\n`)])).toEqual(["TOO LONG"]);
    expect(linesOf([bytes(fits), bytes("x"), bytes("\nnext\n")])).toEqual(["TOO LONG"]);
  });

  it("[TC1] what is kept of an unfinished line never exceeds the limit", () => {
    const framing = new LineFraming({ maxBytes: 64 });
    for (let sent = 0; sent < 1_000; sent += 10) {
      Array.from(framing.push(bytes("0123456789")));
      expect(framing.pendingBytes).toBeLessThanOrEqual(64);
    }
  });

  it("[TC1] the line ends of other systems are ends of lines", () => {
    expect(linesOf([bytes('{"a":1}\r\n{"b":2}\r'), bytes("\n")])).toEqual(['{"a":1}', '{"b":2}']);
  });

  it("[TC1] bytes that are no UTF-8, and text that is no JSON, are no message", () => {
    expect(parseLine(Uint8Array.of(0x22, 0xff, 0x22))).toBeUndefined();
    expect(parseLine(bytes("{"))).toBeUndefined();
    expect(parseLine(bytes('"é"'))).toBe("é");
  });

  it("[TC1] the first byte tells what cannot be for us", () => {
    for (const first of ["GET / HTTP/1.1", "POST / HTTP/1.1", "\x16\x03\x01", " {", "\n", "["])
      expect(mayBeJsonLines(bytes(first)), first).toBe(false);
    expect(mayBeJsonLines(bytes('{"type":"auth"'))).toBe(true);
  });
});
