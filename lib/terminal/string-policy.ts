// What becomes of a complete OSC, DCS or APC string: passed on or not (SC8, SE8). Judges content, knows nothing about the stream.
import { limits } from "#lib/protocol/limits.ts";

export type StringKind = "osc" | "dcs" | "apc" | "other";

export type StringVerdict =
  | { kind: "pass" }
  | { kind: "drop" }
  /** OSC 8 with an address: opens a link if one more is allowed. */
  | { kind: "open_link"; chars: number }
  /** `isPlain`: as it stands; otherwise to be replaced by a plain one. */
  | { kind: "close_link"; isPlain: boolean };

const pass: StringVerdict = { kind: "pass" };
const drop: StringVerdict = { kind: "drop" };

/** Of iTerm2's OSC 1337: images, and the ways to the clipboard that go around OSC 52, and what makes the terminal answer. */
const refusedIterm =
  /^(?:file|multipartfile|filepart|fileend|copy|copytoclipboard|endcopy|requestupload|reportvariable|reportcellsize)\b/i;

/** `content` is what stands between the introducer and the terminator. */
export function judgeString(kind: StringKind, content: Uint8Array): StringVerdict {
  switch (kind) {
    case "osc":
      return judgeOsc(content);
    case "dcs":
      return judgeDcs(content);
    case "apc":
      // Kitty graphics.
      return content[0] === 0x47 ? drop : pass;
    case "other":
      return pass;
  }
}

/** Bytes as characters 0-255, without the controls that the emulator skips inside a string. */
function plain(content: Uint8Array, maxChars: number): string {
  let text = "";
  for (let i = 0; i < content.length && text.length < maxChars; i++) {
    const byte = content[i] as number;
    if (byte >= 0x20) text += String.fromCharCode(byte);
  }
  return text;
}

function judgeOsc(content: Uint8Array): StringVerdict {
  // The number as the emulator reads it: any count of leading zeros, controls between the digits skipped.
  let number = 0;
  let at = 0;
  for (; at < content.length; at++) {
    const byte = content[at] as number;
    if (byte >= 0x30 && byte <= 0x39) number = Math.min(number * 10 + byte - 0x30, 1_000_000);
    else if (byte >= 0x20) break;
  }
  if (content[at] !== 0x3b) return pass;
  const payload = content.subarray(at + 1);
  switch (number) {
    case 4:
      return count(payload, 0x3b) >= 2 * limits.coloursPerString ? drop : pass;
    case 8:
      return judgeLink(plain(payload, limits.controlStringBytes));
    case 52:
      return judgeClipboard(plain(payload, limits.controlStringBytes));
    // Kitty's clipboard protocol reads as well as writes, and nothing here speaks it.
    case 5522:
      return drop;
    case 1337:
      return refusedIterm.test(plain(payload, 100)) ? drop : pass;
    default:
      return pass;
  }
}

function count(bytes: Uint8Array, wanted: number): number {
  let found = 0;
  for (const byte of bytes) if (byte === wanted) found++;
  return found;
}

/** A write of base64 goes on to the page, which asks; a read (`?`), a clearing and anything malformed do not. */
function judgeClipboard(payload: string): StringVerdict {
  return /^[cpqs0-7]*;[A-Za-z0-9+/]+={0,2}$/.test(payload) ? pass : drop;
}

function judgeLink(payload: string): StringVerdict {
  const separator = payload.indexOf(";");
  if (separator < 0) return drop;
  const uri = payload.slice(separator + 1);
  // xterm leaves the link open at an empty address with parameters, others close it.
  if (uri === "") return { kind: "close_link", isPlain: payload === ";" };
  return uri.length > limits.linkUriChars || separator > limits.linkUriChars
    ? { kind: "close_link", isPlain: false }
    : { kind: "open_link", chars: payload.length };
}

/** `DCS parameters q`, with no intermediate, is a sixel image. */
function judgeDcs(content: Uint8Array): StringVerdict {
  for (const byte of content) {
    if (byte >= 0x30 && byte <= 0x3f) continue;
    if (byte >= 0x20 && byte !== 0x7f) return byte === 0x71 ? drop : pass;
  }
  return pass;
}
