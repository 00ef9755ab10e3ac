// Counts of control sequences, clamped to what can have an effect on the screen (SC8). The emulator loops as often as a count says:
// `A ESC[2147483647b` was measured to block it for 170 s and to take 8 GB.
import { utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { isCount } from "./count-work.ts";

/** Emulators keep 32 parameters and as many sub-parameters; what follows is ignored. */
const maxParameters = 32;

/**
 * The usual control sequence, `ESC [ digits ; : final` with everything in bounds, in one go: its end, or -1 for anything else. Most
 * sequences of real streams end here, so the general scan need not be fast.
 */
export function plainCsiEnd(bytes: Uint8Array, start: number): number {
  if (bytes[start + 1] !== 0x5b) return -1;
  let at = start + 2;
  let byte = bytes[at] as number;
  const hasPrefix = byte >= 0x3c && byte <= 0x3f;
  if (hasPrefix) byte = bytes[++at] as number;
  const stop = start + limits.controlSequenceBytes;
  let value = 0;
  let first = -1;
  for (; at < stop; byte = bytes[++at] as number) {
    if (byte >= 0x30 && byte <= 0x39) {
      value = value * 10 + byte - 0x30;
      if (value > limits.controlParameter) return -1;
    } else if (byte === 0x3b || byte === 0x3a) {
      if (first < 0) first = value;
      value = 0;
    } else if (byte >= 0x40 && byte < 0x7f) {
      if (first < 0) first = value;
      // Counts of one are the commonest of all, and cost nothing extra.
      return first > 1 && !hasPrefix && isCount(byte) ? -1 : at + 1;
    } else return -1;
  }
  return -1;
}

/**
 * The sequence in `bytes` (one complete CSI ... final; controls inside allowed) with every parameter within its bound, or null when
 * nothing is out of bounds. `grantCount` says how much of the first parameter of a sequence without prefix and intermediates may stand.
 * C0 controls inside move to the front: the emulator executes them before the sequence anyway.
 */
export function clampCsi(
  bytes: Uint8Array,
  grantCount: (final: number, count: number) => number,
): Uint8Array | null {
  let controls = "";
  let body = "";
  for (const byte of bytes.subarray(bytes[0] === 0x1b ? 1 : 2)) {
    if (byte < 0x20) controls += String.fromCharCode(byte);
    else if (byte < 0x7f) body += String.fromCharCode(byte);
  }
  if (bytes[0] === 0x1b) body = body.slice(1); // the "["
  const match = /^([<-?]?)([0-9:;]*)([ -/]*)([@-~])$/.exec(body);
  if (!match) return null;
  const [, prefix = "", parameters = "", intermediates = "", final = ""] = match;
  const isCounting = prefix === "" && intermediates === "";
  let isClamped = false;
  let subParameters = 0;
  const clamped = parameters
    .split(";")
    .slice(0, maxParameters)
    .map((parameter, index) =>
      parameter
        .split(":")
        .filter((_, sub) => sub === 0 || subParameters++ < maxParameters)
        .map((digits, sub) => {
          // Number() of hundreds of digits is Infinity, which is as much out of bounds.
          const value = Number(digits);
          let bounded = Math.min(value, limits.controlParameter);
          if (index === 0 && sub === 0 && isCounting && value > 1)
            bounded = grantCount(final.charCodeAt(0), value);
          if (bounded === value) return digits;
          isClamped = true;
          return String(bounded);
        })
        .join(":"),
    )
    .join(";");
  return isClamped ? utf8(`${controls}\x1b[${prefix}${clamped}${intermediates}${final}`) : null;
}
