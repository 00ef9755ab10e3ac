import { expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { incompleteUtf8Tail } from "./utf8-boundary.ts";

it("[B048] only the beginning of a character that needs more bytes is held back", () => {
  for (const char of ["a", "é", "—", "😀"]) {
    const bytes = utf8(`x${char}`);
    for (let end = 1; end <= bytes.length; end++) {
      expect(incompleteUtf8Tail(bytes.subarray(0, end)), `${char} ${end}`).toBe(
        end === bytes.length ? 0 : end - 1,
      );
    }
  }
});

it("[B048] bytes that are no UTF-8 are never held back for long", () => {
  for (const bytes of [
    [0x80],
    [0x80, 0x80, 0x80, 0x80],
    [0xff],
    [0xf8],
    [0xe2, 0x41],
    [0xc3, 0xa9, 0xa9],
    [],
  ]) {
    expect(incompleteUtf8Tail(Uint8Array.from(bytes))).toBe(0);
  }
});
