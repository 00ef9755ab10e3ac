// Where commands stand in this terminal's lines. Counts as the server does: the snapshot says where it stands, and from there each mark C
// of the latched dialect in the bytes is the next command (docs/protocol.md). Knows nothing of what the commands were.
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { SnapshotCommands } from "#lib/protocol/attach.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type Dialect, parseMarker } from "#lib/terminal/osc-marker.ts";
import { type LineMarker, markLine, type NormalBuffer, normalBuffer } from "./normal-buffer.ts";

/** `line`: of the buffer; -1: it has left the scrollback. */
export interface CommandPlace {
  readonly index: number;
  readonly line: number;
}

/** The headless one too. */
interface MarkableTerminal {
  readonly parser: {
    registerOscHandler(osc: number, handler: (payload: string) => boolean): Disposable;
  };
}

/** Everything here is cheap for a flood of output but a marker costs a call per line that is trimmed; so there is a most. */
const maxPlaces = limits.journalRecords;

export class CommandPlaces implements Disposable {
  private readonly store = new DisposableStore();
  private readonly markers = new Map<number, LineMarker>();
  private buffer: NormalBuffer | null = null;
  private input: LineMarker | null = null;
  private dialect: Dialect | null = null;
  /** Index of the next command; null: the server did not say, and nothing is marked. */
  private next: number | null = null;
  /** Newest command whose line has left the scrollback. */
  private above: number | null = null;

  constructor(
    private readonly terminal: MarkableTerminal,
    private readonly changed: () => void,
  ) {
    for (const osc of [133, 633] as const)
      this.store.add(
        terminal.parser.registerOscHandler(osc, (payload) => {
          this.marked(osc, payload);
          return false;
        }),
      );
  }

  /** A whole snapshot was parsed and nothing after it. */
  placed(commands: SnapshotCommands | undefined): void {
    this.forget();
    this.next = commands?.next_index ?? null;
    if (!commands) return;
    const { integration, rows, input_row } = commands;
    this.dialect = integration === "osc133" || integration === "osc633" ? integration : null;
    this.buffer = this.normal;
    for (const [index, row] of rows) {
      if (row < 0) this.above = index;
      else this.put(index, row);
    }
    this.input = input_row === null ? null : markLine(this.normal, input_row);
    this.changed();
  }

  /** Oldest first. */
  all(): readonly CommandPlace[] {
    // A reset by the program makes new buffers, and nobody tells the markers.
    if (this.buffer !== null && this.buffer !== this.normal) this.leave();
    this.sweep();
    const places = [...this.markers].map(([index, { line }]) => ({ index, line }));
    return this.above === null ? places : [{ index: this.above, line: -1 }, ...places];
  }

  dispose(): void {
    this.forget();
    this.store.dispose();
  }

  private get normal(): NormalBuffer {
    return normalBuffer(this.terminal);
  }

  private marked(osc: 133 | 633, payload: string): void {
    if (this.next === null) return;
    const marker = parseMarker(osc, payload);
    if (marker === null || marker.kind === "cwd" || marker.kind === "command_line") return;
    this.dialect ??= marker.dialect;
    if (marker.dialect !== this.dialect) return;
    if (this.buffer !== this.normal) this.leave();
    this.buffer = this.normal;
    const row = this.buffer.ybase + this.buffer.y;
    if (marker.kind === "input") {
      this.input?.dispose();
      this.input = markLine(this.normal, row);
    } else if (marker.kind === "output") {
      const at = this.input && !this.input.isDisposed ? this.input.line : row;
      this.put(this.next, at);
      this.next += 1;
      this.input?.dispose();
      this.input = null;
      this.changed();
    }
  }

  private put(index: number, row: number): void {
    if (row >= this.normal.lines.length) return;
    this.markers.set(index, markLine(this.normal, row));
    for (const [oldest, marker] of this.markers) {
      if (this.markers.size <= maxPlaces) break;
      marker.dispose();
      this.markers.delete(oldest);
    }
  }

  /** Markers end when their line is trimmed, oldest first, or when it is erased. */
  private sweep(): void {
    const { lines } = this.normal;
    const isFull = lines.length === lines.maxLength;
    let isOldest = true;
    for (const [index, marker] of this.markers) {
      if (!marker.isDisposed) {
        isOldest = false;
        continue;
      }
      this.markers.delete(index);
      if (isFull && isOldest) this.above = index;
    }
  }

  private leave(): void {
    for (const marker of this.markers.values()) marker.dispose();
    this.markers.clear();
    this.input = null;
    this.buffer = null;
    this.above = null;
  }

  private forget(): void {
    this.leave();
    this.dialect = null;
    this.next = null;
  }
}
