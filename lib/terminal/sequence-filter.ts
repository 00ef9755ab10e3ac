// Passes one control sequence at a time: as it is, clamped, replaced or left out (SC8, SE8). Keeps what one sequence says about the
// following text (an open link), knows nothing about the text itself.
import { assertNever } from "#lib/base/assert.ts";
import { concatBytes, emptyBytes, utf8 } from "#lib/base/bytes.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { ChunkWriter } from "./chunk-writer.ts";
import type { ClusterCount } from "./cluster.ts";
import {
  beginScan,
  continueScan,
  isDcs,
  isMeaningful,
  isOsc,
  isString,
  newScan,
  type Scan,
  type ScanState,
} from "./control-scan.ts";
import { CountWork } from "./count-work.ts";
import { clampCsi } from "./csi-clamp.ts";
import { Ration } from "./ration.ts";
import { judgeString, type StringKind } from "./string-policy.ts";
import type { Swallowed } from "./swallow.ts";
import { withoutMalformed } from "./utf8.ts";

const stringEnd = utf8("\x1b\\");
export const linkEnd = utf8("\x1b]8;;\x1b\\");

export type Passed =
  | { kind: "done"; end: number }
  /** The rest is to be swallowed from `end` on. */
  | { kind: "swallow"; end: number; what: Swallowed }
  /** More bytes are needed; the sequence is to be offered again from its start, through `resume`. */
  | { kind: "incomplete"; isString: boolean };

export class SequenceFilter {
  private readonly scan: Scan = newScan();
  private readonly links = new Ration(limits.links, limits.linksPerSecond);
  private readonly linkChars = new Ration(limits.linkChars.atOnce, limits.linkChars.perSecond);
  private readonly work = new CountWork();
  /** Output offset (as told by `base`) at which an open link is closed. */
  linkDeadline = Number.POSITIVE_INFINITY;

  constructor(private readonly cluster: ClusterCount) {}

  /** `base`: stream offset of the buffer's first byte. */
  begin(buffer: Uint8Array, start: number, edit: SequenceContext): Passed {
    beginScan(this.scan, buffer, start);
    return this.pass(buffer, start, edit);
  }

  /** Goes on with an incomplete sequence, which is now at the beginning of `buffer`. */
  resume(buffer: Uint8Array, edit: SequenceContext): Passed {
    return this.pass(buffer, 0, edit);
  }

  private pass(buffer: Uint8Array, start: number, edit: SequenceContext): Passed {
    const { scan } = this;
    const stop = start + limits.controlSequenceBytes;
    const end = continueScan(scan, buffer, stop, start + limits.controlStringBytes);
    switch (end) {
      case "incomplete":
        scan.at -= start;
        scan.contentStart -= start;
        return { kind: "incomplete", isString: isString(scan.state) };
      case "too_long": {
        const what = isOsc(scan.state) ? "osc" : isString(scan.state) ? "string" : "csi";
        this.leaveOut(buffer, start, edit.writer);
        return { kind: "swallow", end: scan.at, what };
      }
      case "broken_off":
        this.leaveOut(buffer, start, edit.writer);
        break;
      case "string":
        this.passString(buffer, start, edit);
        break;
      case "csi": {
        const sequence = buffer.subarray(start, scan.at);
        const clamped = clampCsi(sequence, (final, count) =>
          this.work.grant(final, count, this.cluster.length, edit),
        );
        if (clamped) edit.writer.replace(start, scan.at, clamped);
        else this.keep(buffer, start, edit.writer);
        this.cluster.reset();
        break;
      }
      case "escape":
      case "cancelled":
        this.keep(buffer, start, edit.writer);
        this.cluster.reset();
        break;
      case "ignored":
        this.keep(buffer, start, edit.writer);
        break;
      default:
        assertNever(end);
    }
    return { kind: "done", end: scan.at };
  }

  private keep(buffer: Uint8Array, start: number, writer: ChunkWriter): void {
    const { at, hasMalformed } = this.scan;
    if (hasMalformed) writer.replace(start, at, withoutMalformed(buffer.subarray(start, at)));
  }

  /**
   * Leaves a sequence out, but for `instead` and the C0 controls inside: the emulator executes those, of a string only what stands
   * between its ESC and the byte that makes it one.
   */
  private leaveOut(buffer: Uint8Array, start: number, writer: ChunkWriter, instead = emptyBytes) {
    const { at, state, contentStart } = this.scan;
    const controls = buffer
      .subarray(start, isString(state) ? contentStart : at)
      .filter((byte) => byte < 0x20 && byte !== 0x1b);
    if (controls.length > 0) this.cluster.reset();
    writer.replace(start, at, concatBytes([controls, instead]));
  }

  private passString(buffer: Uint8Array, start: number, edit: SequenceContext): void {
    const { at, state, contentStart, contentEnd, isOpenEnded } = this.scan;
    const kind = stringKind(buffer, contentStart, state);
    const verdict = judgeString(kind, buffer.subarray(contentStart, contentEnd));
    switch (verdict.kind) {
      case "drop":
        this.leaveOut(buffer, start, edit.writer);
        return;
      case "close_link":
        this.linkDeadline = Number.POSITIVE_INFINITY;
        if (!verdict.isPlain) {
          this.leaveOut(buffer, start, edit.writer, linkEnd);
          return;
        }
        break;
      case "open_link":
        if (!this.linkChars.take(verdict.chars, edit.nowMs) || !this.links.take(1, edit.nowMs)) {
          // A refused link also ends the one before: its text must not seem to belong to that.
          this.linkDeadline = Number.POSITIVE_INFINITY;
          this.leaveOut(buffer, start, edit.writer, linkEnd);
          return;
        }
        this.linkDeadline = edit.base + at + limits.linkTextBytes;
        break;
      case "pass":
        break;
      default:
        assertNever(verdict);
    }
    if (isOpenEnded && !isMeaningful(state)) {
      this.leaveOut(buffer, start, edit.writer);
      return;
    }
    this.keep(buffer, start, edit.writer);
    // Left open, the string would swallow what follows should its follower be left out. (One without meaning was just left out.)
    if (isOpenEnded) edit.writer.replace(at, at, stringEnd);
    // Ended by U+009C, a string without meaning leaves the emulator's cluster as it was.
    if (isMeaningful(state) || buffer[at - 1] === 0x5c) this.cluster.reset();
  }
}

/** What a filtering needs to know and to write to. */
export interface SequenceContext {
  readonly writer: ChunkWriter;
  readonly size: GridSize;
  readonly nowMs: number;
  /** Stream offset of the buffer's first byte. */
  readonly base: number;
}

/** Which string begins before `contentStart`, from the byte that introduced it. */
function stringKind(buffer: Uint8Array, contentStart: number, state: ScanState): StringKind {
  if (isOsc(state)) return "osc";
  if (isDcs(state)) return "dcs";
  const introducer = buffer[contentStart - 1];
  return introducer === 0x5f || introducer === 0x9f ? "apc" : "other";
}
