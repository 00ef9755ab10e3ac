// One reading of a screen: what it shows at this moment, as values, with the version it has. Made when somebody looks, and made again only when
// the screen has gone on.
import type { Terminal } from "@xterm/headless";
import type { Clock } from "#lib/base/clock.ts";
import type { Modes } from "#lib/protocol/screen.ts";
import type { Rgb } from "#lib/terminal/contrast.ts";
import { withoutGhost } from "./ghost-text.ts";
import type { Palette } from "./palette.ts";
import { type AgentText, agentText, trimEnd } from "./screen-text.ts";
import { fingerprint, type ScreenVersion, ScreenVersions } from "./screen-versions.ts";
import type { TextMask } from "./shown-core.ts";
import { type StyledRow, styledRows } from "./styled-rows.ts";
import { hashText } from "./text-hash.ts";
import { coreOf } from "./xterm-internals.ts";

/** Longest work in one go, as for snapshots (SN4). */
const sliceMs = 6;

export interface ScreenView {
  readonly version: number;
  readonly hash: string;
  readonly cols: number;
  /** As the program drew them. */
  readonly rows: readonly StyledRow[];
  /** `x` is the last column while a wrap is pending. */
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean };
  readonly altScreen: boolean;
  readonly title: string;
  readonly modes: Modes;
  /** The text without a shell's suggestion. */
  readonly agent: AgentText;
  /** The text with it. */
  readonly whole: AgentText;
  /** As of now: ask before the screen goes on. */
  paletteColor(index: number): Rgb;
  readonly now: ScreenVersion;
  /** An earlier version, if it is still known. */
  earlier(version: number): ScreenVersion | undefined;
}

export class ScreenViews {
  private readonly versions = new ScreenVersions();
  /** Weak: a large screen in many colours is tens of megabytes as values, and there are many sessions. */
  private memo: WeakRef<ScreenView> | undefined;
  private generation = 0;
  private maskVersion = 0;

  constructor(
    private readonly terminal: Terminal,
    private readonly palette: Palette,
    private readonly facts: () => { readonly title: string; readonly modes: Modes },
    private readonly mask?: TextMask,
  ) {}

  /** The screen may have gone on. */
  forget(): void {
    this.memo = undefined;
    this.generation++;
  }

  view(): ScreenView {
    this.forgetUnmasked();
    const known = this.memo?.deref();
    if (known) return known;
    const steps = this.make();
    for (;;) {
      const { done, value } = steps.next();
      if (done) return this.keep(value);
    }
  }

  /** The same without holding the event loop for long: a large screen in many colours takes its time. */
  async viewInSlices(clock: Clock): Promise<ScreenView> {
    this.forgetUnmasked();
    let steps = this.make();
    let { generation } = this;
    let sliceEnds = clock.monotonic() + sliceMs;
    for (;;) {
      // Somebody else may have made it meanwhile, or begun at a screen that is no more.
      const known = this.memo?.deref();
      if (known) return known;
      if (generation !== this.generation) {
        generation = this.generation;
        steps = this.make();
      }
      const { done, value } = steps.next();
      if (done) return this.keep(value);
      if (clock.monotonic() <= sliceEnds) continue;
      await new Promise<void>((resolve) => setImmediate(resolve));
      sliceEnds = clock.monotonic() + sliceMs;
    }
  }

  /** What was read before something had to be hidden is read anew. */
  private forgetUnmasked(): void {
    const { version = 0 } = this.mask ?? {};
    if (version === this.maskVersion) return;
    this.maskVersion = version;
    this.forget();
  }

  private keep(view: ScreenView): ScreenView {
    this.memo = new WeakRef(view);
    return view;
  }

  private *make(): Generator<void, ScreenView> {
    const { title, modes } = this.facts();
    const { terminal, palette, versions } = this;
    const { cols } = terminal;
    const buffer = terminal.buffer.active;
    const altScreen = buffer.type === "alternate";
    const cursor = {
      x: Math.min(buffer.cursorX, cols - 1),
      y: buffer.cursorY,
      visible: !coreOf(terminal).coreService.isCursorHidden,
    };
    const paletteColor = (index: number) => palette.color(index);
    const rows = yield* styledRows(terminal, this.mask);
    const ghost = withoutGhost(rows, cursor, cols, altScreen);
    const agent = yield* agentText(ghost.rows, ghost.removed, paletteColor);
    const whole = ghost.removed === 0 ? agent : yield* agentText(rows, 0, paletteColor);
    const looks = new Float64Array(rows.length);
    for (const [y, row] of rows.entries()) {
      looks[y] = fingerprint(row);
      yield;
    }
    const now = versions.look({
      cols,
      altScreen,
      title,
      rest: JSON.stringify([cursor, modes, palette.sequences()]),
      lines: agent.lines,
      looks,
    });
    const shown = rows.map(({ text }) => trimEnd(text)).join("\n");
    return {
      version: now.version,
      hash: hashText(`${cursor.x},${cursor.y},${cursor.visible},${altScreen}\n${shown}`),
      cols,
      rows,
      cursor,
      altScreen,
      title,
      modes,
      agent,
      whole,
      paletteColor,
      now,
      earlier: (version) => versions.find(version),
    };
  }
}
