import { spawn } from "node:child_process";
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundledProgram } from "#server/testing/bundled-program.ts";
import { isRunning, ownIdentity, processStartTime } from "./process-identity.ts";
import { takeLock } from "./process-lock.ts";

describe("process lock", () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cotty-lock-"));
    path = join(folder, "host.lock");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function taken() {
    const result = takeLock(path);
    if (result.kind !== "taken") throw new Error(`held by ${result.holder.pid}`);
    return result.lock;
  }

  it("[HO2] one taker holds it, the next learns who does, and after release it is free", () => {
    const lock = taken();
    expect(takeLock(path)).toEqual({ kind: "held", holder: ownIdentity() });
    expect(lock.isMine()).toBe(true);
    lock.release();
    taken().release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ["of a process that is gone", JSON.stringify({ pid: 4_194_303, startTime: 1 })],
    ["of a recycled pid", JSON.stringify({ pid: process.pid, startTime: 1 })],
    ["that is empty", ""],
    ["that is no JSON", "12345\n"],
    ["that names no process", "{}"],
  ])("[HO2] a lock %s is replaced", (_name, text) => {
    writeFileSync(path, text, { mode: 0o600 });
    const lock = taken();
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject(ownIdentity());
    lock.release();
  });

  it("[HO2] a late release leaves the successor's lock alone", () => {
    const lock = taken();
    rmSync(path);
    const successor = taken();
    expect(lock.isMine()).toBe(false);
    lock.release();
    expect(successor.isMine()).toBe(true);
    successor.release();
  });

  it("[T10C] a link in the lock's place is not followed", () => {
    const target = join(folder, "elsewhere");
    writeFileSync(target, "precious", { mode: 0o600 });
    symlinkSync(target, path);
    expect(() => takeLock(path)).toThrow(/is a link/);
    expect(readFileSync(target, "utf8")).toBe("precious");
  });

  it("[HO2] of 12 processes that race for a stale lock exactly one takes it", async () => {
    writeFileSync(path, JSON.stringify({ pid: process.pid, startTime: 1 }), { mode: 0o600 });
    const program = await bundledProgram({
      script: `
      import { takeLock } from "./server/state/process-lock.ts";
      process.stdin.once("data", () => {
        const result = takeLock(${JSON.stringify(path)});
        console.log(result.kind === "taken" && result.lock.isMine() ? "taken" : "held");
        process.stdin.once("data", () => process.exit(0));
      });
      console.log("ready");`,
    });
    const children = Array.from({ length: 12 }, () => {
      const child = spawn(process.execPath, [program.path], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      let text = "";
      const waiting: (() => void)[] = [];
      child.stdout.on("data", (chunk) => {
        text += chunk;
        for (const check of waiting) check();
      });
      const lines = (count: number) =>
        new Promise<string[]>((resolve) => {
          const check = () => {
            const all = text.split("\n").slice(0, -1);
            if (all.length >= count) resolve(all);
          };
          waiting.push(check);
          check();
        });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      return { child, lines, ended };
    });
    await Promise.all(children.map(({ lines }) => lines(1)));
    for (const { child } of children) child.stdin.write("go\n");
    const answers = await Promise.all(children.map(async ({ lines }) => (await lines(2))[1]));
    for (const { child } of children) child.stdin.write("end\n");
    await Promise.all(children.map(({ ended }) => ended));
    program.dispose();
    expect(answers.filter((answer) => answer === "taken")).toHaveLength(1);
  });

  it("[HO2] a process is itself, and a zombie or a free pid is none", () => {
    expect(isRunning(ownIdentity())).toBe(true);
    expect(processStartTime(4_194_303)).toBeUndefined();
    expect(processStartTime(-1)).toBeUndefined();
  });
});
