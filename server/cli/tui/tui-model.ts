// What the TUI is doing: which terminal is shown, what is being typed, how far up it was scrolled, and what each key does. Draws nothing.
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { edited, emptyLine, type InputLine, insert, sent } from "./input-line.ts";
import { type Layout, layoutOf } from "./layout.ts";
import type { ListedTerminal, Over, PaneTerminal, TerminalSource } from "./terminal-source.ts";
import { type KeyName, type TypedKey, TypedKeys } from "./typed-keys.ts";

/** Ctrl-] on every keyboard; telnet's and our attach's key for "this is for you". */
const directKey = 0x1d;
const leaveNotice = "nothing runs here; Ctrl-C once more leaves";
const escapeMs = 50;

export type Leaving =
  | { kind: "asked" }
  | { kind: "over"; over: Over }
  | { kind: "failed"; error: Error };

export class TuiModel implements Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<void>());
  private readonly leavings = this.store.add(new Emitter<Leaving>());
  private readonly keys = new TypedKeys();
  private shown: { terminal: PaneTerminal; owned: DisposableStore } | null = null;
  private escape: Disposable | null = null;
  private wantsDirect: boolean | null = null;
  private wasAlternate = false;
  /** Until Enter: the line was handed to the program to be completed there. */
  private isHandedOver = false;
  private chosen = 0;
  private ownNotice = "";

  readonly onChange = this.changes.event;
  readonly onLeave = this.leavings.event;
  view: "terminal" | "list" = "terminal";
  line: InputLine = emptyLine;
  /** Lines further up than the end. */
  above = 0;
  layout: Layout;

  constructor(
    private readonly source: TerminalSource,
    size: GridSize,
    private readonly clock: Clock = systemClock,
  ) {
    this.layout = layoutOf(size);
    this.store.add(source.onSessions(() => this.changed()));
  }

  async start(id: string | undefined): Promise<void> {
    try {
      await this.source.ready();
      const sessions = this.source.sessions ?? [];
      const only = id ?? (sessions.length === 1 ? sessions[0]?.id : undefined);
      if (only !== undefined) this.show(this.source.open(only, this.layout.pane));
      else if (sessions.length > 1) this.view = "list";
      else await this.create();
    } catch (error) {
      this.leavings.fire({ kind: "failed", error: error as Error });
    }
    this.changed();
  }

  get terminal(): PaneTerminal | null {
    return this.shown?.terminal ?? null;
  }

  get where(): string {
    return this.source.where;
  }

  get sessions(): readonly ListedTerminal[] {
    return this.source.sessions ?? [];
  }

  get hasList(): boolean {
    return this.source.sessions !== null;
  }

  get selected(): number {
    return Math.max(0, Math.min(this.chosen, this.sessions.length - 1));
  }

  /** Keys go to the program as they are. */
  get isDirect(): boolean {
    const { terminal } = this;
    if (!terminal || terminal.facts.link === "over") return false;
    return this.wantsDirect ?? (this.isHandedOver || terminal.screen.isAlternate);
  }

  get notice(): string {
    return this.ownNotice || (this.terminal?.facts.notice ?? "");
  }

  resize(size: GridSize): void {
    this.layout = layoutOf(size);
    this.terminal?.fit(this.layout.pane);
    this.changed();
  }

  typed(bytes: Uint8Array): void {
    this.escape?.dispose();
    this.escape = null;
    if (this.view === "terminal" && this.isDirect) this.typedDirectly(bytes);
    else {
      for (const key of this.keys.feed(bytes)) this.take(key);
      if (this.keys.isHolding)
        this.escape = this.clock.after(escapeMs, () => {
          for (const key of this.keys.flush()) this.take(key);
          this.changed();
        });
    }
    this.changed();
  }

  dispose(): void {
    this.escape?.dispose();
    this.shown?.owned.dispose();
    this.shown = null;
    this.store.dispose();
  }

  private typedDirectly(bytes: Uint8Array): void {
    const end = bytes.indexOf(directKey);
    const mine = end < 0 ? bytes : bytes.subarray(0, end);
    if (mine.length > 0) {
      this.above = 0;
      // Bytes of one key or paste; the terminal sends characters whole.
      this.terminal?.type(Buffer.from(mine).toString("utf8"));
      if (this.isHandedOver && [0x0d, 0x03, 0x04].some((byte) => mine.includes(byte)))
        this.isHandedOver = false;
    }
    if (end < 0) return;
    this.isHandedOver = false;
    this.wantsDirect = this.terminal?.screen.isAlternate ? false : null;
    const rest = bytes.subarray(end + 1);
    if (rest.length > 0) this.typed(rest);
  }

  private take(key: TypedKey): void {
    if (this.view === "list") {
      if (key.kind === "key") this.takeInList(key.key);
      else if (key.kind === "text") this.takeLetter(key.text);
      return;
    }
    if (key.kind === "key") this.takeKey(key.key);
    else {
      this.ownNotice = "";
      this.line = insert(this.line, key.text);
    }
  }

  private takeKey(key: KeyName): void {
    const { terminal } = this;
    if (key !== "ctrl-c") this.ownNotice = "";
    if (key === "ctrl-q") this.leave();
    else if (key === "ctrl-o") this.openList();
    else if (key === "page_up" || key === "page_down") this.scroll(key);
    else if (!terminal || terminal.facts.link === "over") {
      if (key === "enter" || key === "ctrl-c" || key === "ctrl-d") this.afterEnd(key);
    } else if (key === "enter") this.sendLine(terminal);
    else if (key === "ctrl-c") this.interrupt(terminal);
    else if (key === "ctrl-d") {
      if (this.line.text === "") this.toProgram("\x04");
      else this.line = edited(this.line, "delete");
    } else if (key === "tab") {
      this.toProgram(`${this.line.text}\t`);
      this.line = { ...this.line, text: "", cursor: 0 };
      this.isHandedOver = true;
    } else if (key === "ctrl-}") this.wantsDirect = true;
    else if (key === "escape") this.toProgram("\x1b");
    else if (key === "ctrl-l") this.toProgram("\x0c");
    else if (key === "ctrl-z") this.toProgram("\x1a");
    else if (key === "ctrl-|") this.toProgram("\x1c");
    else this.line = edited(this.line, key);
  }

  private sendLine(terminal: PaneTerminal): void {
    const { text } = this.line;
    const isPasted = text.includes("\n") && terminal.screen.isBracketedPaste;
    const body = isPasted ? `\x1b[200~${text}\x1b[201~` : text.replaceAll("\n", "\r");
    this.toProgram(`${body}\r`);
    this.line = sent(this.line, terminal.facts.isPassword);
  }

  private toProgram(text: string): void {
    this.above = 0;
    this.terminal?.type(text);
  }

  /**
   * As in a shell: what was typed is given up, then the program is interrupted; where nothing runs, twice leaves. The second is one that
   * follows the notice, however late, with no other key between: what a slow terminal delays means the same.
   */
  private interrupt(terminal: PaneTerminal): void {
    const isSecond = this.ownNotice === leaveNotice;
    this.ownNotice = "";
    if (this.line.text !== "") {
      this.line = { ...this.line, text: "", cursor: 0, at: this.line.history.length };
      return;
    }
    // Whatever the shell is at: after the first it draws its prompt anew, and is busy with that.
    if (isSecond) {
      this.leave();
      return;
    }
    // To the program in any case: what was sent a moment ago may run before we hear of it, and a shell takes it at its prompt too.
    this.toProgram("\x03");
    if (terminal.facts.isIdle === true) this.ownNotice = leaveNotice;
  }

  private afterEnd(key: KeyName): void {
    if (key === "enter" && this.sessions.some(({ id }) => id !== "")) this.openList();
    else this.leave();
  }

  private takeInList(key: KeyName): void {
    switch (key) {
      case "up":
      case "ctrl-p":
        this.chosen = Math.max(0, this.selected - 1);
        break;
      case "down":
      case "ctrl-n":
        this.chosen = Math.min(this.sessions.length - 1, this.selected + 1);
        break;
      case "enter": {
        const one = this.sessions[this.selected];
        if (one) this.show(this.source.open(one.id, this.layout.pane));
        break;
      }
      case "escape":
      case "ctrl-o":
        if (this.terminal) this.view = "terminal";
        break;
      case "ctrl-c":
      case "ctrl-d":
      case "ctrl-q":
        this.leave();
        break;
    }
  }

  private takeLetter(text: string): void {
    if (text === "q") this.leave();
    if (text === "n")
      void this.create().catch((error: Error) => {
        this.ownNotice = error.message;
        this.changed();
      });
    if (text === "k") this.takeInList("up");
    if (text === "j") this.takeInList("down");
  }

  private openList(): void {
    if (!this.hasList) {
      this.ownNotice = "this connection leads to one terminal only";
      return;
    }
    this.chosen = 0;
    this.view = "list";
  }

  private scroll(key: "page_up" | "page_down"): void {
    const page = Math.max(1, this.layout.pane.rows - 1);
    const most = this.terminal?.screen.linesAbove ?? 0;
    const next = this.above + (key === "page_up" ? page : -page);
    this.above = Math.max(0, Math.min(next, most));
  }

  private async create(): Promise<void> {
    this.show(await this.source.create(this.layout.pane));
  }

  private show(terminal: PaneTerminal): void {
    this.shown?.owned.dispose();
    const owned = new DisposableStore();
    owned.add(terminal);
    owned.add(terminal.onChange(() => this.heard()));
    owned.add(terminal.onOver((over) => this.ended(over)));
    this.shown = { terminal, owned };
    this.view = "terminal";
    this.above = 0;
    this.wantsDirect = null;
    this.isHandedOver = false;
    this.ownNotice = "";
    this.changed();
  }

  private heard(): void {
    const isAlternate = this.terminal?.screen.isAlternate ?? false;
    // A full-screen program began or ended: what was wanted before was wanted of something else.
    if (isAlternate !== this.wasAlternate) this.wantsDirect = null;
    this.wasAlternate = isAlternate;
    this.above = Math.min(this.above, this.terminal?.screen.linesAbove ?? 0);
    this.changed();
  }

  private ended(over: Over): void {
    if (over.kind === "lost" || over.kind === "refused") {
      this.leavings.fire({ kind: "over", over });
      return;
    }
    const way = this.sessions.length > 1 ? "Enter shows the list, Ctrl-D leaves" : "Ctrl-D leaves";
    this.ownNotice = `${over.text} · ${way}`;
    this.changed();
  }

  private leave(): void {
    this.leavings.fire({ kind: "asked" });
  }

  private changed(): void {
    this.changes.fire();
  }
}
