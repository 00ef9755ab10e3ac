// How often programs pushed Kitty's keyboard protocol and did not pop it. Our terminals do not speak it; what reads a session with a terminal
// that does has to be told when it ends. https://sw.kovidgoyal.net/kitty/keyboard-protocol/#progressive-enhancement
import type { Terminal } from "@xterm/headless";
import { DisposableStore } from "#lib/base/lifecycle.ts";

/** Terminals keep a short stack and forget the oldest. */
const most = 16;

export class KeyboardPushes {
  private readonly store = new DisposableStore();
  private count = 0;

  constructor({ parser }: Terminal) {
    this.store.add(
      parser.registerCsiHandler({ prefix: ">", final: "u" }, () => {
        this.count = Math.min(most, this.count + 1);
        return false;
      }),
    );
    this.store.add(
      parser.registerCsiHandler({ prefix: "<", final: "u" }, ([asked]) => {
        this.count = Math.max(0, this.count - (typeof asked === "number" && asked > 0 ? asked : 1));
        return false;
      }),
    );
    this.store.add(
      parser.registerEscHandler({ final: "c" }, () => {
        this.count = 0;
        return false;
      }),
    );
  }

  get current(): number {
    return this.count;
  }

  dispose(): void {
    this.store.dispose();
  }
}
