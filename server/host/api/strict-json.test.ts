import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "./strict-json.ts";

const refusal = (text: string) => {
  const result = parseStrictJson(text);
  return result.kind === "refused" ? `${result.path}: ${result.message}` : "accepted";
};

describe("strict JSON", () => {
  it("[T57] takes every value that JSON.stringify writes, unchanged", () => {
    const shallow = fc.jsonValue({ maxDepth: 4 }).filter((value) => {
      const text = JSON.stringify(value);
      return !text.includes("__proto__") && !/\\ud[89a-f]/i.test(text);
    });
    fc.assert(
      fc.property(shallow, (value) => {
        const text = JSON.stringify(value);
        expect(parseStrictJson(text)).toEqual({ kind: "value", value: JSON.parse(text) });
      }),
      { numRuns: 500, seed: 57 },
    );
  });

  it("[T57] takes no text that JSON.parse refuses", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:\\u0 1e-nultrfs') }), (text) => {
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (!valid) expect(parseStrictJson(text).kind).toBe("refused");
      }),
      { numRuns: 5_000, seed: 57 },
    );
  });

  it.each([
    ['{"a":1,"b":{"c":1,"c":2}}', "b.c: is given twice"],
    ['{"a":1,"\\u0061":2}', "a: is given twice"],
    ['{"a":[{},{"__proto__":{"polluted":1}}]}', "a.1.__proto__: is not a known field"],
    ['{"a":["ok","\\ud800"]}', "a.1: holds half of a surrogate pair"],
    ['{"\\udc00":1}', "\udc00: holds half of a surrogate pair"],
    ["[".repeat(9), "0.0.0.0.0.0.0.0: is nested deeper than 8"],
    [`{"a":[${"1,".repeat(1_000)}1]}`, "a: has more than 1000 elements"],
    ['{"secret":"hunter2"', ": is not JSON"],
    ["NaN", ": is not JSON"],
    ["", ": is not JSON"],
  ])("[T57] refuses %.40s", (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  it("[T57] a document of 1 MiB of brackets or quotes costs less than 200 ms of processor time", () => {
    for (const unit of ["[", '"', '{"a":', '"\\"', "1,", '"a" : ', "\\", '{"a":1},']) {
      const text = unit.repeat(Math.ceil((1024 * 1024) / unit.length));
      const start = process.cpuUsage();
      parseStrictJson(text);
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1_000, unit).toBeLessThan(200);
    }
  });
});
