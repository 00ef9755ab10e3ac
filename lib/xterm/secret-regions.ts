// Where passwords were asked for in this terminal (UI.md 7): the prompt's line with what was typed on it. It stays marked when the prompt is over, for
// as long as the line is there. What is typed is bullets already, for everybody (CR3); their number and what stood there before the prompt
// was noticed are nobody's business on a clipboard or in a search.
import type { Terminal } from "@xterm/xterm";
import type { LineMarker } from "./normal-buffer.ts";

interface Region {
  readonly marker: LineMarker;
  /** A reset makes new buffers, and nobody tells the markers. */
  readonly buffer: RawBuffer;
  /** What stood on the line up to the cursor, without bullets: another text in its place is another line. */
  readonly prompt: string;
  /** Cells from the start of the line; what comes behind them was printed when the prompt was over. */
  cells: number;
}

/** The headless one too. */
type MarkableTerminal = Pick<Terminal, "buffer" | "cols" | "write">;
/** Of the library's own inside: public markers are not made on a full-screen program's screen. */
interface RawBuffer {
  addMarker(row: number): LineMarker;
}
type WithCore = { _core: { buffers: { active: RawBuffer } } };

/** A person is not asked more often while anybody scrolls back; a marker costs a call for each line that is trimmed. */
const maxRegions = 64;
const bullets = /[•*]+$/;
const onlyBullets = /^[•*\s]*$/;

export class SecretRegions {
  private regions: Region[] = [];
  /** Of the prompt that stands now; null: none does. */
  private since: string | null = null;

  constructor(
    private readonly terminal: MarkableTerminal,
    /** What is hidden has changed. */
    private readonly changed: () => void,
  ) {}

  /** A password is asked for since then; null: none is. Takes its turn behind what was printed before it was told. */
  asked(since: string | null): void {
    if (since === this.since) return;
    const wasAsked = this.since !== null;
    this.since = since;
    this.terminal.write("", () => {
      if (wasAsked) this.over();
      if (since !== null) this.mark();
    });
  }

  /** Something of the program was parsed: it may have asked again, on another line. */
  printed(): void {
    if (this.since === null) return;
    const { first, upTo } = this.cursorLine();
    if (bullets.test(upTo) && !this.at(first)) this.mark();
  }

  /** A whole snapshot was drawn: markers are gone, lines are told by what stands there. */
  placed(): void {
    const prompts = new Set(this.regions.map(({ prompt }) => prompt).filter((text) => text !== ""));
    this.regions = [];
    if (prompts.size > 0) this.findAgain([...prompts]);
    if (this.since !== null) this.mark();
  }

  /** Cells at the start of a row of the active buffer that are not to be copied or found. */
  hiddenCells(row: number): number {
    if (this.regions.length === 0) return 0;
    const first = this.firstRow(row);
    const cells = this.at(first)?.cells ?? 0;
    return Math.max(0, Math.min(this.terminal.cols, cells - (row - first) * this.terminal.cols));
  }

  get isEmpty(): boolean {
    return this.regions.length === 0;
  }

  /** Text of the output, as the server tells it, without the lines that are such a prompt and no more. */
  without(text: string): string {
    if (this.isEmpty) return text;
    return text
      .split("\n")
      .filter((line) => {
        const trimmed = line.trimEnd();
        return !this.regions.some(({ prompt }) => isPrompt(trimmed, prompt.trimEnd()));
      })
      .join("\n");
  }

  private over(): void {
    const { first, cells } = this.cursorLine();
    const region = this.at(first);
    if (region) region.cells = cells;
  }

  private mark(): void {
    const { first, upTo } = this.cursorLine();
    const region = this.at(first);
    if (region) region.cells = Number.POSITIVE_INFINITY;
    else this.add(first, upTo.replace(bullets, ""));
    this.changed();
  }

  private findAgain(prompts: readonly string[]): void {
    const { active } = this.terminal.buffer;
    for (let row = 0; row < active.length; row++) {
      const line = active.getLine(row);
      if (!line || line.isWrapped) continue;
      const text = line.translateToString(true);
      const prompt = prompts.find((one) => isPrompt(text, one.trimEnd()));
      if (prompt !== undefined) this.add(row, prompt);
    }
  }

  private add(row: number, prompt: string): void {
    const buffer = this.active;
    const marker = buffer.addMarker(row);
    this.regions = this.regions.filter((one) => !one.marker.isDisposed).slice(1 - maxRegions);
    this.regions.push({ marker, buffer, prompt, cells: Number.POSITIVE_INFINITY });
  }

  /** The region whose line begins at that row. */
  private at(first: number): Region | undefined {
    const region = this.regions.findLast(
      ({ marker, buffer }) => !marker.isDisposed && marker.line === first && buffer === this.active,
    );
    if (!region) return undefined;
    const text = this.textFrom(first);
    const isThere = region.prompt === "" ? onlyBullets.test(text) : text.startsWith(region.prompt);
    return isThere ? region : undefined;
  }

  private get active(): RawBuffer {
    return (this.terminal as unknown as WithCore)._core.buffers.active;
  }

  private cursorLine(): { first: number; cells: number; upTo: string } {
    const { baseY, cursorX, cursorY } = this.terminal.buffer.active;
    const row = baseY + cursorY;
    const first = this.firstRow(row);
    const cells = (row - first) * this.terminal.cols + cursorX;
    return { first, cells, upTo: this.textFrom(first, row, cursorX) };
  }

  private firstRow(row: number): number {
    const { active } = this.terminal.buffer;
    let first = row;
    while (first > 0 && active.getLine(first)?.isWrapped) first--;
    return first;
  }

  /** Of the line that begins at `first`, whole or up to a cell. */
  private textFrom(first: number, last?: number, col?: number): string {
    const { active } = this.terminal.buffer;
    let text = "";
    for (let row = first; ; row++) {
      const line = active.getLine(row);
      if (!line || (row > first && !line.isWrapped)) break;
      text += line.translateToString(false, 0, row === last ? col : undefined);
      if (row === last) break;
    }
    return text;
  }
}

function isPrompt(line: string, prompt: string): boolean {
  if (prompt === "") return line !== "" && onlyBullets.test(line);
  return line.startsWith(prompt) && onlyBullets.test(line.slice(prompt.length));
}
