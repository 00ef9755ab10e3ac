import { describe, expect, it } from "vitest";
import { TypedKeys } from "./typed-keys.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function keysOf(...chunks: string[]): string[] {
  const keys = new TypedKeys();
  return chunks
    .flatMap((chunk) => keys.feed(bytes(chunk)))
    .map((one) =>
      one.kind === "key" ? `<${one.key}>` : one.kind === "paste" ? `[${one.text}]` : one.text,
    );
}

describe("keys of the input line", () => {
  it("[TU1] text, control characters and the keys of the cursor block are told apart", () => {
    expect(keysOf("ab\x03c\r\x7f\t")).toEqual([
      "ab",
      "<ctrl-c>",
      "c",
      "<enter>",
      "<backspace>",
      "<tab>",
    ]);
    expect(keysOf("\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[1;5D\x1b[3~\x1b[H")).toEqual([
      "<up>",
      "<down>",
      "<page_up>",
      "<page_down>",
      "<word_left>",
      "<delete>",
      "<home>",
    ]);
  });

  it("[TU1] a key cut into pieces is one key, and so is a character", () => {
    expect(keysOf("\x1b", "[5", "~")).toEqual(["<page_up>"]);
    const keys = new TypedKeys();
    const [first, second] = [bytes("漢").subarray(0, 1), bytes("漢").subarray(1)];
    expect([...keys.feed(first), ...keys.feed(second)]).toEqual([{ kind: "text", text: "漢" }]);
  });

  it("[TU1] the Escape key is one when nothing follows", () => {
    const keys = new TypedKeys();
    expect(keys.feed(bytes("\x1b"))).toEqual([]);
    expect(keys.isHolding).toBe(true);
    expect(keys.flush()).toEqual([{ kind: "key", key: "escape" }]);
    expect(keys.isHolding).toBe(false);
  });

  it("[TU1] a paste is text whatever is in it, and waits for its end", () => {
    expect(keysOf("\x1b[200~one\rtwo\x03", "three\x1b[201~x")).toEqual([
      "[one\rtwo\x03three]",
      "x",
    ]);
  });

  it("[TU1] what no key sends is dropped, and nothing is kept of it for long", () => {
    expect(keysOf("\x1b[99;99z", "a")).toEqual(["a"]);
    const keys = new TypedKeys();
    keys.feed(bytes(`\x1b[${"1".repeat(1_000)}`));
    expect(keys.isHolding).toBe(false);
  });
});
