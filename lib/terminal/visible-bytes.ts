// What was typed, as text for people: every control character and every invisible one can be seen, so nothing hides in a history or an audit.
import { cleanText } from "./hidden-characters.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });
/** C0, DEL and C1, and the pictures that stand for C0 here. */
const special = /[\p{Cc}\u2400-\u2421]/gu;

/** At most `maxChars` and a mark, in UTF-16 units: `␛[A`, `ls␍`; other bytes and characters that nobody sees as `\x9b` and `\u{202e}`. */
export function visibleBytes(bytes: Uint8Array, maxChars: number): string {
  // Four bytes make at least one unit, and a cut in a character is behind what is kept.
  const isLong = bytes.length > maxChars * 4;
  const text = decoded(isLong ? bytes.subarray(0, maxChars * 4) : bytes);
  const shown = escaped(text.slice(0, maxChars * 2)).replace(special, picture);
  if (shown.length <= maxChars && !isLong && text.length <= maxChars * 2) return shown;
  return `${shown.slice(0, maxChars).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Of a note or a name: one line without anything invisible. */
export function plainLine(text: string, maxChars: number): string {
  const line = cleanText(text.slice(0, maxChars * 4).replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " "));
  return line.text
    .trim()
    .slice(0, maxChars)
    .replace(/[\ud800-\udbff]$/, "");
}

function decoded(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    // Not UTF-8 throughout: bytes that are no character are told by their numbers.
  }
  let text = "";
  let at = 0;
  while (at < bytes.length) {
    const size = sequenceSize(bytes[at] ?? 0);
    const piece = bytes.subarray(at, at + size);
    const character = decoder.decode(piece);
    if ([...character].length === 1 && !character.includes("\ufffd")) {
      text += character;
      at += size;
    } else {
      text += `\\x${(bytes[at] ?? 0).toString(16).padStart(2, "0")}`;
      at += 1;
    }
  }
  return text;
}

function sequenceSize(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/** Characters that mean something and show nothing, but those that `special` shows. */
function escaped(text: string): string {
  const { removed } = cleanText(text);
  let shown = "";
  let at = 0;
  for (const { start, end } of removed) {
    shown += text.slice(at, start);
    for (const point of text.slice(start, end)) {
      const code = point.codePointAt(0) ?? 0;
      shown += /\p{Cc}/u.test(point) ? point : `\\u{${code.toString(16)}}`;
    }
    at = end;
  }
  return shown + text.slice(at);
}

function picture(point: string): string {
  const code = point.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return "␡";
  return code < 0xa0 ? `\\x${code.toString(16)}` : `\\u{${code.toString(16)}}`;
}
