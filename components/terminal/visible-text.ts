// Text in which every control character can be seen, for showing what would be pasted. Pure.

/** C0 and DEL as their Unicode pictures, C1 as \u escapes; TAB as an arrow in front of its gap. */
export function withVisibleControls(text: string): string {
  let shown = "";
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === "\t") shown += "\u2192\t";
    else if (code < 0x20) shown += String.fromCodePoint(0x2400 + code);
    else if (code === 0x7f) shown += "\u2421";
    else if (code >= 0x80 && code < 0xa0) shown += `\\u00${code.toString(16)}`;
    // Direction marks can make text read differently from what runs.
    else if (/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/.test(char))
      shown += `\\u${code.toString(16).padStart(4, "0")}`;
    else shown += char;
  }
  return shown;
}
