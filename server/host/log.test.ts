import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openHostLog } from "./log.ts";

describe("host log", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cotty-log-"));
    path = join(folder, "host.log");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("[SE5] is private and made of JSON lines", () => {
    openHostLog(path, "info").info({ session: "x" }, "hello");
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ session: "x", msg: "hello" });
  });

  it("holds no token and no control character, wherever they came from", () => {
    const log = openHostLog(path, "info");
    log.info(
      { key: "K3Y-SECRET", a: { token: "T0K-SECRET" }, text: "\u001b[31m\u009b2J\u202etxt\u0007" },
      "sent cot_agt_AbC123-_x and cot_own_zzz",
    );
    const text = readFileSync(path, "utf8");
    expect(text).not.toMatch(/SECRET|AbC123|zzz/);
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(text).text).toBe("\u001b[31m\u009b2J\u202etxt\u0007");
  });

  it("stays small: two files of 4 MiB at most", () => {
    const log = openHostLog(path, "info");
    const line = "x".repeat(64 * 1024);
    for (let i = 0; i < 300; i += 1) log.info({ i }, line);
    expect(readdirSync(folder).sort()).toEqual(["host.log", "host.log.1"]);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).size).toBeLessThan(4.2 * 1024 * 1024);
    }
    expect(readFileSync(path, "utf8").trim().split("\n").at(-1)).toContain('"i":299');
  });

  it("[T10C] is not opened through a link", () => {
    const target = join(folder, "target");
    writeFileSync(target, "");
    symlinkSync(target, path);
    expect(() => openHostLog(path, "info")).toThrow(/ELOOP/);
  });
});
