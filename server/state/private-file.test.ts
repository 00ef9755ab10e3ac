import {
  chmodSync,
  existsSync,
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
import {
  createPrivateFile,
  freshName,
  readPrivateFile,
  sweepFreshNames,
  writePrivateFile,
} from "./private-file.ts";

describe("private files", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cotty-file-"));
    path = join(folder, "file");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("[SE5] are 0600 whatever the mask, whole, and leave nothing beside them", () => {
    const mask = process.umask(0);
    writePrivateFile(path, "one");
    writePrivateFile(path, "two");
    process.umask(mask);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readPrivateFile(path)).toBe("two");
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("[T10C] a link planted before is replaced, never written through or read through", () => {
    const target = join(folder, "target");
    writeFileSync(target, "precious", { mode: 0o600 });
    symlinkSync(target, path);
    expect(() => readPrivateFile(path)).toThrow(/is a link/);
    expect(() => createPrivateFile(path, "evil")).toThrow(/EEXIST/);
    writePrivateFile(path, "mine");
    expect(readFileSync(target, "utf8")).toBe("precious");
    expect(readPrivateFile(path)).toBe("mine");
  });

  it("[T10C] a dangling link is not created through", () => {
    symlinkSync(join(folder, "nowhere"), path);
    expect(() => createPrivateFile(path, "evil")).toThrow(/EEXIST/);
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
  });

  it("[SE5] what a killed writer left is swept, a living one's is not", () => {
    const left = `${path}.4194303.${"0".repeat(12)}`;
    for (const name of [left, freshName(path), path, `${path}.1`]) createPrivateFile(name, "");
    sweepFreshNames(folder);
    expect(readdirSync(folder)).toHaveLength(3);
    expect(existsSync(left)).toBe(false);
  });

  it("[SE5] what others could read or have written is refused, with what to do", () => {
    writePrivateFile(path, "key");
    chmodSync(path, 0o644);
    expect(() => readPrivateFile(path)).toThrow(/chmod 600/);
    expect(() => readPrivateFile(folder)).toThrow(/is not a file/);
    expect(readPrivateFile(join(folder, "absent"))).toBeUndefined();
  });
});
