// Where a control sequence ends: the state machine of https://vt100.net/emu/dec_ansi_parser with the choices of xterm.js 6
// (one prefix, C1 controls as U+0080-U+009F, non-ASCII ends most sequences). Finds borders; what a sequence means is judged elsewhere.
import { decodeAt, truncated } from "./utf8.ts";

const inEscape = 1;
const inEscapeIntermediate = 2;
const inCsiEntry = 3;
const inCsiParam = 4;
const inCsiIntermediate = 5;
const inCsiIgnore = 6;
const inOther = 7; // SOS, PM, APC: ignored by the emulator, ended by any non-ASCII character
const inOsc = 8;
const inDcsEntry = 9;
const inDcsParam = 10;
const inDcsIntermediate = 11;
const inDcsIgnore = 12;
const inDcsData = 13;

export type ScanState = number;

/** Whether the state is one that swallows text until a terminator comes. */
export function isString(state: ScanState): boolean {
  return state >= inOther;
}
export function isOsc(state: ScanState): boolean {
  return state === inOsc;
}

export function isDcs(state: ScanState): boolean {
  return state >= inDcsEntry;
}
/** Whether the emulator does something at the end of a string in this state. */
export function isMeaningful(state: ScanState): boolean {
  return state === inOsc || state === inDcsData;
}

export type ScanEnd =
  /** The bytes end inside the sequence; scan on from `at` in `state` when there are more. */
  | "incomplete"
  /** Longer than allowed at `at`, in `state`. */
  | "too_long"
  /** Dispatched to a meaning (ESC x, CSI ... x). */
  | "escape"
  | "csi"
  /** OSC, DCS, SOS, PM or APC that ended properly: at BEL, ST, or at the ESC of something else (`isOpenEnded`). */
  | "string"
  /** Ended by CAN or SUB, which stand inside it: means nothing, and the emulator is back in the ground state. */
  | "cancelled"
  /** Complete, and ignored by the emulator. */
  | "ignored"
  /** Broken off at `at` by what follows there: means nothing, and must not stand in front of something else. */
  | "broken_off";

/** Where a scan is, and what it found. One object for all scans: one runs for every sequence of a stream. */
export interface Scan {
  at: number;
  state: ScanState;
  /** Bytes inside form no character and are skipped by the emulator. */
  hasMalformed: boolean;
  /** For a string: from after the introducer to before the terminator. */
  contentStart: number;
  contentEnd: number;
  /** A string whose terminator is the ESC of the next sequence. */
  isOpenEnded: boolean;
}

export function newScan(): Scan {
  return {
    at: 0,
    state: 0,
    hasMalformed: false,
    contentStart: 0,
    contentEnd: 0,
    isOpenEnded: false,
  };
}

/** State after a C1 control that begins a sequence, or 0. */
export function c1State(codePoint: number): ScanState {
  if (codePoint === 0x9b) return inCsiEntry;
  if (codePoint === 0x9d) return inOsc;
  if (codePoint === 0x90) return inDcsEntry;
  if (codePoint === 0x98 || codePoint === 0x9e || codePoint === 0x9f) return inOther;
  return 0;
}

/** Whether ESC and this byte begin a string: OSC, DCS, SOS, PM, APC. Each is one of the C1 controls, 0x40 lower. */
export function beginsString(byte: number): boolean {
  return isString(c1State(byte + 0x40));
}

/** Begins a scan at `start`: an ESC, or a C1 control for which c1State is not 0. */
export function beginScan(scan: Scan, bytes: Uint8Array, start: number): void {
  const isEscape = bytes[start] === 0x1b;
  scan.state = isEscape ? inEscape : c1State(bytes[start + 1] as number);
  scan.at = start + (isEscape ? 1 : 2);
  scan.contentStart = scan.at;
  scan.hasMalformed = false;
  scan.isOpenEnded = false;
}

