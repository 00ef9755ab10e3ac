// The faults that snapshots are known for, each with the bytes that follow (SN1, SN2). A viewer made from the snapshot and the screen
// itself must be the same before and after those bytes.
import { describe, expect, it } from "vitest";
import { compareTerminals, feed, screenOf, viewerOf } from "#server/testing/screen-dsl.ts";

interface Case {
  readonly name: string;
  readonly size: readonly [cols: number, rows: number];
  readonly bytes: string;
  readonly follow: string;
  /** Rows after `follow`, where the fault's report says them. */
  readonly lines?: readonly string[];
}

const cases: readonly Case[] = [
  {
    name: "B026 the cursor placed on the last cell of a full row stays there",
    size: [10, 2],
    bytes: "ABCDEFGHIJ\x1b[1;10H",
    follow: "XY",
    lines: ["ABCDEFGHIX", "Y"],
  },
  {
    name: "a pending wrap stays pending",
    size: [10, 3],
    bytes: "ABCDEFGHIJ",
    follow: "XY",
    lines: ["ABCDEFGHIJ", "XY", ""],
  },
  {
    name: "a pending wrap stays pending after the pen changed",
    size: [10, 3],
    bytes: "ABCDEFGHIJ\x1b[31m",
    follow: "XY",
    lines: ["ABCDEFGHIJ", "XY", ""],
  },
  {
    name: "a pending wrap behind a wide character",
    size: [10, 3],
    bytes: "ABCDEFGH中\x1b[1m",
    follow: "XY",
  },
  {
    name: "a pending wrap on an erased row",
    size: [10, 3],
    bytes: "ABCDEFGHIJ\x1b[44m\x1b[1K",
    follow: "XY",
  },
  {
    name: "a pending wrap whose row was scrolled away",
    size: [6, 3],
    bytes: "\x1b[2;1Habcdef\x1b[S",
    follow: "XY",
  },
  {
    name: "B027 the scroll region",
    size: [10, 6],
    bytes: "1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[2;4r\x1b[4;1H",
    follow: "a\nb\nc\nd",
  },
  {
    name: "B028 mouse tracking and its encoding",
    size: [20, 5],
    bytes: "\x1b[?1049h\x1b[?1003h\x1b[?1006h",
    follow: "",
  },
  {
    name: "B029 a hidden cursor and its shape",
    size: [20, 5],
    bytes: "\x1b[?25l\x1b[6 q",
    follow: "x",
  },
  { name: "a cursor shown again", size: [20, 5], bytes: "\x1b[?25l\x1b[?25h", follow: "x" },
  {
    name: "B030 the saved cursor",
    size: [20, 5],
    bytes: "ab\x1b7\x1b[4;4Hzz",
    follow: "\x1b8Q",
    lines: ["abQ", "", "", "   zz", ""],
  },
  {
    name: "the saved cursor's pen and charset",
    size: [20, 5],
    bytes: "\x1b[31;1m\x1b(0ab\x1b7\x1b(B\x1b[m\x1b[4;4Hzz",
    follow: "\x1b8q\x1b(Bq",
  },
  {
    name: "B031 line drawing",
    size: [20, 3],
    bytes: "\x1b(0",
    follow: "lqqk",
    lines: ["┌──┐", "", ""],
  },
  { name: "line drawing in G1, shifted out", size: [20, 3], bytes: "\x1b)0\x0e", follow: "q\x0fq" },
  {
    name: "a charset that DECRC brought back",
    size: [20, 3],
    bytes: "\x1b(0\x1b7\x1b(B\x1b8",
    follow: "q",
  },
  {
    name: "B031 tab stops",
    size: [30, 3],
    bytes: "\x1b[3g\x1b[6G\x1bH\r",
    follow: "\tX",
    lines: ["     X", "", ""],
  },
  {
    name: "B032 origin mode",
    size: [10, 6],
    bytes: "\x1b[2;4r\x1b[?6h\x1b[1;1H",
    follow: "X",
    lines: ["", "X", "", "", "", ""],
  },
  {
    name: "origin mode with the cursor in the region",
    size: [10, 6],
    bytes: "\x1b[2;5r\x1b[?6h\x1b[2;3Hab",
    follow: "\x1b[3;1HX",
  },
  {
    name: "origin mode with the cursor outside the region",
    size: [10, 6],
    bytes: "\x1b[?47h\x1b[6;3H\x1b[?47l\x1b[2;4r\x1b[?6h\x1b[?47h\x1b[1;8H\x1b[?47l",
    follow: "X",
  },
  {
    name: "B034 a cursor far to the right",
    size: [100, 30],
    bytes: "\x1b[5;67H",
    follow: "\x1b[K*",
  },
  {
    name: "B035 both buffers",
    size: [20, 5],
    bytes: "n1\r\nn2\x1b[?1049h\x1b[2J\x1b[4;4HALT",
    follow: "\x1b[?1049l#",
    lines: ["n1", "n2#", "", "", ""],
  },
  {
    name: "each buffer's own region, tab stops and saved cursor",
    size: [20, 6],
    bytes:
      "\x1b[2;3r\x1b[3g\x1b[5G\x1bH\x1b[2;2H\x1b7\x1b[?1049h\x1b[3;5r\x1b[9G\x1bH\x1b[4;4H\x1b7\x1b[1;1H",
    follow: "\x1b8a\tb\x1b[?1049l\r\tc\x1b8d",
  },
  {
    name: "the alternate screen's saved cursor while it is not shown",
    size: [20, 5],
    bytes: "\x1b[?47h\x1b[3;3H\x1b7\x1b[?47l",
    follow: "\x1b[?47h\x1b8X",
  },
  { name: "insert mode", size: [10, 2], bytes: "abcdef\x1b[4h\x1b[3G", follow: "XY" },
  {
    name: "insert mode right after a character",
    size: [10, 2],
    bytes: "abcdef\x1b[3G\x1b[4hX",
    follow: "\u0301Y",
  },
  { name: "no autowrap", size: [5, 2], bytes: "\x1b[?7labcdefg", follow: "h" },
  { name: "a combining mark that comes later", size: [10, 2], bytes: "e", follow: "\u0301x" },
  { name: "REP of a character before", size: [10, 2], bytes: "a中", follow: "\x1b[2b" },
  {
    name: "an emoji cut in the middle of its family",
    size: [10, 2],
    bytes: "👨\u200d",
    follow: "👩x",
  },
  { name: "a flag cut in half", size: [10, 2], bytes: "🇩", follow: "🇪x" },
  {
    name: "a character and a mark of their own stay apart",
    size: [10, 2],
    bytes: "e\x1b[m\u0301",
    follow: "x",
  },
  { name: "a wide character that did not fit", size: [5, 3], bytes: "abcd中", follow: "x" },
  {
    name: "a wide character that did not fit, in colour",
    size: [5, 3],
    bytes: "\x1b[41mabcd\x1b[42m中\x1b[m",
    follow: "x",
  },
  {
    name: "wrapped rows are wrapped rows",
    size: [5, 4],
    bytes: "abcdefghijklm\r\nxyz",
    follow: "w",
  },
  {
    name: "a wrapped row whose end was erased",
    size: [5, 4],
    bytes: "abcdefgh\x1b[1;4H\x1b[K\x1b[3;1H",
    follow: "w",
  },
  {
    name: "a wrapped row whose beginning was erased",
    size: [5, 4],
    bytes: "abcdefgh\x1b[2;1H\x1b[2X",
    follow: "w",
  },
  { name: "a wrapped row in colour", size: [6, 3], bytes: "\x1b[44mabcdefgh\x1b[m", follow: "w" },
  {
    name: "background of erased cells",
    size: [10, 4],
    bytes: "ab\x1b[44m\x1b[K\x1b[2;3H\x1b[3X\x1b[3;1H\x1b[2K\x1b[m",
    follow: "w",
  },
  {
    name: "scrolled-in rows with a background",
    size: [6, 3],
    bytes: "1\r\n2\r\n3\x1b[45m\r\n4",
    follow: "w",
  },
  {
    name: "an empty cell with attributes of its own",
    size: [6, 2],
    bytes: "中\x1b[2G\x1b[4;31mx\x1b[m",
    follow: "w",
  },
  {
    name: "an empty last cell with attributes of its own",
    size: [6, 2],
    bytes: "abcd中\x1b[5G\x1b[4;31mx\x1b[m",
    follow: "w",
  },
  {
    name: "every attribute",
    size: [20, 4],
    bytes:
      '\x1b[1ma\x1b[0;2mb\x1b[0;3mc\x1b[0;4md\x1b[0;5me\x1b[0;7mf\x1b[0;8mg\x1b[0;9mh\x1b[0;53mi\x1b[0;4:3mj\x1b[58;2;1;2;3mk\x1b[0;21ml\x1b[0;38;5;200;48;2;9;8;7mm\x1b[0;97;102mn\x1b[m\x1b[1"qo\x1b[m',
    follow: "p\x1b[4mq",
  },
  {
    name: "an underline colour kept for later",
    size: [20, 2],
    bytes: "\x1b[58;5;9m",
    follow: "a\x1b[4mb",
  },
  {
    name: "links",
    size: [20, 3],
    bytes:
      "\x1b]8;;http://a/;b\x1b\\one\x1b]8;;\x1b\\ \x1b]8;id=7;http://c/\x1b\\two\x1b[31mred\x1b]8;;\x1b\\ x",
    follow: "y",
  },
  {
    name: "a link still open",
    size: [20, 3],
    bytes: "\x1b]8;;http://a/\x1b\\one",
    follow: "two\x1b]8;;\x1b\\x",
  },
  {
    name: "empty rows and a cursor in the middle",
    size: [10, 6],
    bytes: "\r\n\r\nx\r\n\r\n\x1b[2;5H",
    follow: "y",
  },
  {
    name: "application keys, keypad, focus, paste, synchronized output",
    size: [10, 3],
    bytes: "\x1b[?1h\x1b=\x1b[?1004h\x1b[?2004h\x1b[?2026h",
    follow: "x",
  },
  { name: "line feed as new line", size: [10, 4], bytes: "\x1b[20hab", follow: "\nc" },
  {
    name: "a control sequence cut by the snapshot",
    size: [10, 3],
    bytes: "a\x1b[3",
    follow: "1mb",
  },
  {
    name: "a control inside a cut sequence is carried out once",
    size: [10, 3],
    bytes: "a\x1b[3\n",
    follow: "1mb",
  },
  { name: "a character cut by the snapshot", size: [10, 3], bytes: "a\u0000", follow: "b" },
  {
    name: "a string cut by the snapshot",
    size: [10, 3],
    bytes: "a\x1b]8;;http://x",
    follow: "/y\x07b",
  },
  {
    name: "a device string cut by the snapshot",
    size: [10, 3],
    bytes: "a\x1bPzzz",
    follow: "zz\x1b\\b",
  },
  { name: "the smallest grid", size: [2, 1], bytes: "abc中d", follow: "e中" },
];

describe("snapshots of known faults", () => {
  for (const { name, size, bytes, follow, lines } of cases) {
    it(`[SN2] ${name}`, async () => {
      const [cols, rows] = size;
      const screen = await screenOf(bytes, { cols, rows });
      const viewer = viewerOf(await screen.snapshot(0, 0));
      expect(compareTerminals(screen, viewer)).toEqual([]);
      await feed(screen, follow);
      viewer.write(follow);
      expect(compareTerminals(screen, viewer)).toEqual([]);
      if (lines) expect(screen.text().lines).toEqual(lines);
      expect(viewer.answered).toBe("");
      viewer.dispose();
      screen.dispose();
    });
  }
});
