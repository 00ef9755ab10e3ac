import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { type Marker, parseMarker } from "./osc-marker.ts";

const of133 = (payload: string) => parseMarker(133, payload);
const of633 = (payload: string) => parseMarker(633, payload);

describe("parseMarker", () => {
  it("[JR1] reads A, B, C and D of both dialects, with whatever parameters follow", () => {
    for (const [osc, dialect] of [
      [133, "osc133"],
      [633, "osc633"],
    ] as const) {
      for (const more of ["", ";", ";cl=m;aid=1", ";redraw=0", ";k=i", ";;;"]) {
        expect(parseMarker(osc, `A${more}`)).toEqual({ kind: "prompt", dialect });
        expect(parseMarker(osc, `B${more}`)).toEqual({ kind: "input", dialect });
        expect(parseMarker(osc, `C${more}`)).toEqual({
          kind: "output",
          dialect,
          commandLine: null,
        });
        expect(parseMarker(osc, `D${more}`)).toEqual({ kind: "done", dialect, status: null });
      }
    }
  });

  it("[JR1] a letter followed by anything else, and every other letter, is not ours", () => {
    const others = [
      "",
      ";",
      "Abc",
      "A:",
      "A ;",
      "BB",
      "C=1",
      "D0",
      "P;k=i",
      "L",
      "N",
      "F",
      "a",
      ";A",
    ];
    for (const payload of others) {
      expect(of133(payload), payload).toBeNull();
      expect(of633(payload), payload).toBeNull();
    }
    expect(of133("E;ls")).toBeNull();
    expect(of133("P;Cwd=/tmp")).toBeNull();
  });

  it("[JR1] continuation and right-hand prompts are no new prompt", () => {
    for (const kind of ["s", "c", "r"]) expect(of133(`A;k=${kind}`)).toBeNull();
    expect(of133("A;cl=line;k=s;aid=7")).toBeNull();
  });

  it("[JR1] D has a status only where a number stands", () => {
    const status = (payload: string) =>
      (of133(payload) as Extract<Marker, { kind: "done" }>).status;
    const cases: [string, number | null][] = [
      ["D", null],
      ["D;", null],
      ["D;0", 0],
      ["D;130", 130],
      ["D;-1", -1],
      ["D;0;aid=1", 0],
      ["D;;err=CANCEL", null],
      ["D;aid=1", null],
      ["D;12x", null],
      ["D; 1", null],
      ["D;1e3", null],
      ["D;99999999999999999999", null],
      ["D;NaN", null],
    ];
    for (const [payload, expected] of cases) expect(status(payload), payload).toBe(expected);
  });

  it("[JR1] 633;E: the line with its escapes undone, and the last field as nonce", () => {
    const line = (text: string, nonce: string | null = null) => ({
      kind: "command_line",
      text,
      nonce,
    });
    const cases: [string, ReturnType<typeof line>][] = [
      ["E;ls", line("ls")],
      ["E;ls;", line("ls")],
      ["E;ls;c0ffee-1", line("ls", "c0ffee-1")],
      ["E;echo a\\x3b echo b;n1", line("echo a; echo b", "n1")],
      ["E;a\\x0ab\\x0Ac;n", line("a\nb\nc", "n")],
      ["E;\\\\x41 \\\\\\x41;n", line("\\x41 \\A", "n")],
      ["E;half \\x4 \\xzz \\;n", line("half \\x4 \\xzz \\", "n")],
      ["E;\\xc3\\xa9t\u00e9;n", line("\u00e9t\u00e9", "n")],
      ["E;for x in a; do echo $x; done", line("for x in a; do echo $x; done")],
      ["E;a; b c", line("a; b c")],
      ["E", line("")],
      ["E;", line("")],
      ["E;;n", line("", "n")],
      ["E;\u{1f600}\u202e;n", line("\u{1f600}\u202e", "n")],
    ];
    for (const [payload, expected] of cases) {
      expect(of633(payload), payload).toEqual(expected);
    }
  });

  it("[JR3] kitty's and fish's command lines in C", () => {
    const line = (payload: string) =>
      (of133(payload) as Extract<Marker, { kind: "output" }>).commandLine;
    const cases: [string, string][] = [
      ["C;cmdline_url=ls%20-l%3B%20true", "ls -l; true"],
      ["C;cmdline_url=%C3%A9%0A%25;aid=1", "\u00e9\n%"],
      ["C;cmdline_url=100%", "100%"],
      ["C;aid=1;cmdline_url=ls", "ls"],
      ["C;cmdline_url=", ""],
      ["C;cmdline=ls", "ls"],
      ["C;cmdline=ls\\ -l\\;\\ true", "ls -l; true"],
      ["C;cmdline='a b; c'", "a b; c"],
      [`C;cmdline="a \\"b\\" \\$c \\d"`, 'a "b" $c \\d'],
      ["C;cmdline=$'a\\nb\\t\\'q\\' \\x41\\101\\u00e9\\303\\251'", "a\nb\t'q' AA\u00e9\u00e9"],
      ["C;cmdline='it'\\''s'", "it's"],
      ["C;cmdline='unclosed", "unclosed"],
      ["C;cmdline=end\\", "end\\"],
      ["C;cmdline=$'\\U7fffffff'", "\ufffd"],
      ["C;cmdline=$'\\ud800\\xff\\xe2\\x82'x", "\ufffd\ufffd\ufffdx"],
    ];
    for (const [payload, expected] of cases) expect(line(payload), payload).toBe(expected);
  });

  it("[JR2] directories from OSC 7 and 633;P, with the machine that they are on", () => {
    const cwd = (path: string, host: string | null = null) => ({ kind: "cwd", path, host });
    expect(parseMarker(7, "file:///home/ada")).toEqual(cwd("/home/ada"));
    expect(parseMarker(7, "file://Far.example/a%20b%C3%A9%3B")).toEqual(
      cwd("/a b\u00e9;", "far.example"),
    );
    expect(parseMarker(7, "kitty-shell-cwd://box/a%20b")).toEqual(cwd("/a%20b", "box"));
    expect(of633("P;Cwd=/a\\x3bb\\\\c")).toEqual(cwd("/a;b\\c"));
    for (const url of ["", "/tmp", "file://host", "file:/tmp", "https://host/tmp", "file:///"]) {
      expect(parseMarker(7, url), url).toEqual(url === "file:///" ? cwd("/") : null);
    }
    for (const property of ["P;", "P", "P;Cwd=", "P;Cwd=C:\\\\x", "P;IsWindows=True", "P;cwd=/x"]) {
      expect(of633(property), property).toBeNull();
    }
  });

  it("[JR1] payloads over 512 bytes are not ours; command lines and directories may have 8 KiB", () => {
    const padded = (head: string, bytes: number) => head + "x".repeat(bytes - head.length);
    for (const head of ["A;", "B;", "D;", "C;"]) {
      expect(of133(padded(head, limits.markerBytes)), head).not.toBeNull();
      expect(of133(padded(head, limits.markerBytes + 3)), head).toBeNull();
    }
    const { commandMarkerBytes } = limits;
    for (const head of ["E;", "P;Cwd=/"]) {
      expect(of633(padded(head, commandMarkerBytes)), head).not.toBeNull();
      expect(of633(padded(head, commandMarkerBytes + 1)), head).toBeNull();
    }
    expect(parseMarker(7, padded("file:///", commandMarkerBytes + 1))).toBeNull();
    // Bytes, not characters.
    expect(of633(`E;${"\u00e9".repeat(commandMarkerBytes / 2)}`)).toBeNull();
    expect(of133(`A;${"\u20ac".repeat(171)}`)).toBeNull();
    // A command that runs is not missed because its line is long.
    expect(of133(padded("C;cmdline_url=", 60_000))).toEqual({
      kind: "output",
      dialect: "osc133",
      commandLine: null,
    });
  });

  it("[JR1] any payload is a marker or none, at once, and its texts are no longer than it", () => {
    const unit = fc.constantFrom(
      ..."\\\\\\'\"$;%=xuUcn019aE\n",
      "cmdline=",
      "$'",
      "C;",
      "\u00e9",
      "\u{1f600}",
      "\ud800",
    );
    const heads = fc.constantFrom(
      "",
      "A",
      "C;cmdline=",
      "C;cmdline_url=",
      "D;",
      "E;",
      "P;Cwd=/",
      "file://",
    );
    const payload = fc.tuple(heads, fc.string({ unit, maxLength: 8_000, size: "max" }));
    fc.assert(
      fc.property(payload, fc.constantFrom(7, 133, 633), ([head, rest], number) => {
        const marker = parseMarker(number as 7 | 133 | 633, head + rest);
        const { text, path, commandLine } = { ...marker } as Record<string, string | undefined>;
        for (const one of [text, path, commandLine])
          expect(one?.length ?? 0).toBeLessThanOrEqual(rest.length + 1);
      }),
      { seed: 4, numRuns: 300, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: true },
    );
  });
});
