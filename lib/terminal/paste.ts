// Pasted text made safe (SE8, T87): on every path it loses whatever could act as more than text. The released xterm 6 does not do this.
import { limits } from "#lib/protocol/limits.ts";

const pasteStart = "\x1b[200~";
const pasteEnd = "\x1b[201~";

/** Both forms of both markers. Removing one can put another together, hence the loop in `withoutPasteMarkers`. */
const markers = /(?:\x1b\[|\x9b)20[01]~/g;
/** C0 but TAB, LF and CR; DEL; C1. */
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;

/** `text` without bracketed-paste markers, and without any that removing them would form. */
export function withoutPasteMarkers(text: string): string {
  let before: string;
  let after = text;
  do {
    before = after;
    after = before.replace(markers, "");
  } while (after.length < before.length);
  return after;
}

/** Every line end as the Enter key sends it. */
export function lineEndsAsTyped(text: string): string {
  return text.replace(/\r\n|\n/g, "\r");
}

/** The text that may be pasted: no markers, no controls but TAB, every line end a CR. */
export function cleanPaste(text: string): string {
  return lineEndsAsTyped(withoutPasteMarkers(text).replace(controls, ""));
}

/** The characters to send for a paste: cleaned, and wrapped when the program asked for bracketed paste. */
export function bracketPaste(text: string, modes: { bracketed: boolean }): string {
  const clean = cleanPaste(text);
  return modes.bracketed ? pasteStart + clean + pasteEnd : clean;
}

export interface PasteDescription {
  lines: number;
  /** Characters as a person counts them (code points). */
  chars: number;
  /** Whether something will be, or looks as if it would be, taken out: controls, markers, invisible and bidirectional characters. */
  hasControls: boolean;
  /** The first lines, with everything invisible made visible. */
  preview: string[];
}

/** What the warning shows. Describes the text as it came, not as it will be sent. */
export function describePaste(text: string): PasteDescription {
  const lines = text.split(/\r\n|\r|\n/);
  // A line end at the very end begins no further line.
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return {
    lines: lines.length,
    chars: [...text].length,
    hasControls: /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/.test(text) || invisible.test(text),
    preview: lines.slice(0, limits.pastePreviewLines).map(visible),
  };
}

/** Whether to ask first: several lines that a program without bracketed paste would run one by one, or a lot. */
export function needsWarning(text: string, modes: { bracketed: boolean }): boolean {
  if (!modes.bracketed && /[\r\n]./s.test(text)) return true;
  // A UTF-16 unit is at most three bytes, so short texts need no encoding.
  if (text.length * 3 <= limits.pasteWarnBytes) return false;
  return new TextEncoder().encode(text).length > limits.pasteWarnBytes;
}

/** Zero-width, bidirectional and other format characters (Trojan Source). */
const invisible = /[\p{Cf}\u2028\u2029]/u;
const invisibleAll = /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Cf}\u2028\u2029]/gu;

function visible(line: string): string {
  return line.replace(invisibleAll, (character) => {
    const code = character.codePointAt(0) ?? 0;
    // Control pictures exist for C0 and DEL.
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
  });
}
