import { describe, expect, it } from "vitest";
import {
  parseSessionLimits,
  sessionLimitsFromJson,
  writtenSessionLimits,
} from "./session-limits.ts";

const GiB = 1024 ** 3;
const all = { processes: 512, openFiles: 1024, fileSize: 4 * GiB, memory: 8 * GiB };

describe("limits of a session's programs as they are written", () => {
  it("[T105] all of them, in any order, with units or in bytes", () => {
    expect(parseSessionLimits("processes=512,open-files=1024,file-size=4G,memory=8G")).toEqual(all);
    expect(parseSessionLimits("memory=8192m,file-size=4294967296")).toEqual({
      memory: 8 * GiB,
      fileSize: 4 * GiB,
    });
    expect(
      sessionLimitsFromJson({
        processes: 512,
        "open-files": "1024",
        "file-size": "4G",
        memory: 8 * GiB,
      }),
    ).toEqual(all);
  });

  it("[T105] none, and nothing, are no limits", () => {
    for (const written of ["", "none"]) expect(parseSessionLimits(written)).toEqual({});
    for (const value of ["none", {}]) expect(sessionLimitsFromJson(value)).toEqual({});
  });

  it("[T105] what is read is written so that it is read again", () => {
    for (const limits of [all, {}, { memory: 64 * 1024 ** 2 }])
      expect(parseSessionLimits(writtenSessionLimits(limits))).toEqual(limits);
  });

  it.each([
    ["512", /^must be processes=…,open-files=…,file-size=…,memory=… or some of them, or none$/],
    ["cpu=3", /^must be /],
    ["processes", /^must be /],
    ["processes=512,processes=3", /^names processes twice$/],
    ["processes=", /^needs processes to be a whole number from 16 to 1000000$/],
    ["processes=15", /^needs processes /],
    ["processes=1G", /^needs processes /],
    ["processes=-5", /^needs processes /],
    ["processes=1e3", /^needs processes /],
    ["open-files=3", /^needs open-files to be a whole number from 32 /],
    ["memory=63M", /^needs memory to be a whole number from 64M to 1024T$/],
    ["memory=1.5G", /^needs memory /],
    ["memory=999999999999999T", /^needs memory /],
    ["file-size=1M,", /^must be /],
  ])("[T105] %j is refused with what would be right", (written, reason) => {
    expect(() => parseSessionLimits(written)).toThrow(reason);
  });

  it.each([
    [null, /^must be an object with some of processes, open-files, file-size, memory$/],
    [[512], /^must be an object/],
    ["512", /^must be an object/],
    [{ openFiles: 5 }, /^has an unknown field "openFiles"; known are processes, open-files/],
    [{ memory: true }, /^needs memory /],
    [{ memory: 1.5e9 + 0.5 }, /^needs memory /],
  ])("[T105] %j in the file is refused with what would be right", (value, reason) => {
    expect(() => sessionLimitsFromJson(value)).toThrow(reason);
  });
});
