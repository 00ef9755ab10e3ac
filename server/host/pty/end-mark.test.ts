import { describe, expect, it } from "vitest";
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import { EndMark } from "./end-mark.ts";

describe("the mark at the end of the output", () => {
  it("[PT3] is found at every split, and passes every byte before it", () => {
    for (let split = 1; split < 60; split++) {
      const mark = new EndMark();
      // Ends in the mark's own first bytes: the worst place for a search.
      const output = concatBytes([utf8("output"), mark.bytes.slice(0, 7)]);
      const stream = concatBytes([output, mark.bytes]);
      const passed: Uint8Array[] = [];
      let isDone = false;
      for (let at = 0; at < stream.length && !isDone; at += split) {
        const result = mark.push(stream.slice(at, at + split));
        passed.push(result.bytes);
        isDone = result.isDone;
      }
      expect(isDone).toBe(true);
      expect(concatBytes(passed)).toEqual(output);
    }
  });

  it("[PT3] what looked like a beginning of it is given back when nothing more comes", () => {
    const mark = new EndMark();
    const output = concatBytes([utf8("tail"), mark.bytes.slice(0, 11)]);
    const { bytes, isDone } = mark.push(output);
    expect(isDone).toBe(false);
    expect(concatBytes([bytes, mark.flush()])).toEqual(output);
  });

  it("[PT10] a flood ends the wait after more than the kernel can hold", () => {
    const mark = new EndMark();
    const flood = new Uint8Array(4_096).fill(121);
    let pushes = 0;
    while (!mark.push(flood).isDone) pushes += 1;
    expect(pushes).toBe(64);
  });

  it("is another one each time", () => {
    expect(new EndMark().bytes).not.toEqual(new EndMark().bytes);
  });
});
