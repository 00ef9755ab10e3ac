// The page's own chords, by physical key so that layouts do not break them. Pure. No bare Ctrl+letter, Alt+letter or function key:
// those belong to the program. What the terminal handles itself (leave, find, zoom, copy) is not here.
export type Shortcut =
  | { kind: "new" }
  | { kind: "hide" }
  | { kind: "step"; by: 1 | -1 }
  | { kind: "tab"; index: number }
  | { kind: "cycleDock" }
  | { kind: "toggleMax" }
  | { kind: "toggleRail" }
  | { kind: "toggleDrawer" }
  | { kind: "focusTerminal" }
  | { kind: "commands" }
  | { kind: "keyboard"; act: KeyboardChord }
  | { kind: "agentView" }
  | { kind: "nextNeed" }
  | { kind: "moveTab"; by: 1 | -1 };

export type KeyboardChord = "take" | "hold" | "handBack" | "observe" | "sealed" | "secret";

const keyboardChords: Readonly<Record<string, KeyboardChord>> = {
  KeyK: "take",
  KeyH: "hold",
  KeyB: "handBack",
  KeyL: "observe",
  KeyX: "sealed",
  KeyS: "secret",
};

type Chord = Pick<KeyboardEvent, "code" | "altKey" | "shiftKey" | "ctrlKey" | "metaKey">;

export function shortcutOf(event: Chord): Shortcut | null {
  const { code, altKey, shiftKey, ctrlKey, metaKey } = event;
  if (metaKey) return null;
  if (ctrlKey && !altKey && !shiftKey && code === "Backquote") return { kind: "toggleDrawer" };
  if (!altKey || !shiftKey) return null;
  if (ctrlKey) {
    if (code === "ArrowLeft") return { kind: "moveTab", by: -1 };
    if (code === "ArrowRight") return { kind: "moveTab", by: 1 };
    return null;
  }
  const digit = /^Digit([1-9])$/.exec(code)?.[1];
  if (digit !== undefined) return { kind: "tab", index: Number(digit) - 1 };
  const act = keyboardChords[code];
  if (act !== undefined) return { kind: "keyboard", act };
  switch (code) {
    case "KeyE":
      return { kind: "agentView" };
    case "KeyN":
      return { kind: "nextNeed" };
    case "KeyT":
      return { kind: "new" };
    case "KeyW":
      return { kind: "hide" };
    case "BracketRight":
      return { kind: "step", by: 1 };
    case "BracketLeft":
      return { kind: "step", by: -1 };
    case "KeyD":
      return { kind: "cycleDock" };
    case "KeyM":
      return { kind: "toggleMax" };
    case "KeyR":
      return { kind: "toggleRail" };
    case "KeyJ":
      return { kind: "commands" };
    case "KeyF":
      return { kind: "focusTerminal" };
    default:
      return null;
  }
}
