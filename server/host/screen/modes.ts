// The program's modes as the API shows them (SC1). The library tells most; the two mouse encodings it does not support are tracked by
// parser hooks, because agents' mouse events are encoded by us and not by it.
import type { Terminal } from "@xterm/headless";
import { DisposableStore } from "#lib/base/lifecycle.ts";
import type { Modes } from "#lib/protocol/screen.ts";
import { coreOf } from "./xterm-internals.ts";

const mouseOf = {
  none: "off",
  x10: "x10",
  vt200: "normal",
  drag: "button_event",
  any: "any_event",
} as const;

export class ModeTracker {
  private readonly terminal: Terminal;
  private readonly store = new DisposableStore();
  /** 1005 or 1015, whichever was set last; in force only while neither SGR encoding is. */
  private oldEncoding: 1005 | 1015 | undefined;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
    const { parser } = terminal;
    const track = (isSet: boolean) => (params: (number | number[])[]) => {
      for (const mode of params) {
        if (mode !== 1005 && mode !== 1015) continue;
        if (isSet) this.oldEncoding = mode;
        else if (this.oldEncoding === mode) this.oldEncoding = undefined;
      }
      return false;
    };
    this.store.add(parser.registerCsiHandler({ prefix: "?", final: "h" }, track(true)));
    this.store.add(parser.registerCsiHandler({ prefix: "?", final: "l" }, track(false)));
    this.store.add(
      parser.registerEscHandler({ final: "c" }, () => {
        this.oldEncoding = undefined;
        return false;
      }),
    );
  }

  get current(): Modes {
    const { modes } = this.terminal;
    return {
      mouse: mouseOf[modes.mouseTrackingMode],
      mouse_encoding: this.mouseEncoding,
      app_cursor_keys: modes.applicationCursorKeysMode,
      app_keypad: modes.applicationKeypadMode,
      bracketed_paste: modes.bracketedPasteMode,
      focus_reporting: modes.sendFocusMode,
      insert: modes.insertMode,
      origin: modes.originMode,
      autowrap: modes.wraparoundMode,
    };
  }

  /** For a snapshot: what the library's own state does not hold. */
  get sequence(): string {
    return this.oldEncoding === undefined ? "" : `\x1b[?${this.oldEncoding}h`;
  }

  dispose(): void {
    this.store.dispose();
  }

  private get mouseEncoding(): Modes["mouse_encoding"] {
    switch (coreOf(this.terminal).coreMouseService.activeEncoding) {
      case "SGR":
        return "sgr";
      case "SGR_PIXELS":
        return "sgr_pixels";
      default:
        if (this.oldEncoding === 1015) return "urxvt";
        return this.oldEncoding === 1005 ? "utf8" : "default";
    }
  }
}
