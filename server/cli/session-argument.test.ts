import { describe, expect, it } from "vitest";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { parseSize, parseSpan } from "./arguments.ts";
import { shortIds } from "./ls.ts";
import { nearest } from "./nearest.ts";
import { pick } from "./session-argument.ts";

const session = (id: string, name: string) => ({ id, name }) as SessionInfo;

describe("which session is meant", () => {
  const all = [session("abcd2", "build"), session("abce3", "builder"), session("build7", "abc")];

  it("a whole name comes before the beginning of an id, and that before the beginning of a name", () => {
    expect(pick(all, "build").map(({ id }) => id)).toEqual(["abcd2"]);
    expect(pick(all, "buil").map(({ id }) => id)).toEqual(["build7"]);
    expect(pick(all, "Builde").map(({ id }) => id)).toEqual(["abce3"]);
    expect(pick(all, "abcd").map(({ id }) => id)).toEqual(["abcd2"]);
  });

  it("two that fit are both told, none is none, and nothing means nothing", () => {
    expect(pick(all, "abce").length + pick([...all, session("x", "build")], "build").length).toBe(
      3,
    );
    expect(pick(all, "zzz")).toEqual([]);
    expect(pick(all, "")).toEqual([]);
  });

  it("of what is sealed to the caller only the id is known", () => {
    const sealed = { id: "q234567", sealed: true } as const;
    expect(pick([sealed], "q2")).toEqual([sealed]);
    expect(pick([sealed], "undefined")).toEqual([]);
  });

  it("short ids tell all of them apart", () => {
    const [a, b] = ["aaaaaaaaaaaaab", "aaaaaaaaaaaaac"].map((id) => id.padEnd(26, "z"));
    const short = shortIds([a as string, b as string]);
    expect(new Set(short).size).toBe(2);
    expect((a as string).startsWith(short[0] as string)).toBe(true);
    expect(shortIds(["abcdefghijkl"])).toEqual(["abcdefgh"]);
  });
});

describe("what was probably meant", () => {
  it.each([
    ["wrok", "work"],
    ["bild", "build"],
    ["BUILD", "build"],
    ["zzz", undefined],
    ["", undefined],
  ])("%s -> %s", (wanted, word) => {
    expect(nearest(wanted, ["work", "build", "server"])).toBe(word);
  });
});

describe("what people write", () => {
  it.each([
    ["5", 5_000],
    ["0.5", 500],
    ["500ms", 500],
    ["10m", 600_000],
    ["24h", 86_400_000],
  ])("the time %s", (written, ms) => expect(parseSpan(written)).toBe(ms));
  it.each(["", "soon", "-1", "25h", "1d", "1e3"])("not the time %j", (written) =>
    expect(() => parseSpan(written)).toThrow(),
  );
  it("sizes", () => {
    expect(parseSize("120x40")).toEqual({ cols: 120, rows: 40 });
    expect(() => parseSize("120")).toThrow();
  });
});