/** Scans on from `scan.at` in `scan.state`, to `limitAt` (strings: `stringLimitAt`) at most. */
export function continueScan(
  scan: Scan,
  bytes: Uint8Array,
  limitAt: number,
  stringLimitAt: number,
): ScanEnd {
  let { at, state } = scan;
  const finish = (end: ScanEnd, after: number): ScanEnd => {
    scan.at = after;
    scan.state = state;
    return end;
  };
  for (;;) {
    if (at >= (state >= inOther ? stringLimitAt : limitAt)) return finish("too_long", at);
    const byte = bytes[at];
    if (byte === undefined) return finish("incomplete", at);
    let code = byte;
    let length = 1;
    if (byte >= 0x80) {
      const decoded = decodeAt(bytes, at);
      if (decoded === truncated) return finish("incomplete", at);
      if (decoded < 0) {
        scan.hasMalformed = true;
        at -= decoded;
        continue;
      }
      length = decoded & 7;
      code = decoded >> 3;
      // The emulator drops the byte order mark while decoding.
      if (code === 0xfeff) {
        at += length;
        continue;
      }
    }
    if (code === 0x1b) {
      if (state < inOther) return finish("broken_off", at);
      if (state >= inDcsEntry && state <= inDcsIntermediate) return finish("broken_off", at);
      const next = bytes[at + 1];
      if (next === undefined) return finish("incomplete", at);
      scan.contentEnd = at;
      scan.isOpenEnded = next !== 0x5c;
      return finish("string", scan.isOpenEnded ? at : at + 2);
    }
    if (code === 0x18 || code === 0x1a) return finish("cancelled", at + 1);
    if (code >= 0x80 && code < 0xa0) {
      if (code !== 0x9c) return finish("broken_off", at);
      if (state < inOther || (state >= inDcsEntry && state <= inDcsIntermediate))
        return finish("ignored", at + length);
      scan.contentEnd = at;
      return finish("string", at + length);
    }
    at += length;
    if (state >= inOther) {
      if (state === inOsc) {
        if (code === 0x07) {
          scan.contentEnd = at - 1;
          return finish("string", at);
        }
      } else if (state === inOther) {
        if (code >= 0xa0) return finish("broken_off", at);
      } else if (state !== inDcsIgnore && state !== inDcsData) {
        if (code >= 0xa0) return finish("broken_off", at);
        if (code >= 0x20 && code !== 0x7f) state = nextDcsState(state, code);
      }
      continue;
    }
    // C0 controls are executed in the middle of a sequence, DEL is skipped.
    if (code < 0x20 || code === 0x7f) continue;
    if (code >= 0xa0) {
      if (state === inCsiIgnore) continue;
      return finish("broken_off", at);
    }
    if (state === inEscape) {
      if (code < 0x30) state = inEscapeIntermediate;
      else if (code === 0x5b) state = inCsiEntry;
      else if (code === 0x5d) state = inOsc;
      else if (code === 0x50) state = inDcsEntry;
      else if (code === 0x58 || code === 0x5e || code === 0x5f) state = inOther;
      else return finish("escape", at);
      if (state >= inOther) scan.contentStart = at;
    } else if (state === inEscapeIntermediate) {
      if (code >= 0x30) return finish("escape", at);
    } else if (code >= 0x40) {
      return finish(state === inCsiIgnore ? "ignored" : "csi", at);
    } else if (state !== inCsiIgnore) {
      state = nextCsiState(state, code);
    }
  }
}

function nextCsiState(state: ScanState, code: number): ScanState {
  if (code < 0x30) return inCsiIntermediate;
  if (state === inCsiIntermediate) return inCsiIgnore;
  if (code >= 0x3c && state === inCsiParam) return inCsiIgnore;
  return inCsiParam;
}

function nextDcsState(state: ScanState, code: number): ScanState {
  if (code >= 0x40) return inDcsData;
  if (code < 0x30) return inDcsIntermediate;
  if (state === inDcsIntermediate) return inDcsIgnore;
  if (code >= 0x3c && state === inDcsParam) return inDcsIgnore;
  return inDcsParam;
}
