import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import { defaultCommand, resolveSpawnSpec, type SpawnDefaults } from "./spawn-spec.ts";

const folder = mkdtempSync(join(tmpdir(), "cotty-spec-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string, mode: number) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};

const defaults: SpawnDefaults = {
  sessionId: "s".repeat(26),
  url: "http://127.0.0.1:7070",
  environment: { PATH: "/usr/bin:/bin", HOME: folder, SHELL: "/bin/sh" },
};
const resolved = (request: CreateSession, more: Partial<SpawnDefaults> = {}) =>
  resolveSpawnSpec(request, { ...defaults, ...more });

function refusal(request: CreateSession, more: Partial<SpawnDefaults> = {}): string {
  try {
    resolved(request, more);
  } catch (error) {
    if (error instanceof TermError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "accepted";
}

describe("what to start", () => {
  it("resolves an empty request to the user's shell at home, 80 by 24", () => {
    expect(resolved({})).toMatchObject({
      file: "/bin/sh",
      args: [],
      cwd: folder,
      size: { cols: 80, rows: 24 },
      term: "xterm-256color",
    });
  });

  it("[PT7] [B008] refuses a directory that is missing, a file, or closed to everybody, by its path", () => {
    const closed = join(folder, "closed");
    mkdirSync(closed, { mode: 0o700 });
    chmodSync(closed, 0o600);
    const plain = file("plain", "", 0o644);
    expect(refusal({ cwd: "/no/such/dir" })).toBe(
      "BAD_CWD: the directory /no/such/dir does not exist",
    );
    expect(refusal({ cwd: plain })).toBe(`BAD_CWD: the directory ${plain} is not a directory`);
    expect(refusal({ cwd: closed })).toBe(`BAD_CWD: the directory ${closed} may not be entered`);
    expect(refusal({ cwd: "../../etc" })).toContain("BAD_CWD: cwd must be an absolute path");
    expect(refusal({ cwd: "/tmp\0/etc" })).toContain("BAD_CWD");
    expect(refusal({ cwd: `/${"a".repeat(4_000)}` })).toContain("BAD_CWD");
    chmodSync(closed, 0o700);
    expect(resolved({ cwd: closed }).cwd).toBe(closed);
    rmSync(closed, { recursive: true });
    expect(refusal({ cwd: closed })).toContain("does not exist");
    expect(resolved({ cwd: "~" }).cwd).toBe(folder);
  });

  it("[PT7] [B007] refuses a command that cannot be executed, by name and reason", () => {
    const plain = file("script", "#!/bin/sh\n", 0o644);
    const orphan = file("orphan", "#!/no/such/interpreter -x\n", 0o755);
    const reason = (command: string[]) => refusal({ command });
    expect(reason(["/no/such/program"])).toContain("/no/such/program does not exist");
    expect(reason([plain])).toContain(`${plain} is not executable`);
    expect(reason([folder])).toContain(`${folder} is a directory`);
    expect(reason([orphan])).toContain("/no/such/interpreter, that does not exist");
    expect(reason(["nosuchprogram"])).toContain("nosuchprogram was not found in PATH");
    expect(reason(["/dev/null"])).toContain("/dev/null is not a regular file");
    expect(reason([""])).toContain("names no program");
    for (const command of [["/no/such/program"], [plain], [folder], [orphan], ["nosuchprogram"]])
      expect(reason(command)).toMatch(/^BAD_COMMAND: /);
  });

  it("[T104] takes the command as words, never as shell text", () => {
    expect(refusal({ command: ["sh;id"] })).toContain("BAD_COMMAND: ");
    expect(refusal({ command: ["sh", "a\0b"] })).toContain("NUL");
    expect(resolved({ command: ["echo", "$(id)", "; id"] }).args).toEqual(["$(id)", "; id"]);
  });

  it("[PT7] looks the command up on the PATH that the session will have, and against its directory", () => {
    mkdirSync(join(folder, "bin"));
    file("bin/tool", "#!/bin/sh\n", 0o755);
    expect(refusal({ command: ["tool"] })).toContain("not found");
    expect(resolved({ command: ["tool"], env: { PATH: join(folder, "bin") } }).file).toBe(
      join(folder, "bin/tool"),
    );
    expect(resolved({ command: ["./tool"], cwd: join(folder, "bin") }).file).toBe(
      join(folder, "bin/tool"),
    );
  });

  it("[PT7] refuses sizes that are not whole numbers within the limits, by value", () => {
    const { cols, rows } = limits;
    const bad: [CreateSession, string][] = [
      [{ cols: 0 }, "not 0"],
      [{ cols: 80.5 }, "not 80.5"],
      [{ cols: -1 }, "not -1"],
      [{ cols: cols.max + 1 }, `not ${cols.max + 1}`],
      [{ rows: rows.max + 1 }, `not ${rows.max + 1}`],
      [{ rows: 65_536 + 24 }, "not 65560"],
      [{ rows: Number.NaN }, "not NaN"],
    ];
    for (const [request, value] of bad) expect(refusal(request)).toMatch(`${value}`);
    for (const [request] of bad) expect(refusal(request)).toMatch(/^BAD_SIZE: /);
    expect(resolved({ cols: cols.max, rows: rows.max }).size).toEqual({
      cols: cols.max,
      rows: rows.max,
    });
  });

  it("[T104] keeps the directory inside the allowed roots, links followed", () => {
    const inside = join(folder, "inside");
    mkdirSync(inside);
    symlinkSync("/etc", join(inside, "out"));
    const roots = [inside];
    expect(resolved({ cwd: inside }, { roots }).cwd).toBe(inside);
    expect(refusal({ cwd: "/etc" }, { roots })).toContain("outside the allowed roots");
    expect(refusal({ cwd: `${inside}/../..` }, { roots })).toContain("outside the allowed roots");
    expect(refusal({ cwd: join(inside, "out") }, { roots })).toContain("outside the allowed roots");
    expect(refusal({ cwd: `${inside}x` }, { roots })).toContain("BAD_CWD");
  });

  it("[LM] refuses commands and environments beyond their limits", () => {
    const words = (count: number) => ["echo", ...Array.from({ length: count - 1 }, () => "x")];
    expect(resolved({ command: words(limits.commandArgs) }).args).toHaveLength(
      limits.commandArgs - 1,
    );
    expect(refusal({ command: words(limits.commandArgs + 1) })).toMatch(/^BAD_COMMAND/);
    expect(refusal({ command: ["echo", "x".repeat(limits.commandBytes)] })).toMatch(/^BAD_COMMAND/);
    expect(refusal({ env: { BIG: "x".repeat(limits.envBytes) } })).toMatch(/^BAD_REQUEST: env has/);
    const many = Object.fromEntries(
      Array.from({ length: limits.envEntries + 1 }, (_, index) => [`V${index}`, "x"]),
    );
    expect(refusal({ env: many })).toMatch(/^BAD_REQUEST: env has/);
    expect(refusal({ env: { A: "x\0PATH=/tmp" } })).toMatch(/^BAD_REQUEST/);
  });

  it("takes $SHELL, else the user's shell, else /bin/sh, the first that can be executed", () => {
    expect(defaultCommand({ SHELL: "/usr/bin/env" })).toEqual(["/usr/bin/env"]);
    const [fallback] = defaultCommand({ SHELL: "/no/such/shell" });
    expect(fallback).toMatch(/^\/.*sh$/);
    expect(defaultCommand({})).toEqual([fallback]);
  });
});
