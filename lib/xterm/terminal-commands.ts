// The commands of one terminal as the page and the keyboard use them: where they are in sight, which one is selected, how to get to one.
import type { Terminal } from "@xterm/xterm";
import { Emitter } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { SnapshotCommands } from "#lib/protocol/attach.ts";
import { type CommandLayout, type GridBox, layOutCommands, stepFrom } from "./command-layout.ts";
import { CommandPlaces } from "./command-places.ts";
import type { TerminalCommandsView } from "./terminal-status.ts";

/** Rows kept above a command that is jumped to: the header over it, and a line to see that it goes on. */
const rowsAbove = 2;

export class TerminalCommands implements TerminalCommandsView, Disposable {
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<void>());
  private readonly places: CommandPlaces;
  private current: CommandLayout | null = null;
  private shown = "null";
  private selected: number | null = null;
  /** Asked for before there was a screen. */
  private wanted: number | null = null;
  private isPlaced = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly options: { grid(): GridBox | null; scrolled(): void },
  ) {
    this.places = this.store.add(new CommandPlaces(terminal, () => {}));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const subscription = this.changes.event(listener);
    return () => subscription.dispose();
  };

  readonly getLayout = (): CommandLayout | null => this.current;

  get selection(): number | null {
    return this.selected;
  }

  placed(commands: SnapshotCommands | undefined): void {
    this.places.placed(commands);
    this.isPlaced = true;
    const { wanted } = this;
    this.wanted = null;
    if (wanted !== null) this.jump(wanted);
  }

  jump(index: number): boolean {
    if (!this.isPlaced) {
      this.wanted = index;
      return true;
    }
    const place = this.places.all().find((one) => one.index === index);
    if (!place) return false;
    this.selected = index;
    this.terminal.scrollToLine(Math.max(0, place.line - rowsAbove));
    this.options.scrolled();
    this.look();
    return true;
  }

  select(index: number | null): void {
    this.selected = index;
    this.look();
  }

  /** False: there is no command to go to, and the key means something else. */
  step(by: 1 | -1): boolean {
    const { active } = this.terminal.buffer;
    const places = this.places.all();
    if (active.type === "alternate" || places.length === 0) return false;
    const view = { viewportY: active.viewportY, rows: this.terminal.rows };
    const next = stepFrom(places, this.selected, by, view);
    if (next !== null) return this.jump(next);
    this.terminal.scrollToBottom();
    this.options.scrolled();
    this.select(null);
    return true;
  }

  /** After everything that may have moved something; cheap when nothing did. */
  look(): void {
    if (this.store.isDisposed) return;
    const { terminal } = this;
    const { active } = terminal.buffer;
    const places = this.places.all();
    if (this.selected !== null && !places.some(({ index }) => index === this.selected))
      this.selected = null;
    const next =
      places.length === 0
        ? null
        : layOutCommands({
            places,
            grid: this.options.grid(),
            cols: terminal.cols,
            rows: terminal.rows,
            isAlternate: active.type === "alternate",
            viewportY: active.viewportY,
            baseY: active.baseY,
            selected: this.selected,
            usedCells: (line) => active.getLine(line)?.translateToString(true).length ?? 0,
          });
    const shown = JSON.stringify(next);
    if (shown === this.shown) return;
    this.shown = shown;
    this.current = next;
    this.changes.fire();
  }

  dispose(): void {
    this.store.dispose();
  }
}
