// What the library knows and does not tell: saved cursors, charsets, tab stops, scroll regions, raw cells, the parser's state.
// A snapshot is only exact with these (SN1). The library is pinned; xterm-internals.test.ts fails loudly if a name here changes.
import type { Terminal } from "@xterm/headless";

/** Attributes that do not fit the two words of a cell. Borrowed: the library shares one object between cells. */
export interface RawExtended {
  readonly urlId: number;
  readonly underlineColor: number;
  /** Bits 27-29 hold the underline style as the program set it; the public getter reports links as dashed. */
  readonly _ext: number;
}

export interface RawAttributes {
  fg: number;
  bg: number;
  extended: RawExtended;
}

/** One row. `_data` holds three words per cell: content, fg, bg. */
export interface RawLine {
  readonly length: number;
  readonly isWrapped: boolean;
  readonly _data: Uint32Array;
  readonly _combined: Readonly<Record<number, string>>;
  readonly _extendedAttrs: Readonly<Record<number, RawExtended | undefined>>;
}

export type RawCharset = Readonly<Record<string, string>> | undefined;

export interface RawBuffer {
  x: number;
  y: number;
  readonly ybase: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: Readonly<Record<number, boolean | undefined>>;
  readonly savedX: number;
  /** Counted from the oldest line of scrollback, not from the viewport. */
  readonly savedY: number;
  readonly savedCurAttrData: RawAttributes;
  readonly savedCharset: RawCharset;
  readonly lines: RawLines;
}

export interface RawLines {
  readonly length: number;
  get(index: number): RawLine | undefined;
  /** Lines left the front, of whatever cause; told at once. */
  onTrim(listener: (count: number) => void): { dispose(): void };
}

export interface ColorEvent {
  /** 0 report, 1 set, 2 restore. */
  readonly type: 0 | 1 | 2;
  /** 0-255, or 256 foreground, 257 background, 258 cursor; absent: all of 0-255. */
  readonly index?: number;
  readonly color?: readonly [number, number, number];
}

interface RawParams {
  readonly length: number;
  readonly params: ArrayLike<number>;
}

export interface RawCore {
  readonly buffers: {
    readonly normal: RawBuffer;
    readonly alt: RawBuffer;
    readonly active: RawBuffer;
  };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: {
      readonly applicationCursorKeys: boolean;
      readonly applicationKeypad: boolean;
      readonly bracketedPasteMode: boolean;
      readonly cursorBlink: boolean | undefined;
      readonly cursorStyle: "block" | "underline" | "bar" | undefined;
      readonly origin: boolean;
      readonly reverseWraparound: boolean;
      readonly sendFocus: boolean;
      readonly synchronizedOutput: boolean;
      readonly wraparound: boolean;
    };
  };
  readonly coreMouseService: { readonly activeProtocol: string; readonly activeEncoding: string };
  readonly unicodeService: { charProperties(codepoint: number, preceding: number): number };
  readonly _charsetService: {
    readonly glevel: number;
    readonly charset: RawCharset;
    readonly _charsets: readonly RawCharset[];
  };
  readonly _oscLinkService: {
    getLinkData(urlId: number): { readonly id?: string; readonly uri: string } | undefined;
  };
  readonly _inputHandler: {
    readonly _curAttrData: RawAttributes;
    readonly _windowTitle: string;
    readonly _parser: {
      /** 0 is ground. */
      readonly currentState: number;
      /** Grapheme state after the last printed character; 0 when anything but printing came last. */
      readonly precedingJoinState: number;
      reset(): void;
    };
    onColor(listener: (events: readonly ColorEvent[]) => void): void;
    eraseInDisplay(params: RawParams, respectProtect?: boolean): boolean;
    eraseInLine(params: RawParams, respectProtect?: boolean): boolean;
  };
  readonly _writeBuffer: { _writeBuffer: unknown[]; _callbacks: unknown[] } & Record<
    string,
    unknown
  >;
}

/** Parser states that a snapshot must tell apart (src/common/parser/Constants.ts of the library). */
export const parserState = { ground: 0, lastOfSequences: 6 } as const;

export function coreOf(terminal: Terminal): RawCore {
  return (terminal as unknown as { _core: RawCore })._core;
}

/**
 * After the library threw in the middle of a write its queue is stuck for good: it starts again only when empty. The rest of
 * that write is given up and the parser goes back to ground.
 */
export function unwedge(terminal: Terminal): void {
  const core = coreOf(terminal);
  core._writeBuffer._writeBuffer.length = 0;
  core._writeBuffer._callbacks.length = 0;
  core._writeBuffer._pendingData = 0;
  core._writeBuffer._bufferOffset = 0;
  core._inputHandler._parser.reset();
}

/** Of the parser, between two writes. */
export function parserStateOf(terminal: Terminal): number {
  return coreOf(terminal)._inputHandler._parser.currentState;
}
