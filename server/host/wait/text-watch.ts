// The texts and patterns of one wait, looked for in what is new, without the echo of what was typed (WT2, WT3). Looks at the screen and the rows that
// left it since the last look; what stood there only between two looks is not seen.
import type { Cursor } from "#lib/protocol/cursor.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { WaitCondition } from "#lib/protocol/wait.ts";
import type { Printed } from "#server/host/screen/printed-rows.ts";
import { echoSpans, type Region } from "./echo.ts";
import { oldSpans, type WaitMark } from "./new-output.ts";
import type { PatternAnswer } from "./pattern-thread.ts";
import { PlacedText } from "./placed-text.ts";
import { withoutSpans } from "./spans.ts";
import type { TypedLines } from "./typed-lines.ts";
import { type NewText, piecesOf, UntriedTexts } from "./untried-texts.ts";
import type { Hit } from "./wait-facts.ts";

/** What a wait reads; both are of the session, and stay as they are during a look. */
export interface TextSource {
  /** Rows from that one on, or from the top of the screen where that is above. */
  printed(fromSeq: number): Printed;
  /** Where a cursor of any age leads now. */
  locate(cursor: Cursor): Cursor;
  readonly typed: TypedLines;
  /** Where the shell said that lines were typed, oldest first. */
  readonly inputs: readonly Region[];
}

export interface Patterns {
  try(pattern: string, text: string): Promise<PatternAnswer>;
}

export class TextWatch {
  readonly hits = new Map<number, Hit>();
  /** Place behind the first hit's line: where to go on. */
  next: Cursor | null = null;
  /** A pattern could not be judged: the wait ends with BAD_PATTERN. */
  fault: string | null = null;
  /** Something but blanks and echo was printed. */
  hasText = false;
  /** The same of the lines above the last one, which may be a prompt. */
  hasLines = false;
  private fromSeq: number;
  /** As of the last look. */
  private topSeq = 0;
  private readonly untried = new UntriedTexts();
  private isBusy = false;

  constructor(
    private readonly source: TextSource,
    private readonly mark: WaitMark,
    private readonly conditions: readonly WaitCondition[],
    private readonly patterns: Patterns,
    /** A pattern was answered, or all were tried on everything. */
    private readonly onAnswer: () => void,
  ) {
    this.fromSeq = mark.cursor.seq;
  }

  look(): void {
    if (this.hasLines && !this.isLookedFor) return;
    const text = this.newText();
    const { text: whole } = text.left;
    this.hasText ||= whole.trim() !== "";
    this.hasLines ||= whole.slice(0, Math.max(0, whole.trimEnd().lastIndexOf("\n"))).trim() !== "";
    for (const [i, condition] of this.conditions.entries()) {
      if (!("text" in condition) || this.hits.has(i)) continue;
      const at = text.left.text.indexOf(condition.text);
      if (at >= 0) this.hit(i, text, at, condition.text.length);
    }
    if (!this.isPatternLookedFor) return;
    this.untried.add(text);
    void this.tryPatterns();
  }

  /** A text or a pattern is still to be found. */
  get isLookedFor(): boolean {
    return this.conditions.some(
      (each, i) => ("text" in each || "regex" in each) && !this.hits.has(i),
    );
  }

  /** Patterns are still being tried on what was printed. */
  get isTrying(): boolean {
    return this.isBusy;
  }

  private get isPatternLookedFor(): boolean {
    if (this.fault !== null) return false;
    return this.conditions.some((each, i) => "regex" in each && !this.hits.has(i));
  }

  private newText(): NewText {
    const { source } = this;
    const mark = { ...this.mark, cursor: source.locate(this.mark.cursor) };
    const searched = Math.max(source.typed.searchedFrom, this.topSeq - limits.waitEchoLines);
    const fromSeq = Math.min(this.fromSeq, searched);
    const printed = source.printed(fromSeq);
    const placed = new PlacedText(printed.rows);
    const echoes = printed.isAlternate ? [] : echoSpans(placed, source.typed.lines, source.inputs);
    const left = withoutSpans(placed.text, [...echoes, ...oldSpans(printed, placed, mark)]);
    this.topSeq = printed.topSeq;
    if (!printed.isAlternate) {
      this.fromSeq = Math.max(this.fromSeq, printed.topSeq - limits.waitOverlapLines);
      source.typed.searched(printed.topSeq);
    }
    return { placed, left, fromSeq, isAlternate: printed.isAlternate };
  }

  private hit(condition: number, { placed, left }: NewText, at: number, length: number): void {
    const from = left.text.lastIndexOf("\n", at - 1) + 1;
    const end = left.text.indexOf("\n", at);
    const line = left.text.slice(from, end < 0 ? undefined : end).trim();
    this.hits.set(condition, { line: line.slice(0, 200) });
    if (this.next) return;
    const last = placed.placeOf(left.at(Math.max(at, at + length - 1)));
    this.next = end < 0 ? { seq: last.seq, col: last.col + 1 } : placed.placeOf(left.at(end) + 1);
  }

  /** One after the other, all that was looked at meanwhile included: output that is faster than the thread is tried a little later. */
  private async tryPatterns(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (let text = this.untried.next(); text; text = this.untried.next()) {
      for (const { from, text: piece } of piecesOf(text.left.text))
        await this.tryPiece(text, from, piece);
      if (!this.isPatternLookedFor) break;
    }
    this.isBusy = false;
    this.onAnswer();
  }

  private async tryPiece(text: NewText, from: number, piece: string): Promise<void> {
    for (const [i, condition] of this.conditions.entries()) {
      if (!("regex" in condition) || this.hits.has(i) || this.fault !== null) continue;
      const answer = await this.patterns.try(condition.regex, piece);
      if (answer.kind === "absent") continue;
      if (answer.kind === "refused") this.fault = answer.because;
      else this.hit(i, text, from + answer.match.index, answer.match.length);
      this.onAnswer();
    }
  }
}
