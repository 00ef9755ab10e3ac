import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { type LineWriter, listAuditFiles, openAuditFile } from "./audit-files.ts";
import { AuditLog } from "./audit-log.ts";
import { HostAudit } from "./host-audit.ts";
import { readAudit } from "./read-audit.ts";
import { verifyAudit } from "./verify.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cotty-audit-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (part: Partial<AuditAct> = {}): AuditAct => ({
  act: "write",
  actor: { kind: "agent", id: "t1", name: "ada" },
  session: "s".repeat(26),
  outcome: "done",
  bytes: 3,
  summary: "ls⏎",
  request: "r1",
  ...part,
});

async function written(count: number, openFile?: typeof openAuditFile): Promise<void> {
  const log = new AuditLog({ folder, clock: systemClock, ...(openFile ? { openFile } : {}) });
  for (let n = 0; n < count; n++) log.record(write({ summary: `act ${n}` }));
  await log.close();
}

const theFile = () => listAuditFiles(folder)[0]?.path ?? "";

describe("the audit", () => {
  it("[AU1] keeps each act as a line that follows the one before, over several hosts", async () => {
    await written(3);
    await written(2);
    const { entries } = await readAudit(folder, {});
    expect(entries.map(({ n, summary }) => `${n} ${summary}`)).toEqual([
      "0 act 0",
      "1 act 1",
      "2 act 2",
      "3 act 0",
      "4 act 1",
    ]);
    const verified = await verifyAudit(folder);
    expect(verified).toMatchObject({ entries: 5, first: 0, faults: [], torn: null });
    expect(verified.head).toMatch(/^[0-9a-f]{64}$/);
  });

  it("[AU1] [T122] every flipped byte is found, and the line is named", async () => {
    await written(4);
    const text = readFileSync(theFile());
    const lineOf = (at: number) => text.subarray(0, at).toString("latin1").split("\n").length;
    for (let at = 0; at < text.length; at++) {
      const damaged = Buffer.from(text);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(theFile(), damaged);
      const { faults, torn } = await verifyAudit(folder);
      expect(faults[0]?.line, `byte ${at}`).toBe(lineOf(at));
      // A kill leaves no such thing.
      expect(torn, `byte ${at}`).toBeNull();
    }
  });

  it("[AU1] [T122] the last newline changed into anything is a fault, and stays for people to look at; the chain goes on behind it", async () => {
    await written(3);
    const whole = readFileSync(theFile());
    const cut = whole.subarray(0, -1);
    for (const end of ["\v", " ", "\0", "\r", '{"n":3', "x".repeat(300)]) {
      writeFileSync(theFile(), Buffer.concat([cut, Buffer.from(end)]));
      expect(await verifyAudit(folder), JSON.stringify(end)).toMatchObject({
        entries: 3,
        faults: [{ line: 3, reason: "its end was changed" }],
        torn: null,
      });
    }
    writeFileSync(theFile(), Buffer.concat([cut, Buffer.from("\v")]));
    await written(1);
    expect(readFileSync(theFile()).subarray(-1).toString()).toBe("\v");
    expect(listAuditFiles(folder)).toHaveLength(2);
    expect(await verifyAudit(folder)).toMatchObject({
      entries: 4,
      faults: [{ line: 3, reason: "its end was changed" }],
      torn: null,
    });
    // Only the newline is missing: so a kill may leave it.
    rmSync(listAuditFiles(folder)[1]?.path ?? "");
    writeFileSync(theFile(), cut);
    expect(await verifyAudit(folder)).toMatchObject({ entries: 2, faults: [], torn: { line: 3 } });
  });

  it("[AU1] [T122] lines that were taken out, doubled or put in another order are found", async () => {
    await written(5);
    const lines = readFileSync(theFile(), "utf8").trimEnd().split("\n");
    const faultsOf = async (changed: (string | undefined)[]) => {
      writeFileSync(theFile(), `${changed.join("\n")}\n`);
      return (await verifyAudit(folder)).faults.map(({ line }) => line);
    };
    const [a, b, c, d, e] = lines;
    expect(await faultsOf([a, b, d, e])).toEqual([3]);
    expect(await faultsOf([a, b, b, c, d, e])).toEqual([3]);
    expect((await faultsOf([a, c, b, d, e]))[0]).toBe(2);
    expect(await faultsOf([a, b, c, d, e])).toEqual([]);
  });

  it("[AU1] [T122] a head that was noted proves later that the end was not cut off", async () => {
    await written(3);
    const { head } = await verifyAudit(folder);
    await written(3);
    expect((await verifyAudit(folder, head ?? "")).hasExpected).toBe(true);
    const lines = readFileSync(theFile(), "utf8").split("\n");
    writeFileSync(theFile(), `${lines.slice(0, 2).join("\n")}\n`);
    const cut = await verifyAudit(folder, head ?? "");
    expect(cut).toMatchObject({ faults: [], hasExpected: false });
  });

  it("[AU1] [C-D3] a torn last line is reported, then cut off and noted by the next host", async () => {
    await written(3);
    appendFileSync(theFile(), '{"n":3,"at":"2026-');
    expect(await verifyAudit(folder)).toMatchObject({ faults: [], torn: { line: 4 } });
    expect((await readAudit(folder, {})).entries).toHaveLength(3);
    await written(1);
    const { entries } = await readAudit(folder, {});
    expect(entries.map(({ act }) => act)).toEqual(["write", "write", "write", "gap", "write"]);
    expect(entries[3]?.what).toContain("torn");
    expect(await verifyAudit(folder)).toMatchObject({ entries: 5, faults: [], torn: null });
  });

  it("[AU1] cut at any byte, the audit verifies up to there and goes on", async () => {
    await written(3);
    const whole = readFileSync(theFile());
    for (let size = 1; size < whole.length; size += 7) {
      writeFileSync(theFile(), whole);
      truncateSync(theFile(), size);
      expect((await verifyAudit(folder)).faults).toEqual([]);
      await written(1);
      expect(await verifyAudit(folder)).toMatchObject({ faults: [], torn: null });
    }
  });

  it("[AU1] [C-D1] while the disk refuses, acts go on with a warning, and a gap is noted when it recovers", async () => {
    const clock = new FakeClock();
    const warnings: (string | null)[] = [];
    let isFull = false;
    const openFile = async (at: string, first: number): Promise<LineWriter> => {
      const file = await openAuditFile(at, first);
      return {
        get size() {
          return file.size;
        },
        append: (text) =>
          isFull
            ? Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }))
            : file.append(text),
        close: () => file.close(),
      };
    };
    const log = new AuditLog({ folder, clock, openFile, onWarning: (text) => warnings.push(text) });
    log.record(write());
    await log.flush();
    isFull = true;
    log.record(write());
    log.record(write());
    await log.flush();
    log.record(write());
    expect(log.warning).toContain("ENOSPC");
    isFull = false;
    clock.advance(limits.auditRetryMs);
    await log.flush();
    expect(log.warning).toBeNull();
    expect(warnings).toEqual([expect.stringContaining("ENOSPC"), null]);
    await log.close();
    const { entries } = await readAudit(folder, {});
    expect(entries.map(({ act, what }) => what ?? act)).toEqual([
      "write",
      expect.stringMatching(
        /^not writable since .* \(ENOSPC\): 3 acts were kept in memory and follow, 0 are lost$/,
      ),
      "write",
      "write",
      "write",
    ]);
    expect((await verifyAudit(folder)).faults).toEqual([]);
  });

  it("[AU1] what finds no room in memory while the disk refuses is counted in the gap line", async () => {
    const clock = new FakeClock();
    let isFull = true;
    const openFile: typeof openAuditFile = (at, first) =>
      isFull
        ? Promise.reject(Object.assign(new Error("no"), { code: "EROFS" }))
        : openAuditFile(at, first);
    const log = new AuditLog({ folder, clock, openFile });
    for (let n = 0; n < limits.auditQueue + 7; n++) log.record(write());
    await log.flush();
    expect(log.warning).toContain(`EROFS); ${limits.auditQueue} acts wait in memory, 7 are lost`);
    isFull = false;
    clock.advance(limits.auditRetryMs);
    await log.close();
    const { entries } = await readAudit(folder, { act: "gap" });
    expect(entries.map(({ what }) => what)).toEqual([expect.stringContaining("7 are lost")]);
    expect(await verifyAudit(folder)).toMatchObject({ entries: limits.auditQueue + 1, faults: [] });
  });

  it("[AU1] [I7] [C-D2] an answer waits until the kernel has the line of its act, and for no disk that refuses or does not answer", async () => {
    const clock = new FakeClock();
    const held: (() => void)[] = [];
    let mode: "held" | "full" = "held";
    const openFile = async (at: string, first: number): Promise<LineWriter> => {
      const file = await openAuditFile(at, first);
      return {
        get size() {
          return file.size;
        },
        append: async (text) => {
          if (mode === "full") throw Object.assign(new Error("full"), { code: "ENOSPC" });
          await new Promise<void>((resolve) => held.push(resolve));
          await file.append(text);
        },
        close: () => file.close(),
      };
    };
    const log = new AuditLog({ folder, clock, openFile });
    const order: string[] = [];
    const answer = (name: string) => log.settled()?.then(() => order.push(name));
    expect(log.settled()).toBeNull();
    log.record(write());
    const first = answer("first");
    await vi.waitFor(() => expect(held).toHaveLength(1));
    log.record(write());
    const second = answer("second");
    expect(order).toEqual([]);
    held.shift()?.();
    await first;
    // Each waits for its own line only.
    expect(order).toEqual(["first"]);
    expect((await readAudit(folder, {})).entries).toHaveLength(1);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    clock.advance(limits.auditPatienceMs - 1);
    expect(log.warning).toBeNull();
    clock.advance(1);
    await second;
    expect(log.warning).toContain("no answer");
    log.record(write());
    expect(log.settled()).toBeNull();
    held.shift()?.();
    await vi.waitFor(() => expect(held).toHaveLength(1));
    expect(log.warning).toBeNull();
    held.shift()?.();
    await log.flush();
    mode = "full";
    log.record(write());
    await answer("refused");
    expect(order).toEqual(["first", "second", "refused"]);
    mode = "held";
    clock.advance(limits.auditRetryMs);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    held.shift()?.();
    await log.close();
    expect((await readAudit(folder, { act: "write" })).entries).toHaveLength(4);
    expect(clock.pending).toBe(0);
  });

  it("[AU1] [C-D3] a host that ended without its last line is told of by the next one, with what may be missing", async () => {
    const own = (act: "host_start" | "host_stop"): AuditAct => ({
      act,
      actor: null,
      session: null,
      outcome: "done",
      request: null,
    });
    const host = async (...acts: AuditAct[]) => {
      const audit = new HostAudit({ folder, clock: systemClock });
      await audit.noteEnd();
      for (const act of acts) audit.record(act);
      await audit.close();
      return (await readAudit(folder, { act: "gap" })).entries.map(({ what }) => what);
    };
    expect(await host(own("host_start"), write(), own("host_stop"))).toEqual([]);
    expect(await host(own("host_start"), write())).toEqual([]);
    const told = await host(own("host_start"), write(), own("host_stop"));
    expect(told).toEqual([
      expect.stringMatching(
        /^the host before ended without its last line: .* 1 s of people's typing/,
      ),
    ]);
    expect(await host(own("host_start"))).toEqual(told);
  });

  it("[AU1] half a line that a failing disk kept is healed before the next line", async () => {
    const clock = new FakeClock();
    let mode: "well" | "half" = "half";
    const openFile = async (at: string, first: number): Promise<LineWriter> => {
      const file = await openAuditFile(at, first);
      return {
        get size() {
          return file.size;
        },
        append: async (text) => {
          if (mode === "well") return file.append(text);
          // As when neither the rest can be written nor the half be taken back.
          const half = Buffer.from(text).subarray(0, text.length * 2);
          await file.append(half.subarray(0, half.lastIndexOf(0xe2) + 1).toString("latin1"));
          throw Object.assign(new Error("io"), { code: "EIO" });
        },
        close: () => file.close(),
      };
    };
    await written(2);
    const log = new AuditLog({ folder, clock, openFile });
    log.record(write({ summary: "ls⏎" }));
    await log.flush();
    mode = "well";
    clock.advance(limits.auditRetryMs);
    await log.close();
    const { entries } = await readAudit(folder, {});
    expect(entries.map(({ act }) => act)).toEqual(["write", "write", "gap", "gap", "write"]);
    expect(await verifyAudit(folder)).toMatchObject({ entries: 5, faults: [], torn: null });
  });

  it("[AU1] a line torn inside of a character is cut exactly there", async () => {
    await written(2);
    appendFileSync(theFile(), Buffer.from('{"n":2,"summary":"⏎').subarray(0, -1));
    await written(1);
    expect(await verifyAudit(folder)).toMatchObject({ entries: 4, faults: [], torn: null });
  });

  it("[AU1] no text of an act ends a line: separators of lines, returns and half characters", async () => {
    const log = new AuditLog({ folder, clock: systemClock });
    const odd = "a\u2028b\u2029c\rd\u0085e\ud800f";
    log.record(write({ summary: odd, note: odd }));
    log.record(write());
    await log.close();
    expect(await verifyAudit(folder)).toMatchObject({ entries: 2, faults: [], torn: null });
    expect((await readAudit(folder, {})).entries[0]?.summary).toBe(odd);
  });

  it("[T127] the oldest files are removed with a line that says so; files that others removed are missed", async () => {
    const bounds = { fileBytes: 2_000, files: 3 };
    const log = new AuditLog({ folder, clock: systemClock, bounds });
    for (let n = 0; n < 40; n++) {
      log.record(write());
      await log.flush();
    }
    await log.close();
    const files = listAuditFiles(folder);
    expect(files).toHaveLength(3);
    const { entries } = await readAudit(folder, { act: "retention" });
    expect(entries.at(-1)?.what).toBe(`entries before number ${files[0]?.first} are removed`);
    expect(await verifyAudit(folder)).toMatchObject({ first: files[0]?.first, faults: [] });
    rmSync(files[0]?.path ?? "");
    expect((await verifyAudit(folder)).faults).toEqual([
      { file: expect.any(String), line: 1, reason: "what came before it is gone" },
    ]);
  });

  it("[T128] a clock that is put back breaks nothing: the numbers are the order, and the chain verifies", async () => {
    let wallMs = Date.UTC(2026, 0, 1, 12);
    const clock = { ...systemClock, now: () => wallMs };
    const log = new AuditLog({ folder, clock });
    for (const move of [0, 1_000, -3_600_000, 1_000]) {
      wallMs += move;
      log.record(write());
      await log.flush();
    }
    await log.close();
    await written(1);
    expect(await verifyAudit(folder)).toMatchObject({ entries: 5, faults: [], torn: null });
    const { entries } = await readAudit(folder, { limit: 4, before: 4 });
    expect(entries.map(({ n, at }) => `${n} ${at.slice(11, 19)}`)).toEqual([
      "0 12:00:00",
      "1 12:00:01",
      "2 11:00:01",
      "3 11:00:02",
    ]);
  });

  it("[AU1] is read by session, by actor, by act, by refusal, and in pages", async () => {
    const log = new AuditLog({ folder, clock: systemClock });
    for (let n = 0; n < 30; n++) {
      log.record(
        write({ session: n % 2 ? "one" : "two", outcome: n % 3 ? "done" : "LEASE_DENIED" }),
      );
    }
    log.record(write({ act: "access", actor: { kind: "human", id: "h", name: "bo" } }));
    await log.close();
    const numbers = async (query: object) =>
      (await readAudit(folder, query)).entries.map(({ n }) => n);
    expect(await numbers({ session: "one" })).toHaveLength(15);
    expect(await numbers({ actor: "bo" })).toEqual([30]);
    expect(await numbers({ act: "access" })).toEqual([30]);
    expect(await numbers({ refused: "1", session: "two" })).toEqual([0, 6, 12, 18, 24]);
    const page = await readAudit(folder, { limit: 10 });
    expect(page.entries.map(({ n }) => n)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
    expect(await numbers({ limit: 5, before: page.before })).toEqual([16, 17, 18, 19, 20]);
  });

  it("[AU1] begins a new file when one is full, and the chain goes through both", async () => {
    const big = "x".repeat(1_900);
    const log = new AuditLog({ folder, clock: systemClock });
    for (let n = 0; n < 5_000; n++) log.record(write({ summary: big }));
    await log.close();
    expect(listAuditFiles(folder).length).toBeGreaterThan(1);
    expect(await verifyAudit(folder)).toMatchObject({ entries: 5_000, faults: [] });
    expect((await readAudit(folder, { limit: 1 })).entries[0]?.n).toBe(4_999);
  });
});
