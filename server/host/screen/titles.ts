// The window title and its stack (OSC 0 and 2, CSI 22 and 23 t). The library keeps both without a bound and unclean; this keeps them
// clean and short (T85). The title is never reported back.
import type { Terminal } from "@xterm/headless";
import { DisposableStore } from "#lib/base/lifecycle.ts";
import { cleanTitle } from "#lib/terminal/title.ts";

/** As many as the library itself would keep. */
const stackLimit = 10;

export class Titles {
  private title = "";
  private readonly stack: string[] = [];
  private readonly store = new DisposableStore();

  constructor(terminal: Terminal, changed: (title: string) => void) {
    const { parser } = terminal;
    const set = (title: string) => {
      if (title === this.title) return;
      this.title = title;
      changed(title);
    };
    for (const number of [0, 2]) {
      this.store.add(
        parser.registerOscHandler(number, (data) => {
          set(cleanTitle(data));
          return true;
        }),
      );
    }
    this.store.add(
      parser.registerCsiHandler({ final: "t" }, (params) => {
        const [operation, which = 0] = params;
        if (operation !== 22 && operation !== 23) return false;
        if (which === 1) return true;
        if (operation === 22) {
          this.stack.push(this.title);
          if (this.stack.length > stackLimit) this.stack.shift();
        } else {
          const title = this.stack.pop();
          if (title !== undefined) set(title);
        }
        return true;
      }),
    );
  }

  get current(): string {
    return this.title;
  }

  dispose(): void {
    this.store.dispose();
  }
}
