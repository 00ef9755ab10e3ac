// The bell, once per write: a program that rings a thousand times is heard once.
import type { Terminal } from "@xterm/headless";
import type { Disposable } from "#lib/base/lifecycle.ts";

export class Bells implements Disposable {
  private readonly listening: Disposable;
  private hasRung = false;

  constructor(terminal: Terminal, rang: () => void) {
    this.listening = terminal.onBell(() => {
      if (this.hasRung) return;
      this.hasRung = true;
      rang();
    });
  }

  written(): void {
    this.hasRung = false;
  }

  dispose(): void {
    this.listening.dispose();
  }
}
