// Random terminal output as programs write it: text in many scripts, colours, cursor motion, erasing, scrolling, modes, links, full-screen
// programs, and resizes in between. For property tests; every count stays within the screen, as behind the stream guard.
import fc from "fast-check";
import type { GridSize } from "#lib/protocol/geometry.ts";

export type StreamStep = { kind: "bytes"; text: string } | { kind: "resize"; size: GridSize };

const words = fc.constantFrom(
  "a",
  "hello ",
  "The quick brown fox jumps",
  "  ",
  "0123456789",
  "中文字",
  "한",
  "e\u0301",
  "\u0301",
  "👍🏽",
  "👨\u200d👩\u200d👧",
  "🇩🇪",
  "🇫",
  "❤\ufe0f",
  "1\ufe0f\u20e3",
  "क्षि",
  "ที่",
  "─│┌┐",
  "—’•",
  "qxlk",
  "#[]{}~",
);
const control = fc.constantFrom("\r\n", "\n", "\r", "\b", "\t", "\x07", "\r\n\r\n", "\n\n\n");
const n = fc.integer({ min: 1, max: 12 });
const big = fc.integer({ min: 1, max: 300 });

const sgr = fc
  .array(
    fc.oneof(
      fc.constantFrom("0", "1", "2", "3", "4", "7", "9", "22", "24", "27", "39", "49", "53", "21"),
      fc.constantFrom("31", "42", "97", "104", "44", "40", "37"),
      fc.constantFrom("4:3", "58;5;9", "58;2;1;2;3", "59", "38;5;200", "48;5;17", "5", "8"),
      fc.constantFrom("38;2;10;20;30", "48;2;200;100;50"),
    ),
    { minLength: 0, maxLength: 3 },
  )
  .map((parts) => `\x1b[${parts.join(";")}m`);

const motion = fc.oneof(
  fc.tuple(n, big).map(([y, x]) => `\x1b[${y};${(x % 40) + 1}H`),
  fc
    .tuple(n, fc.constantFrom("A", "B", "C", "D", "E", "F", "G", "d", "`", "a", "e"))
    .map(([count, final]) => `\x1b[${count}${final}`),
  fc.constantFrom("\x1bD", "\x1bE", "\x1bM", "\x1b[H", "\x1b[999C", "\x1b[999;999H"),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom("I", "Z"))
    .map(([c, f]) => `\x1b[${c}${f}`),
);

const edit = fc.oneof(
  fc.constantFrom(
    "\x1b[K",
    "\x1b[1K",
    "\x1b[2K",
    "\x1b[J",
    "\x1b[1J",
    "\x1b[2J",
    "\x1b[?K",
    "\x1b[?J",
    "\x1b[3J",
  ),
  fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("L", "M", "@", "P", "X", "S", "T", "b"))
    .map(([count, final]) => `\x1b[${count}${final}`),
);

const mode = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        "1",
        "6",
        "7",
        "25",
        "45",
        "66",
        "1000",
        "1002",
        "1003",
        "9",
        "1004",
        "1005",
        "1006",
        "1015",
        "1016",
        "2004",
        "2026",
      ),
      fc.constantFrom("h", "l"),
    )
    .map(([number, final]) => `\x1b[?${number}${final}`),
  fc.constantFrom(
    "\x1b[4h",
    "\x1b[4l",
    "\x1b[4l",
    "\x1b[20h",
    "\x1b[20l",
    "\x1b[20l",
    "\x1b=",
    "\x1b>",
  ),
  fc.constantFrom("\x1b[?7h", "\x1b[?6l"),
  fc.integer({ min: 0, max: 6 }).map((shape) => `\x1b[${shape} q`),
);

const charset = fc.constantFrom(
  "\x1b(0",
  "\x1b(B",
  "\x1b)0",
  "\x1b*A",
  "\x1b+K",
  "\x0e",
  "\x0f",
  "\x1bn",
  "\x1bo",
  "\x1b(A",
);
const region = fc.oneof(
  fc.tuple(n, n).map(([top, size]) => `\x1b[${top};${top + size}r`),
  fc.constantFrom("\x1b[r", "\x1b[r"),
);
const tabs = fc.constantFrom("\x1bH", "\x1b[g", "\x1b[3g");
const saved = fc.constantFrom("\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1b[?1048h", "\x1b[?1048l");
const screens = fc.constantFrom(
  "\x1b[?1049h",
  "\x1b[?1049l",
  "\x1b[?47h",
  "\x1b[?47l",
  "\x1b[?1047l",
  "\x1b[!p",
);
const link = fc.constantFrom(
  "\x1b]8;;http://example.org/a;b\x1b\\",
  "\x1b]8;id=x;http://example.org/c\x07",
  "\x1b]8;;\x1b\\",
  "\x1b]8;;\x1b\\",
);
const rare = fc.constantFrom(
  "\x1b#8",
  "\x1bc",
  '\x1b[1"q',
  '\x1b[0"q',
  "\x1b]2;title\x07",
  "\x1b]4;1;#102030\x07",
  "\x1b]11;?\x07",
  "\x1b[c",
  "\x1b[6n",
  "\x1bP$qm\x1b\\",
  "\x1b[2'}",
  "\x1b[2'~",
  "\x1b[1 @",
  "\x1b[1 A",
);

const piece = fc.oneof(
  { arbitrary: words, weight: 30 },
  { arbitrary: control, weight: 16 },
  { arbitrary: sgr, weight: 14 },
  { arbitrary: motion, weight: 12 },
  { arbitrary: edit, weight: 10 },
  { arbitrary: mode, weight: 5 },
  { arbitrary: charset, weight: 2 },
  { arbitrary: region, weight: 2 },
  { arbitrary: tabs, weight: 1 },
  { arbitrary: saved, weight: 3 },
  { arbitrary: screens, weight: 2 },
  { arbitrary: link, weight: 2 },
  { arbitrary: rare, weight: 1 },
);

export const gridSize: fc.Arbitrary<GridSize> = fc.record({
  cols: fc.integer({ min: 4, max: 30 }),
  rows: fc.integer({ min: 2, max: 9 }),
});

export const streamSteps: fc.Arbitrary<StreamStep[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc
        .array(piece, { minLength: 1, maxLength: 12 })
        .map((parts): StreamStep => ({ kind: "bytes", text: parts.join("") })),
      weight: 12,
    },
    { arbitrary: gridSize.map((size): StreamStep => ({ kind: "resize", size })), weight: 1 },
  ),
  { minLength: 1, maxLength: 10 },
);
