import { describe, expect, it } from "vitest";
import { type KeyContext, type KeyPress, routeKey, selectionAct } from "./key-routing.ts";

const plain: KeyContext = { isMac: false, hasSelection: false, isScreenReader: false };
const selected: KeyContext = { ...plain, hasSelection: true };
const mac: KeyContext = { ...plain, isMac: true };

/** `Ctrl+Shift+c/KeyC`: modifiers, the character, and the place when it is not the character's own. */
function press(chord: string): KeyPress {
  const parts = chord.split("+");
  const last = chord.endsWith("++") ? "+" : (parts.at(-1) ?? "");
  const [key = "", code] = last.length > 1 && last.includes("/") ? last.split("/") : [last];
  const place = /^[a-z]$/i.test(key)
    ? `Key${key.toUpperCase()}`
    : /^\d$/.test(key)
      ? `Digit${key}`
      : key;
  return {
    key,
    code: code ?? place,
    ctrlKey: parts.includes("Ctrl"),
    altKey: parts.includes("Alt"),
    shiftKey: parts.includes("Shift"),
    metaKey: parts.includes("Meta"),
    isComposing: false,
  };
}

describe("key routing", () => {
  it.each([
    "a",
    "Shift+A",
    "Enter",
    "Tab",
    "Shift+Tab",
    "Escape",
    "F1",
    "F12",
    "PageUp",
    "Home",
    "Insert",
    "Delete",
    "Ctrl+c",
    "Ctrl+r",
    "Ctrl+f",
    "Ctrl+l",
    "Ctrl+s",
    "Ctrl+v",
    "Ctrl+w",
    "Ctrl+k",
    "Ctrl+d",
    "Ctrl+z",
    "Ctrl+_",
    "Ctrl+Shift+_/Minus",
    "Ctrl+Shift+z",
    "Alt+b",
    "Alt+f",
    "Alt+.",
    "Alt+1",
    "Alt+Shift+</Comma",
    "Alt+Shift+>/Period",
    "Alt+Shift+A",
    "Ctrl+Alt+q",
    "Ctrl+Alt+0/Digit0",
  ])("[B119] %s reaches the program", (chord) => {
    expect(routeKey(press(chord), plain).kind).toBe("program");
  });

  it.each([
    ["Alt+Shift+P", "page"],
    ["Alt+Shift+T", "page"],
    ["Alt+Shift+W", "page"],
    ["Alt+Shift+!/Digit1", "page"],
    ["Alt+Shift+}/BracketRight", "page"],
    ["Alt+Shift+?/Slash", "page"],
    ["Alt+Shift+З/KeyP", "page"],
    ["Ctrl+Alt+Shift+ArrowLeft", "page"],
    ["Ctrl+`/Backquote", "page"],
    ["Ctrl+,/Comma", "page"],
    ["Ctrl+Shift+V", "page"],
    ["Shift+Insert", "page"],
    ["Ctrl+Shift+F", "find"],
    ["Alt+Shift+F", "leave"],
    ["Ctrl+Shift+C", "swallow"],
    ["Ctrl+Insert", "copy"],
  ])("%s goes to %s", (chord, kind) => {
    expect(routeKey(press(chord), plain).kind).toBe(kind);
  });

  it.each([
    ["Shift+PageUp", "page_up"],
    ["Shift+PageDown", "page_down"],
    ["Shift+Home", "top"],
    ["Shift+End", "bottom"],
  ])("%s scrolls here", (chord, to) => {
    expect(routeKey(press(chord), plain)).toEqual({ kind: "scroll", to });
  });

  it.each([
    ["Ctrl+=", 1],
    ["Ctrl++", 1],
    ["Ctrl+Shift++", 1],
    ["Ctrl+-", -1],
    ["Ctrl+0", 0],
    ["Ctrl+=/Digit0", 1],
  ])("%s zooms by %i", (chord, step) => {
    expect(routeKey(press(chord), plain)).toEqual({ kind: "zoom", step });
  });

  it("[B120] Ctrl+C copies and clears while text is selected, and interrupts otherwise", () => {
    expect(routeKey(press("Ctrl+c"), selected)).toEqual({ kind: "copy", clearsSelection: true });
    expect(routeKey(press("Ctrl+Shift+C"), selected)).toEqual({
      kind: "copy",
      clearsSelection: false,
    });
    expect(routeKey(press("Ctrl+c"), plain)).toEqual({ kind: "program" });
  });

  it("[B120] goes by the character on Latin layouts and by the place on others", () => {
    expect(routeKey(press("Ctrl+j/KeyC"), selected).kind, "Dvorak: that is Ctrl+J").toBe("program");
    expect(routeKey(press("Ctrl+c/KeyI"), selected).kind, "Dvorak: that is Ctrl+C").toBe("copy");
    expect(routeKey(press("Ctrl+с/KeyC"), selected).kind, "Russian").toBe("copy");
  });

  it("on a Mac Cmd is the page's and Ctrl the program's", () => {
    expect(routeKey(press("Meta+c"), { ...mac, hasSelection: true }).kind).toBe("copy");
    expect(routeKey(press("Ctrl+c"), { ...mac, hasSelection: true }).kind).toBe("program");
    expect(routeKey(press("Meta+v"), mac).kind).toBe("page");
    expect(routeKey(press("Meta+f"), mac).kind).toBe("find");
    expect(routeKey(press("Meta+="), mac)).toEqual({ kind: "zoom", step: 1 });
    expect(routeKey(press("Meta+c"), plain).kind, "the Windows key elsewhere").toBe("page");
  });

  it("Shift+Tab leaves the terminal for people with a screen reader", () => {
    expect(routeKey(press("Shift+Tab"), { ...plain, isScreenReader: true }).kind).toBe("leave");
  });

  it("[B117] leaves keys of a composition alone", () => {
    expect(routeKey({ ...press("Ctrl+c"), isComposing: true }, selected).kind).toBe("program");
  });
});

describe("keys about commands", () => {
  it("[UI 9] Ctrl+Shift+Up and Down go from command to command, on a Mac with Cmd", () => {
    expect(routeKey(press("Ctrl+Shift+ArrowUp"), plain)).toEqual({ kind: "command", by: -1 });
    expect(routeKey(press("Ctrl+Shift+ArrowDown"), plain)).toEqual({ kind: "command", by: 1 });
    expect(routeKey(press("Meta+Shift+ArrowUp"), mac)).toEqual({ kind: "command", by: -1 });
    expect(routeKey(press("Ctrl+ArrowUp"), plain).kind).toBe("program");
    expect(routeKey(press("Alt+Shift+J"), plain).kind, "the list").toBe("page");
  });

  it("[UI 9] of a selected command C copies the output and R types it again; any other key means what it always does", () => {
    expect(selectionAct(press("c"))).toBe("copy_output");
    expect(selectionAct(press("r"))).toBe("rerun");
    expect(selectionAct(press("Escape"))).toBe("escape");
    expect(selectionAct(press("x"))).toBe("leave");
    expect(selectionAct(press("Shift+C"))).toBe("leave");
    expect(selectionAct(press("Shift"))).toBe("stay");
    expect(selectionAct(press("Ctrl+c"))).toBe("stay");
    expect(selectionAct(press("с/KeyC")), "Russian").toBe("copy_output");
  });
});
