// Which keys are the program's, which the terminal view's, which the app's (UI, section 9). Pure. The program gets everything
// that is not named here: bare Ctrl+letter, Alt+letter and function keys always reach it.

export type KeyRoute =
  | { kind: "program" }
  /** Left to the page: the app's shortcuts, and what the browser does by itself (paste). */
  | { kind: "page" }
  | { kind: "copy"; clearsSelection: boolean }
  | { kind: "find" }
  | { kind: "zoom"; step: 1 | -1 | 0 }
  | { kind: "scroll"; to: "page_up" | "page_down" | "top" | "bottom" }
  | { kind: "leave" }
  /** To the command before or after; the program's where there is none. */
  | { kind: "command"; by: 1 | -1 }
  /** Nothing happens, but the browser must not act either (copy without a selection would open its tools). */
  | { kind: "swallow" };

/** The parts of a KeyboardEvent that decide. */
export type KeyPress = Pick<
  KeyboardEvent,
  "key" | "code" | "ctrlKey" | "altKey" | "shiftKey" | "metaKey" | "isComposing"
>;

export interface KeyContext {
  isMac: boolean;
  hasSelection: boolean;
  isScreenReader: boolean;
}

/** Alt+Shift+… that the app takes; others (Emacs' M-< M->, M-A…) stay the program's. Letters by place, so layouts do not move them. */
const appCodes = new Set([
  ..."BDEGHJKLMNOPRSTWX".split("").map((letter) => `Key${letter}`),
  ..."123456789".split("").map((digit) => `Digit${digit}`),
  "BracketLeft",
  "BracketRight",
  "Slash",
]);

export function routeKey(press: KeyPress, context: KeyContext): KeyRoute {
  if (press.isComposing) return { kind: "program" };
  const { ctrlKey: ctrl, altKey: alt, shiftKey: shift, metaKey: meta } = press;
  if (alt && shift && !meta) return altShift(press);
  // Any other chord with Alt is the program's, and AltGr (Ctrl+Alt) writes characters.
  if (alt) return { kind: "program" };
  if (meta) return context.isMac && !ctrl ? command(press, context) : { kind: "page" };
  if (ctrl) return control(press, context);
  return shift ? shifted(press, context) : { kind: "program" };
}

function altShift(press: KeyPress): KeyRoute {
  if (press.ctrlKey)
    return press.code === "ArrowLeft" || press.code === "ArrowRight"
      ? { kind: "page" }
      : { kind: "program" };
  if (press.code === "KeyF") return { kind: "leave" };
  return { kind: appCodes.has(press.code) ? "page" : "program" };
}

function control(press: KeyPress, context: KeyContext): KeyRoute {
  const zoom = zoomStep(press);
  if (zoom !== null) return { kind: "zoom", step: zoom };
  if (press.code === "Backquote" || press.key === "," || press.key === "`") return { kind: "page" };
  if (press.shiftKey) {
    if (isLetter(press, "c"))
      return context.hasSelection ? { kind: "copy", clearsSelection: false } : { kind: "swallow" };
    if (isLetter(press, "v")) return { kind: "page" };
    if (isLetter(press, "f")) return { kind: "find" };
    return commandStep(press) ?? { kind: "program" };
  }
  if (press.key === "Insert") return { kind: "copy", clearsSelection: false };
  if (isLetter(press, "c") && context.hasSelection && !context.isMac)
    return { kind: "copy", clearsSelection: true };
  return { kind: "program" };
}

function command(press: KeyPress, context: KeyContext): KeyRoute {
  const zoom = zoomStep(press);
  if (zoom !== null) return { kind: "zoom", step: zoom };
  if (press.shiftKey) return commandStep(press) ?? { kind: "page" };
  if (isLetter(press, "c") && context.hasSelection) return { kind: "copy", clearsSelection: false };
  if (isLetter(press, "f")) return { kind: "find" };
  return { kind: "page" };
}

function commandStep({ key }: KeyPress): KeyRoute | null {
  if (key === "ArrowUp") return { kind: "command", by: -1 };
  return key === "ArrowDown" ? { kind: "command", by: 1 } : null;
}

/** While a command is selected: what a key is about. `stay`: nothing, and the selection stands; `leave`: it ends and the key goes on. */
export function selectionAct(
  press: KeyPress,
): "copy_output" | "rerun" | "escape" | "stay" | "leave" {
  if (/^(Control|Shift|Alt|Meta|AltGraph|CapsLock)$/.test(press.key)) return "stay";
  if (press.ctrlKey || press.metaKey || press.altKey) return "stay";
  if (press.key === "Escape") return "escape";
  if (press.isComposing || press.shiftKey) return "leave";
  if (isLetter(press, "c")) return "copy_output";
  return isLetter(press, "r") ? "rerun" : "leave";
}

function shifted(press: KeyPress, context: KeyContext): KeyRoute {
  switch (press.key) {
    case "PageUp":
      return { kind: "scroll", to: "page_up" };
    case "PageDown":
      return { kind: "scroll", to: "page_down" };
    case "Home":
      return { kind: "scroll", to: "top" };
    case "End":
      return { kind: "scroll", to: "bottom" };
    case "Insert":
      return { kind: "page" };
    case "Tab":
      return context.isScreenReader ? { kind: "leave" } : { kind: "program" };
    default:
      return { kind: "program" };
  }
}

/** By character: `=` and `+` lie on other keys elsewhere. Ctrl+_ (Ctrl+Shift+-) stays the program's undo. */
function zoomStep({ key, shiftKey }: KeyPress): 1 | -1 | 0 | null {
  if (key === "=" || key === "+") return 1;
  if (key === "-" && !shiftKey) return -1;
  if (key === "0" && !shiftKey) return 0;
  return null;
}

/** By character where the layout writes Latin letters, by place where it does not (Cyrillic, Greek). */
function isLetter({ key, code }: KeyPress, letter: string): boolean {
  return /^[a-z]$/i.test(key)
    ? key.toLowerCase() === letter
    : code === `Key${letter.toUpperCase()}`;
}
