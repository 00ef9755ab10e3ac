// The corpus of terminal bombs (SC8, T80-T8B): byte streams that block, bloat or mislead an emulator without a guard. Generated, so that
// every final that takes a count is there in every size of number and form of introducer; that of all finals none is passed over, the guard's
// own test says (lib/terminal/vt-guard.test.ts).
import { utf8 } from "#lib/base/bytes.ts";

export interface Bomb {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Finals that take a count, and some that take other numbers. */
const finals = [..."@ABCDEFGHIJKLMPSTXZ`abdefghlmnrst"];
const numbers: readonly [string, string][] = [
  ["1e6", "1000000"],
  ["2^31-1", "2147483647"],
  ["2^63", "9223372036854775808"],
  ["300 digits", "9".repeat(300)],
];
const introducers: readonly [string, string][] = [
  ["ESC [", "\x1b["],
  ["U+009B", "\u009b"],
];

function bomb(name: string, text: string): Bomb {
  return { name, bytes: utf8(text) };
}

function counts(): Bomb[] {
  return finals.flatMap((final) =>
    numbers.flatMap(([size, digits]) =>
      introducers.map(([form, introducer]) =>
        bomb(`${form} ${size} ${final}`, `A${introducer}${digits}${final}`),
      ),
    ),
  );
}

/** Counts that are within the screen, or hidden, but many. */
function floods(): Bomb[] {
  const kib = 64 * 1024;
  const fill = (unit: string) => unit.repeat(Math.ceil(kib / unit.length));
  return [
    bomb("REP of a screen, flood", fill("A\x1b[1920b")),
    bomb("REP of a cluster, flood", fill(`A${"\u0301".repeat(16)}\x1b[1920b`)),
    bomb("SU of a screen, flood", fill("\x1b[24S")),
    bomb("IL of a screen, flood", fill("\x1b[24L")),
    bomb("scroll regions with SD, flood", fill("\x1b[2;23r\x1b[24T")),
    bomb("counts with controls inside", fill("A\x1b[2147\n483647b")),
    bomb("counts with DEL inside", fill("A\x1b[2147\x7f483647b")),
    bomb("counts as second thoughts", fill("A\x1b[1\x1b[2147483647b")),
    bomb("counts behind a cut character", fill("A\xe2\x1b[2147483647b")),
    bomb("sub-parameters", fill("A\x1b[2147483647:2147483647b")),
    bomb("intermediates", fill("A\x1b[2147483647 @\x1b[2147483647'}\x1b[2147483647'~")),
  ];
}

function strings(): Bomb[] {
  const body = "x".repeat(4 * 1024 * 1024);
  const opened: readonly [string, string][] = [
    ["OSC", "\x1b]0;"],
    ["OSC 8", "\x1b]8;;http://"],
    ["OSC 52", "\x1b]52;c;"],
    ["DCS", "\x1bP$q"],
    ["APC", "\x1b_"],
    ["PM", "\x1b^"],
    ["SOS", "\x1bX"],
    ["U+009D", "\u009d0;"],
    ["U+0090", "\u0090$q"],
  ];
  return [
    ...opened.map(([name, start]) => bomb(`${name} without end`, start + body)),
    bomb("OSC ended late", `\x1b]0;${body}\x07`),
    bomb("OSC of colours", `\x1b]4;${"1;red;".repeat(10_000)}\x07`),
    bomb("OSC of colour queries", `\x1b]4;${"1;?;".repeat(10_000)}\x07`),
    bomb("titles, flood", Array.from({ length: 1e5 }, (_, i) => `\x1b]0;t${i}\x07`).join("")),
    bomb("titles pushed", `\x1b]0;${"t".repeat(60_000)}\x07\x1b[22t`.repeat(50)),
    bomb("control sequence without end", `\x1b[${"1;".repeat(1e6)}`),
    bomb("control sequence of line feeds", `\x1b[${"\n".repeat(1e6)}`),
    bomb("intermediates without end", `\x1b${"(".repeat(1e6)}`),
  ];
}

function images(): Bomb[] {
  const data = "#1!255~-".repeat(100_000);
  return [
    bomb("sixel", `\x1bPq"1;1;99999;99999${data}\x1b\\`),
    bomb("sixel with parameters, U+0090", `\u00900;1;0q${data}\u009c`),
    bomb("sixel of one huge repeat", "\x1bPq#0!2147483647~\x1b\\"),
    bomb("iTerm2 file", `\x1b]1337;File=inline=1;width=100000:${"QUJD".repeat(100_000)}\x07`),
    bomb("kitty image", `\x1b_Ga=T,f=100,s=100000,v=100000;${"QUJD".repeat(100_000)}\x1b\\`),
    bomb("kitty image in pieces", `\x1b_Gm=1;${"QUJD".repeat(1000)}\x1b\\`.repeat(200)),
  ];
}

function cells(): Bomb[] {
  return [
    bomb("a million marks on one cell", `x${"\u0301".repeat(1e6)}`),
    bomb("marks with DEL between", `x${"\u0301\x7f".repeat(3e5)}`),
    bomb("sixteen marks on every cell", `x${"\u0301".repeat(16)}`.repeat(2e5)),
    bomb("an endless family", "\u{1f468}\u200d".repeat(1e5)),
    bomb("an endless conjunct", "\u0915\u094d".repeat(1e5)),
    bomb("an endless syllable", "\u1100".repeat(1e5)),
    bomb("prepended marks", "\u0600".repeat(1e5)),
    bomb("a colour for every underline", manyUnderlines()),
  ];
}

function manyUnderlines(): string {
  const cell = (i: number) => `\x1b[4;58;2;${i & 255};${(i >> 8) & 255};1mx`;
  return Array.from({ length: 1e5 }, (_, i) => cell(i)).join("");
}

function linksAndQueries(): Bomb[] {
  const links = (id: (i: number) => string) =>
    Array.from({ length: 1e5 }, (_, i) => `\r\x1b]8;${id(i)};http://e/${i}\x07x`).join("");
  return [
    bomb(
      "1e5 links",
      links(() => ""),
    ),
    bomb(
      "1e5 links with ids",
      links((i) => `id=${i}`),
    ),
    bomb("a link that is never closed", `\x1b]8;;http://e\x07${"x\r\n".repeat(1e5)}`),
    bomb("1e5 cursor queries", "\x1b[6n".repeat(1e5)),
    bomb("1e5 attribute queries", "\x1b[c\x1b[>c".repeat(5e4)),
    bomb("1e5 status strings", "\x1bP$qm\x1b\\".repeat(1e5)),
    bomb("1e5 bells", "\x07".repeat(1e5)),
    bomb("deep parameter lists", `\x1b[${"38;5;1;".repeat(500)}m`.repeat(200)),
    bomb("deep sub-parameter lists", `\x1b[${"4:3:".repeat(900)}m`.repeat(200)),
    bomb("alternate screens", "\x1b[?1049h\x1b[?1049l".repeat(2000)),
    bomb("soft and hard resets", "\x1b[!p\x1bc".repeat(2000)),
  ];
}

/** Reproducible noise. */
function noise(): Bomb[] {
  return [1, 2, 3, 4].map((seed) => {
    let state = seed * 0x9e3779b9;
    const bytes = Uint8Array.from({ length: 256 * 1024 }, () => {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      return state & 0xff;
    });
    return { name: `noise ${seed}`, bytes };
  });
}

/** Some 300 bombs, of 4 MiB at most. */
export function bombs(): Bomb[] {
  return [
    ...counts(),
    ...floods(),
    ...strings(),
    ...images(),
    ...cells(),
    ...linksAndQueries(),
    ...noise(),
  ];
}
