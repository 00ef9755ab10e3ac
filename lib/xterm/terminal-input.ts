// What goes from one terminal to the program: what a person typed, composed or pasted, told apart from what the terminal emitted by itself or for
// the mouse (AT3). Knows no attachment.
import type { Terminal } from "@xterm/xterm";
import { utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { InputCause } from "./input-cause.ts";
import { SoftInput } from "./soft-input.ts";
import { pasteInto, takePastes } from "./terminal-paste.ts";
import type { TerminalHost } from "./terminal-status.ts";

export interface InputOptions {
  readonly clock: Clock;
  readonly document: Document;
  readonly host: Pick<TerminalHost, "confirmPaste">;
  /** Bytes a person caused. */
  typed(bytes: Uint8Array): void;
  /** What the terminal emitted by itself or for the mouse; one character per byte. */
  report(data: string): void;
}

export class TerminalInput implements Disposable {
  private readonly store = new DisposableStore();
  private readonly softInput: SoftInput;

  /** `root` holds the terminal, also before it is open. */
  constructor(
    private readonly terminal: Terminal,
    root: HTMLElement,
    private readonly options: InputOptions,
  ) {
    const { store } = this;
    const { clock, document } = options;
    const cause = store.add(new InputCause(document, clock));
    const softInput = store.add(new SoftInput(root, clock, (text) => this.typedText(text)));
    this.softInput = softInput;
    store.add(
      terminal.onData((data) => {
        softInput.committed();
        const why = cause.now();
        if (why === "typed") options.typed(utf8(data));
        else if (why === "report") options.report(data);
      }),
    );
    // Legacy mouse reports, one character per byte; never keys.
    store.add(
      terminal.onBinary((data) => {
        if (cause.now() === "report") options.report(data);
      }),
    );
    store.add(takePastes(root, (text) => this.paste(text)));
  }

  /** True: this key's text comes as an input event; xterm must not look at the key. */
  takesKey(event: KeyboardEvent): boolean {
    return this.softInput.takesKey(event);
  }

  paste(text: string): void {
    void pasteInto(this.terminal, text, {
      confirm: (question) => this.options.host.confirmPaste(question),
      typed: (ready) => this.typedText(ready),
    });
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Typed past xterm, which therefore does not scroll down by itself. */
  private typedText(text: string): void {
    this.terminal.scrollToBottom();
    this.options.typed(utf8(text));
  }
}
