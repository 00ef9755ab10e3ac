import { describe, expect, it } from "vitest";
import { shortcutOf } from "./shortcuts.ts";

const key = (code: string, mods = "") => ({
  code,
  altKey: mods.includes("a"),
  shiftKey: mods.includes("s"),
  ctrlKey: mods.includes("c"),
  metaKey: mods.includes("m"),
});

describe("shortcuts of the page", () => {
  it("chords with Alt and Shift act", () => {
    expect(shortcutOf(key("KeyT", "as"))).toEqual({ kind: "new" });
    expect(shortcutOf(key("BracketLeft", "as"))).toEqual({ kind: "step", by: -1 });
    expect(shortcutOf(key("Digit9", "as"))).toEqual({ kind: "tab", index: 8 });
    expect(shortcutOf(key("Backquote", "c"))).toEqual({ kind: "toggleDrawer" });
    expect(shortcutOf(key("ArrowLeft", "asc"))).toEqual({ kind: "moveTab", by: -1 });
  });

  it("[B119] what programs need is left to them: bare letters, Ctrl+letter, Alt+letter, function keys", () => {
    for (const mods of ["", "s", "c", "a", "cs", "ca", "m", "asm"])
      for (const code of ["KeyT", "KeyW", "KeyR", "KeyD", "Digit1", "F1", "F5", "Tab"])
        expect(shortcutOf(key(code, mods)), `${mods} ${code}`).toBeNull();
    expect(shortcutOf(key("Digit0", "as"))).toBeNull();
    expect(shortcutOf(key("Backquote", "cs"))).toBeNull();
  });
});
