import { describe, expect, it } from "vitest";
import { applicationKeys, keyModifiers, keyTable } from "#server/testing/key-table.ts";
import { encodeKey, type KeyModes, keyNames } from "./keys.ts";

const plain: KeyModes = { appCursorKeys: false, appKeypad: false };
const application: KeyModes = { appCursorKeys: true, appKeypad: true };

/** Control bytes as ^X, a space as SP, no sequence as -. */
function shown(name: string, modes: KeyModes = plain): string {
  const bytes = encodeKey(name, modes);
  if (!bytes) return "-";
  return Buffer.from(bytes)
    .toString("utf8")
    .replace(/[\x00-\x1f]/g, (c) => `^${String.fromCharCode(c.charCodeAt(0) + 64)}`)
    .replace("\x7f", "^?")
    .replace(" ", "SP");
}

describe("encodeKey", () => {
  const rows = keyTable;

  it("[IN2] every name with every combination of modifiers sends what xterm sends, or is refused", () => {
    expect(rows.map(([name]) => name).sort()).toEqual([...keyNames].sort());
    for (const [name = "", ...wanted] of rows) {
      expect([name, ...keyModifiers.map((prefix) => shown(prefix + name))]).toEqual([
        name,
        ...wanted,
      ]);
    }
  });

  it("[IN2] modifiers may stand in any order", () => {
    for (const prefix of ["C-M-S-", "C-S-M-", "M-C-S-", "M-S-C-", "S-C-M-", "S-M-C-"]) {
      expect(shown(`${prefix}Left`)).toBe("^[[1;8D");
    }
  });

  it("[IN2] arrows, Home and End follow DECCKM, modified ones and the others do not", () => {
    const changed = rows
      .flatMap(([name = ""]) => keyModifiers.map((prefix) => prefix + name))
      .filter((name) => shown(name) !== shown(name, application))
      .map((name) => `${name} ${shown(name, application)}`);
    expect(changed).toEqual(
      Object.entries(applicationKeys).map(([name, bytes]) => `${name} ${bytes}`),
    );
  });

  it("[IN2] C-a to C-z are 1 to 26", () => {
    for (let i = 1; i <= 26; i++) {
      const letter = String.fromCharCode(96 + i);
      expect(encodeKey(`C-${letter}`, plain)).toEqual(Uint8Array.of(i));
      expect(encodeKey(`M-C-${letter}`, plain)).toEqual(Uint8Array.of(0x1b, i));
    }
  });

  it("[IN2] C-Space and the punctuation of the control range", () => {
    expect(
      ["C-Space", "C-@", "C-[", "C-\\", "C-]", "C-^", "C-_"].map((name) => shown(name)),
    ).toEqual(["^@", "^@", "^[", "^\\", "^]", "^^", "^_"]);
  });

  it("[IN2] a character is itself, M- puts ESC in front, S- makes it a capital", () => {
    expect(
      ["q", "Q", "-", "^", "é", "日", "👩", "M-x", "M-X", "M--", "S-a", "S-é", "M-S-a"].map(
        (name) => shown(name),
      ),
    ).toEqual(["q", "Q", "-", "^", "é", "日", "👩", "^[x", "^[X", "^[-", "A", "É", "^[A"]);
  });

  it("[IN2] what has no sequence of its own, or is no key, is undefined", () => {
    const none = [
      "C-Enter",
      "S-Enter",
      "C-Tab",
      "C-1",
      "C-/",
      "C--",
      "C-é",
      "S-1",
      "S-ß",
      "C-C-a",
      "X-a",
      "C-",
      "M-BTab",
      "C-Escape",
      "",
      "ab",
      "Entr",
      "F0",
      "F13",
      "^C",
      "\n",
      "\x03",
      "\x7f",
      "\u009b",
      "\ud800",
    ];
    expect(none.filter((name) => encodeKey(name, plain) !== undefined)).toEqual([]);
  });

  it("[IN2] names are found in any case, as in tmux", () => {
    expect([shown("ENTER"), shown("pgdn"), shown("C-SPACE")]).toEqual(["^M", "^[[6~", "^@"]);
  });

  it("[B068] Enter is a carriage return", () => {
    expect(encodeKey("Enter", plain)).toEqual(Uint8Array.of(0x0d));
  });
});
