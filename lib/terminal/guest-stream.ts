// A session's bytes on a terminal that is not ours: a person's own, in which `cotty attach` draws. What asks that terminal something is left out (the
// host's screen is the only responder, and an answer would be typed into the program), and so is what would change it beyond the screen: its
// window, scrollback, clipboard, printer, keyboard protocol. Behind the guard (vt-guard.ts); knows no connection.
import { concatBytes, emptyBytes, utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { ChunkWriter } from "./chunk-writer.ts";
import { beginScan, c1State, continueScan, isOsc, newScan, type Scan } from "./control-scan.ts";

/** What the stream has done to the terminal that an end has to undo. */
export interface GuestFacts {
  readonly isAlternate: boolean;
  /** Margins or origin mode were set: undoing them moves the cursor. */
  readonly hasMargins: boolean;
  readonly hasColours: boolean;
}

/** Modes in which a terminal sends by itself or for the mouse, and its paste brackets. */
const inputModes = new Set([1, 9, 66, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1015, 1016, 2004]);
/** Column mode (it resizes), Meta as eighth bit, reports of colour scheme and size, Kitty's paste events. */
const refusedModes = new Set([3, 1034, 2031, 2048, 5522]);
const alternateModes = new Set([47, 1047, 1049]);
/** Title, colours, links, pointer shape, notifications; without their questions. Everything else belongs to the session's own terminal. */
const passedOsc = new Set([
  0, 1, 2, 4, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 22, 104, 105, 110, 111, 112, 113, 114,
  115, 116, 117, 118, 119, 777,
]);
const colourOsc = new Set([4, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
/** In the place of a full reset, which would take the person's scrollback with it. */
const softReset = utf8("\x1b[!p\x1b[?1049l\x1b[?5;69l\x1b[r\x1b[?6l\x1b[m\x1b[H\x1b[2J");

export class GuestStream {
  private held: Uint8Array = emptyBytes;
  private readonly scan: Scan = newScan();
  private isAlternate = false;
  private hasMargins = false;
  private hasColours = false;

  /** `isReader`: the terminal keeps its own input modes, for nothing of it is sent. */
  constructor(private readonly isReader: boolean) {}

  get facts(): GuestFacts {
    const { isAlternate, hasMargins, hasColours } = this;
    return { isAlternate, hasMargins, hasColours };
  }

  /** What may be drawn of `bytes` and of what was held back before: possibly `bytes` itself. */
  filter(bytes: Uint8Array): Uint8Array {
    const buffer = this.held.length === 0 ? bytes : concatBytes([this.held, bytes]);
    this.held = emptyBytes;
    const writer = new ChunkWriter(buffer);
    let at = 0;
    while (at < buffer.length) {
      const byte = buffer[at] as number;
      if (byte === 0x05) {
        // ENQ: the terminal would answer with what it was set up to say.
        writer.skip(at, at + 1);
        at += 1;
        continue;
      }
      if (byte === 0xc2 && at + 1 === buffer.length) break;
      if (byte !== 0x1b && !(byte === 0xc2 && c1State(buffer[at + 1] as number) !== 0)) {
        at += 1;
        continue;
      }
      const { scan } = this;
      beginScan(scan, buffer, at);
      const end = continueScan(scan, buffer, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
      if (end === "incomplete") break;
      if (end === "csi") this.judgeCsi(writer, buffer, at, scan.at);
      else if (end === "escape") this.judgeEscape(writer, buffer, at, scan.at);
      else if (end === "string") this.judgeString(writer, buffer, at);
      else writer.skip(at, scan.at);
      at = scan.at;
    }
    // The guard lets through nothing longer; what is longer all the same is nothing that should be drawn.
    if (buffer.length - at <= limits.controlStringBytes) this.held = buffer.slice(at);
    return writer.finish(at);
  }

  private judgeCsi(writer: ChunkWriter, buffer: Uint8Array, start: number, end: number): void {
    const text = latin1(buffer.subarray(start, end)).replace(/^(?:\x1b\[|\xc2\x9b)/, "");
    const match = /^([<=>?]?)([0-9;:]*)([ -/]*)([@-~])$/.exec(text);
    if (!match) {
      // With a control in its middle: rare, and not worth taking apart.
      writer.skip(start, end);
      return;
    }
    const [, prefix = "", params = "", middle = "", final = ""] = match;
    if (isRefused(prefix, params, middle, final)) writer.skip(start, end);
    else if (prefix === "?" && middle === "" && "hlsr".includes(final))
      this.judgeModes(writer, params, final, start, end);
    else if (prefix === "" && middle === "" && final === "r") this.hasMargins = true;
  }

  private judgeModes(
    writer: ChunkWriter,
    params: string,
    final: string,
    start: number,
    end: number,
  ): void {
    const modes = params.split(";").map(Number);
    const kept = modes.filter(
      (mode) => !refusedModes.has(mode) && !(this.isReader && inputModes.has(mode)),
    );
    for (const mode of kept) {
      if (alternateModes.has(mode) && (final === "h" || final === "l"))
        this.isAlternate = final === "h";
      if ((mode === 6 || mode === 69) && final === "h") this.hasMargins = true;
    }
    if (kept.length === modes.length) return;
    if (kept.length === 0) writer.skip(start, end);
    else writer.replace(start, end, utf8(`\x1b[?${kept.join(";")}${final}`));
  }

  private judgeEscape(writer: ChunkWriter, buffer: Uint8Array, start: number, end: number): void {
    const text = latin1(buffer.subarray(start + 1, end));
    if (text === "c") {
      this.isAlternate = false;
      writer.replace(start, end, softReset);
    } else if (text === "Z" || text.startsWith("%")) writer.skip(start, end);
  }

  private judgeString(writer: ChunkWriter, buffer: Uint8Array, start: number): void {
    const { scan } = this;
    const content = latin1(buffer.subarray(scan.contentStart, scan.contentEnd));
    const number = isOsc(scan.state) ? /^(\d{1,5})(?:;|$)/.exec(content)?.[1] : undefined;
    const which = number === undefined ? -1 : Number(number);
    const isQuestion = colourOsc.has(which) && content.split(";").includes("?");
    if (!passedOsc.has(which) || isQuestion) {
      writer.skip(start, scan.at);
      return;
    }
    if (colourOsc.has(which)) this.hasColours = true;
    // Left open it would swallow what follows, should its follower be left out.
    if (scan.isOpenEnded) writer.replace(scan.at, scan.at, utf8("\x1b\\"));
  }
}

function isRefused(prefix: string, params: string, middle: string, final: string): boolean {
  switch (final) {
    case "c": // DA1-DA3
    case "n": // DSR, CPR
    case "t": // window operations and reports, the stack of titles (ours is on it)
    case "i": // printing
      return middle === "";
    case "p": // DECRQM; DECSCL resets and changes how the terminal sends; DECSTR is fine
      return middle !== "!";
    case "q": // XTVERSION; cursor shapes are fine
      return prefix === ">";
    case "u": // Kitty's keyboard protocol; restoring the cursor is fine
      return prefix !== "";
    case "m": // XTMODKEYS and its question
    case "f": // XTFMTKEYS
      return prefix !== "";
    case "S": // XTSMGRAPHICS
      return prefix === "?";
    case "x": // DECREQTPARM; filling a rectangle is fine
      return middle === "";
    case "J": // the person's scrollback
      return prefix === "" && params.split(";").includes("3");
    case "w": // DECRQPSR, DECEFR
    case "y": // DECRQCRA, DECTST
    case "z": // DECELR; erasing a rectangle is fine
    case "{": // DECSLE
    case "|": // DECRQLP
      return middle !== "" && !(middle === "$" && (final === "z" || final === "{"));
    default:
      return false;
  }
}

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
