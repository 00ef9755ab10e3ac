import { afterEach, expect, it, vi } from "vitest";
import { en } from "./en.ts";
import { zhCN } from "./zh-CN.ts";

const minute = 60_000;

afterEach(() => vi.unstubAllGlobals());

it("a duration has at most two units, and seconds only while they matter", () => {
  const { duration } = en.format;
  expect(duration(-5)).toBe("0 s");
  expect(duration(59_999)).toBe("59 s");
  expect(duration(3 * minute + 12_000)).toBe("3 m 12 s");
  expect(duration(12 * minute + 40_000)).toBe("12 m");
  expect(duration(60 * minute)).toBe("1 h");
  expect(duration(26 * 60 * minute)).toBe("1 d 2 h");
  expect(zhCN.format.duration(3 * minute + 12_000)).toBe("3 分 12 秒");
  expect(zhCN.format.duration(12 * minute)).toBe("12 分钟");
  expect(zhCN.format.duration(90 * minute)).toBe("1 小时 30 分");
});

it("what is over is told to a fraction of a second", () => {
  expect(en.format.exact(40)).toBe("40 ms");
  expect(en.format.exact(1_240)).toBe("1.2 s");
  expect(zhCN.format.exact(1_240)).toBe("1.2 秒");
  expect(en.format.exact(75_000)).toBe("1 m 15 s");
});

it("an age changes slowly and is no number in the first minute", () => {
  expect(en.format.ago(59_000)).toBe("just now");
  expect(en.format.ago(61_000)).toBe("1 m ago");
  expect(en.format.ago(25 * 60 * minute)).toBe("25 h ago");
  expect(en.format.ago(49 * 60 * minute)).toBe("2 d ago");
  expect(zhCN.format.ago(59_000)).toBe("刚刚");
  expect(zhCN.format.ago(61_000)).toBe("1 分钟前");
});

it("moments are written as the page's language does, in the kind of it that the person reads", () => {
  const at = new Date(2026, 10, 5, 0, 4, 9);
  const languages = (...all: string[]) => vi.stubGlobal("navigator", { languages: all });
  languages("de-DE", "en-US");
  expect(en.format.date(at)).toBe("11/5/2026");
  // Midnight is no 24 o'clock.
  expect(en.format.time(at)).toBe("00:04:09");
  expect(en.format.moment(at, at.getTime())).toBe("00:04:09");
  expect(en.format.moment(at, at.getTime() + 48 * 60 * minute)).toBe("Nov 5, 00:04");
  languages("de-DE");
  expect(en.format.date(at)).toBe("05/11/2026");
  expect(zhCN.format.date(at)).toBe("2026/11/5");
  expect(zhCN.format.moment(at, at.getTime() + 48 * 60 * minute)).toBe("11月5日 00:04");
  expect(zhCN.format.dateTime(at)).toBe("2026年11月5日 00:04:09");
});
