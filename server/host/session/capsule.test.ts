import { describe, expect, it } from "vitest";
import { capsuleSchema } from "#lib/protocol/capsule.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import { capsuleOf } from "./capsule.ts";

const ids = (count: number) =>
  Array.from({ length: count }, (_, i) => String.fromCharCode(97 + (i % 26)).repeat(26));
const exited = { phase: "exited", exited: true, exit_code: 2 } as const;

describe("capsule", () => {
  it("[CP1] has one line per session: id, name, phase, how it ended, what runs, where", () => {
    const [a = "", b = "", c = ""] = ids(3);
    const capsule = capsuleOf([
      sessionInfo({ id: a, name: "build", ...exited, command: ["make", "-j8"], cwd: "/src" }),
      sessionInfo({ id: b, name: "edit", phase: "running", foreground: "vim", cwd: "/home/ada" }),
      sessionInfo({ id: c, name: "gone", ...exited, exit_code: null, signal: "SIGKILL", cwd: "/" }),
    ]);
    expect(capsule.text.split("\n")).toEqual([
      `${b} "edit" running runs="vim" in="/home/ada"`,
      `${a} "build" exited exit=2 ran="make -j8" in="/src"`,
      expect.stringMatching(/^c{26} "gone" exited signal=SIGKILL ran=".+" in="\/"$/),
      "",
    ]);
    expect(capsuleSchema.parse(capsule)).toEqual(capsule);
    expect(capsuleOf([]).text).toBe("(no sessions)\n");
  });

  it("[CP1] tells the last command and how it ended, and moves with it but not with time", () => {
    const ran = {
      index: 1,
      command: "make\u202e -j8",
      running: false,
      exit_code: 2,
      started_at: "2026-03-01T10:00:00.000Z",
      duration_ms: 5_000,
      by: ["Ada"],
    };
    const of = (last_command: SessionInfo["last_command"]) =>
      capsuleOf([sessionInfo({ last_command, cwd: "/" })]);
    const end = (last_command: SessionInfo["last_command"]) =>
      /last=.+(?= in="\/")/.exec(of(last_command).text)?.[0];
    expect(end(null)).toBeUndefined();
    expect(end(ran)).toBe('last="make -j8" last_exit=2');
    expect(end({ ...ran, running: true, exit_code: null, duration_ms: null })).toBe(
      'last="make -j8" last_exit=running',
    );
    expect(end({ ...ran, command: null, exit_code: null })).toBe("last=? last_exit=?");
    const again = { ...ran, index: 2, started_at: "2026-03-01T11:00:00.000Z", duration_ms: 7 };
    expect(of(again)).toEqual(of(ran));
    expect(of({ ...ran, exit_code: 0 }).version).not.toBe(of(ran).version);
    expect(capsuleSchema.parse(of(ran))).toEqual(of(ran));
  });

  it("[CP1] its version moves with the digest and with nothing else", () => {
    const base = sessionInfo();
    const { version } = capsuleOf([base]);
    const still: Partial<SessionInfo>[] = [
      { viewers: 9 },
      { title: "⠋ working" },
      { cols: 99, rows: 9 },
      { pid: 77 },
      { tags: ["x"] },
    ];
    for (const change of still) expect(capsuleOf([{ ...base, ...change }]).version).toBe(version);
    const moved: Partial<SessionInfo>[] = [
      { name: "other" },
      { phase: "starting" },
      { cwd: "/elsewhere" },
      { foreground: "vim" },
      exited,
    ];
    const versions = moved.map((change) => capsuleOf([{ ...base, ...change }]).version);
    expect(new Set([version, ...versions]).size).toBe(moved.length + 1);
  });

  it("[CP1] [T88] hostile names, folders and commands stay within their quotes and show what is there", () => {
    const id = "a".repeat(26);
    const hostile = [
      `x" running runs="harmless" in="/"\n${"b".repeat(26)} "fake" running`,
      "\x1b]0;title\x07\x1b[31mred\r\u0085\u2028next",
      "\u202egpj.exe\u2066\u200b\u{e0041}invisible",
      "\ud800 half",
      "y".repeat(100),
    ];
    for (const text of hostile) {
      const capsule = capsuleOf([
        sessionInfo({ id, name: text, cwd: `/${text}`, command: [text], foreground: null }),
        sessionInfo({ id: "c".repeat(26), foreground: text }),
      ]);
      const lines = capsule.text.split("\n");
      expect(lines).toHaveLength(3);
      for (const line of lines.slice(0, 2)) {
        expect(line).toMatch(
          /^[ac]{26} "(?:[^"\\]|\\["\\])*" \S+ runs="(?:[^"\\]|\\["\\])*" in="(?:[^"\\]|\\["\\])*"$/,
        );
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
      }
      expect(JSON.stringify(capsule.sessions)).not.toMatch(/\\u|[\p{Cf}\p{Zl}\p{Zp}]/u);
    }
  });

  it("[CP1] [LM] is bounded, shows what runs first, and says how many it left out", () => {
    const many = Array.from({ length: 1_000 }, (_, i) =>
      sessionInfo({
        id: "a".repeat(26),
        name: "n".repeat(limits.nameChars),
        cwd: `/${"d".repeat(4_000)}`,
        command: ["c".repeat(60_000)],
        ...(i < 950 ? exited : { phase: "running" }),
      }),
    );
    const capsule = capsuleOf(many);
    const lines = capsule.text.trimEnd().split("\n");
    expect(lines).toHaveLength(limits.capsuleSessions + 1);
    expect(lines.slice(0, 50).every((line) => line.includes(" running "))).toBe(true);
    expect(lines.at(-1)).toBe("(900 more: GET /api/v1/sessions)");
    expect(capsule).toMatchObject({ left_out: 900 });
    expect(JSON.stringify(capsule).length).toBeLessThan(80_000);
  });
});
