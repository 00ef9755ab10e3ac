import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Modes } from "#lib/protocol/screen.ts";
import { reportBytes } from "./reports.ts";

type Asked = Pick<Modes, "mouse" | "mouse_encoding" | "focus_reporting">;

function asked(
  mouse: Modes["mouse"],
  encoding: Modes["mouse_encoding"] = "sgr",
  focus = false,
): Asked {
  return { mouse, mouse_encoding: encoding, focus_reporting: focus };
}

function isPassed(data: string, modes: Asked): boolean {
  const bytes = reportBytes(data, modes);
  if (bytes) expect(Buffer.from(bytes).toString("latin1")).toBe(data);
  return bytes !== null;
}

describe("reportBytes", () => {
  it("[AT3] mouse reports pass in the encoding the program chose, and in no other", () => {
    const samples = {
      sgr: "\x1b[<0;10;20M\x1b[<0;10;20m",
      urxvt: "\x1b[32;10;20M",
      default: "\x1b[M !!",
      utf8: "\x1b[M \xc4\x80!",
    };
    expect(isPassed(samples.sgr, asked("any_event", "sgr"))).toBe(true);
    expect(isPassed(samples.sgr, asked("any_event", "sgr_pixels"))).toBe(true);
    expect(isPassed(samples.urxvt, asked("any_event", "urxvt"))).toBe(true);
    expect(isPassed(samples.default, asked("any_event", "default"))).toBe(true);
    expect(isPassed(samples.utf8, asked("any_event", "utf8"))).toBe(true);
    expect(isPassed(samples.sgr, asked("any_event", "default"))).toBe(false);
    expect(isPassed(samples.default, asked("any_event", "sgr"))).toBe(false);
    expect(isPassed(samples.urxvt, asked("any_event", "sgr"))).toBe(false);
  });

  it("[AT3] nothing passes when the program asked for nothing", () => {
    for (const data of ["\x1b[<0;1;1M", "\x1b[M !!", "\x1b[32;1;1M", "\x1b[I", "\x1b[O"]) {
      for (const encoding of ["default", "sgr", "urxvt", "utf8"] as const)
        expect(isPassed(data, asked("off", encoding))).toBe(false);
    }
  });

  it("[AT3] focus passes only with focus reporting, with or without the mouse", () => {
    expect(isPassed("\x1b[I", asked("off", "default", true))).toBe(true);
    expect(isPassed("\x1b[O\x1b[I", asked("any_event", "sgr", true))).toBe(true);
    expect(isPassed("\x1b[I", asked("any_event", "sgr", false))).toBe(false);
  });

  it("[AT3] events that the tracking mode does not report do not pass", () => {
    const press = "\x1b[<0;1;1M";
    const release = "\x1b[<0;1;1m";
    const drag = "\x1b[<32;1;1M";
    const move = "\x1b[<35;1;1M";
    const wheel = "\x1b[<64;1;1M";
    const passed = (mouse: Modes["mouse"]) =>
      [press, release, drag, move, wheel].map((data) => isPassed(data, asked(mouse)));
    expect(passed("x10")).toEqual([true, false, false, false, false]);
    expect(passed("normal")).toEqual([true, true, false, false, true]);
    expect(passed("button_event")).toEqual([true, true, true, false, true]);
    expect(passed("any_event")).toEqual([true, true, true, true, true]);
  });

  it("[AT3] anything else in a report, before, between or after, refuses all of it", () => {
    const all = asked("any_event", "sgr", true);
    const refused = [
      "",
      "x",
      "\x03",
      "\r",
      "\x1b",
      "\x1b[",
      "\x1b[A",
      "\x1b[<0;1;1Mrm -rf\r",
      "x\x1b[<0;1;1M",
      "\x1b[I\r",
      "\x1b[<0;1;1",
      "\x1b[<;;M",
      "\x1b[<0;1M",
      "\x1b[<-1;1;1M",
      "\x1b[<0;1;1M\x1b[6n",
      "\x1b[200~",
      "\x1b[1;1R",
      "\x1b[?1;2c",
      "\x1b[<0;123456;1M",
      "\x1b[<0;1;1;1M",
      "\x1b[<0;1\n;1M",
    ];
    expect(refused.filter((data) => isPassed(data, all))).toEqual([]);
  });

  it("[AT3] a legacy report holds no control character", () => {
    const legacy = asked("any_event", "default");
    for (const data of [
      "\x1b[M\r!!",
      "\x1b[M !\r",
      "\x1b[M\x03!!",
      "\x1b[M ",
      "\x1b[M !",
      "\x1b[M  !",
    ])
      expect(isPassed(data, legacy)).toBe(false);
    expect(isPassed("\x1b[M \xff\xff", legacy)).toBe(true);
    expect(isPassed("\x1b[M \u0101!", legacy)).toBe(false);
  });

  it("[AT3] no passed report contains a line end or an interrupt, whatever is sent", () => {
    const piece = fc.oneof(
      fc.constantFrom("\x1b[M", "\x1b[<", "\x1b[I", "0;1;1", "M", "m", "!", " ", "\r", "\x03", ";"),
      fc.string({ unit: "binary-ascii", maxLength: 3 }),
    );
    const modes = fc.constantFrom(
      asked("any_event", "default", true),
      asked("any_event", "sgr", true),
      asked("any_event", "utf8", true),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), modes, (parts, own) => {
        const bytes = reportBytes(parts.join(""), own);
        if (bytes) expect(bytes.some((byte) => byte < 0x1b)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});
