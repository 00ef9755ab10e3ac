// Text as shells and terminals wrap it for a control sequence, unwrapped: percent-encoding, `\xHH`, and the quoting of bash's %q. Every
// function is total: what is not well formed stands for itself. Escapes name bytes, and the bytes are UTF-8.

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function fromPercent(text: string): string {
  return joined(text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => byte(hex, 16)));
}

/** `\\` and `\xHH`, as in 633;E and 633;P. */
export function fromVsCodeEscapes(text: string): string {
  return joined(
    text.replace(/\\(?:\\|x([0-9a-f]{2}))/gi, (_, hex?: string) =>
      hex === undefined ? "\\" : byte(hex, 16),
    ),
  );
}

const ansiNames: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** One quoted string, or several side by side: `a\ b`, `'a b'`, `"a b"`, `$'a\nb'`. */
export function fromShellWords(text: string): string {
  const piece =
    /\$'((?:[^'\\]|\\.)*)(?:'|$)|'([^']*)(?:'|$)|"((?:[^"\\]|\\.)*)(?:"|$)|\\(\n)|\\(.)/gs;
  const plain = text.replace(piece, (_, ansi, single, double, newline, escaped) => {
    if (ansi !== undefined) return fromAnsiC(ansi);
    if (double !== undefined) return double.replace(/\\([\\"$`])|\\\n/g, "$1");
    return newline === undefined ? (single ?? escaped ?? "") : "";
  });
  return joined(plain);
}

function fromAnsiC(text: string): string {
  const escapes =
    /\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|c(.)|(.))/gs;
  return text.replace(escapes, (_, hex, octal, short, long, control, name) => {
    if (hex !== undefined) return byte(hex, 16);
    if (octal !== undefined) return byte(octal, 8);
    const code = short ?? long;
    if (code !== undefined) return codePoint(Number.parseInt(code, 16));
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
    return ansiNames[name] ?? name;
  });
}

function codePoint(code: number): string {
  const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\ufffd";
}

/** A byte that is no character by itself waits as half a surrogate pair, which no decoded text has, for `joined`. */
function byte(digits: string, base: number): string {
  const value = Number.parseInt(digits, base) & 0xff;
  return String.fromCharCode(value < 0x80 ? value : 0xdc00 + value);
}

/** With the bytes side by side made characters. */
function joined(text: string): string {
  return text.replace(/[\ud800-\udfff]+/gu, (halves) =>
    decoder.decode(Uint8Array.from(halves, (half) => half.charCodeAt(0) & 0xff)),
  );
}
