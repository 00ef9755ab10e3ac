// Who typed a command (JR2): names, in the order in which they began. Markers come when they are parsed and typing when it happens, and
// a line may be typed ahead of its prompt; so this is what is known, not who pressed Enter.

const maxNames = 16;

class Window {
  readonly names = new Set<string>();
  enters = 0;

  add(name: string, enters: number): void {
    if (this.names.size < maxNames) this.names.add(name);
    this.enters += enters;
  }
}

export class Typists {
  private sincePrompt = new Window();
  private sinceCommand = new Window();
  /** Lines sent that no command was seen of, and whose they are. */
  private ahead = 0;
  private last: readonly string[] = [];

  typed(name: string, bytes: Uint8Array): void {
    let enters = 0;
    for (const byte of bytes) if (byte === 0x0d || byte === 0x0a) enters++;
    this.sincePrompt.add(name, enters);
    this.sinceCommand.add(name, enters);
  }

  /** A prompt that a line may be typed at: what was typed before it went to a program, or is a line typed ahead. */
  prompted(): void {
    this.sincePrompt = new Window();
  }

  /** The line is sent. Nobody since the prompt: it was typed ahead, while the command before ran or even before that; or by nobody. */
  sent(): readonly string[] {
    const isAhead = this.sincePrompt.names.size === 0;
    const window = isAhead ? this.sinceCommand : this.sincePrompt;
    const lines = window.enters + (isAhead ? this.ahead : 0);
    if (window.names.size > 0) this.last = [...window.names];
    const isSomebodys = window.names.size > 0 || lines > 0;
    this.ahead = Math.max(0, lines - 1);
    this.sincePrompt = new Window();
    this.sinceCommand = new Window();
    return isSomebodys ? this.last : [];
  }
}
