// Whose typing a line is: a coloured bar left of each line on which somebody typed. The host says which line that is, and says it again with
// each snapshot; this draws.
import type { IDecoration, IMarker, Terminal } from "@xterm/xterm";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { SnapshotMarks } from "#lib/protocol/attach.ts";
import type { WrittenLine } from "#lib/protocol/written-lines.ts";
import { LineMarkers } from "./line-markers.ts";
import type { LineMarker } from "./normal-buffer.ts";

/** As many lines as are kept marked; a marker costs a call for each line that is trimmed. */
const maxLines = 300;

interface MarkedLine {
  readonly marker: LineMarker;
  readonly decoration: IDecoration;
  readonly by: WrittenLine;
}

export class Attribution implements Disposable {
  private readonly places: LineMarkers<WrittenLine>;
  private lines: MarkedLine[] = [];

  constructor(
    private readonly terminal: Terminal,
    private readonly isMe: (id: string) => boolean,
  ) {
    this.places = new LineMarkers<WrittenLine>(terminal, {
      found: (marker, by) => this.mark(marker, by),
      lost: () => this.clear(),
    });
  }

  /** A snapshot is on its way: what is told from now on is newer. */
  restarting(): void {
    this.places.restarting();
  }

  /** A whole snapshot was drawn. */
  placed({ lowest, written }: SnapshotMarks): void {
    this.places.placed(lowest, written);
  }

  counted(nth: number | undefined): void {
    this.places.counted(nth);
  }

  printed(): void {
    this.places.look();
  }

  written(by: WrittenLine): void {
    this.places.want(by);
  }

  dispose(): void {
    this.places.dispose();
    this.clear();
  }

  private clear(): void {
    for (const line of this.lines) drop(line);
    this.lines = [];
  }

  private mark(marker: LineMarker, by: WrittenLine): void {
    this.lines = this.lines.filter((line) => !line.marker.isDisposed);
    const before = this.lines.find((line) => line.marker.line === marker.line);
    if (before?.by.id === by.id && before.by.note === by.note) {
      marker.dispose();
      return;
    }
    // Several on one line: it is the last one's.
    drop(before);
    this.lines = this.lines.filter((line) => line !== before);
    const decoration = this.terminal.registerDecoration({
      // The library asks of a marker no more than this one has.
      marker: marker as IMarker,
      x: 0,
      width: 1,
    });
    if (!decoration) return;
    decoration.onRender((element) => {
      element.dataset.writtenBy =
        by.kind === "agent" ? "agent" : this.isMe(by.id) ? "me" : "person";
      element.title = by.note === undefined ? by.name : `${by.name}: ${by.note}`;
    });
    this.lines.push({ marker, decoration, by });
    if (this.lines.length > maxLines) drop(this.lines.shift());
  }
}

function drop(line: MarkedLine | undefined): void {
  line?.decoration.dispose();
  line?.marker.dispose();
}
