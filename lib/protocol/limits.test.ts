// Bounds that a schema holds: each takes what is just within and refuses one more. Those that a running part holds are crossed beside it.
import { describe, expect, it } from "vitest";
import type { ZodMiniType } from "zod/mini";
import { clientMessageSchema } from "./attach.ts";
import { auditActSchema, auditQuerySchema } from "./audit.ts";
import { eventIdSchema } from "./events.ts";
import { gridSizeSchema } from "./geometry.ts";
import { inputSchema } from "./input.ts";
import { commandsQuerySchema, outputQuerySchema } from "./journal.ts";
import { requestHumanSchema } from "./lease.ts";
import { limits } from "./limits.ts";
import { secretSourcesSchema } from "./secrets.ts";
import { createSessionSchema } from "./session.ts";
import { createTokenSchema } from "./tokens.ts";
import { actSchema, waitManySchema, waitSchema, writeSchema } from "./wait.ts";
import { writesQuerySchema } from "./writes.ts";

const text = (length: number) => "x".repeat(length);
const list = <T>(length: number, one: T): T[] => Array.from({ length }, () => one);
const secrets = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`S${at}`, { env: "X" }]));
const auditAct = { act: "write", actor: null, session: null, outcome: "done", request: null };

type Most = [name: string, schema: ZodMiniType, most: number, of: (size: number) => unknown];
const most: Most[] = [
  ["cols", gridSizeSchema, limits.cols.max, (cols) => ({ cols, rows: 24 })],
  ["rows", gridSizeSchema, limits.rows.max, (rows) => ({ cols: 80, rows })],
  ["inputItems", inputSchema, limits.inputItems, (n) => ({ input: list(n, { text: "x" }) })],
  [
    "inputGapMs",
    inputSchema,
    limits.inputGapMs.max,
    (gap_ms) => ({ input: [{ text: "x" }], gap_ms }),
  ],
  ["eventIdChars", eventIdSchema, limits.eventIdChars, text],
  ["nameChars", createSessionSchema, limits.nameChars, (n) => ({ name: text(n) })],
  [
    "nameChars of a token",
    createTokenSchema,
    limits.nameChars,
    (n) => ({ name: text(n), role: "agent" }),
  ],
  ["tags", createSessionSchema, limits.tags, (n) => ({ tags: list(n, "x") })],
  ["tagChars", createSessionSchema, limits.tagChars, (n) => ({ tags: [text(n)] })],
  ["commandArgs", createSessionSchema, limits.commandArgs, (n) => ({ command: list(n, "x") })],
  [
    "tokenMs",
    createTokenSchema,
    limits.tokenMs.max,
    (ms) => ({ name: "x", role: "agent", expires_in_ms: ms }),
  ],
  ["secrets", secretSourcesSchema, limits.secrets, secrets],
  [
    "secretCommandWords",
    secretSourcesSchema,
    limits.secretCommandWords,
    (n) => ({ A: { command: list(n, "x") } }),
  ],
  [
    "typedSecretChars",
    clientMessageSchema,
    limits.typedSecretChars,
    (n) => ({ type: "secret", text: text(n) }),
  ],
  ["waitMs", waitSchema, limits.waitMs.max, (timeout_ms) => ({ timeout_ms })],
  ["waitMs of silence", waitSchema, limits.waitMs.max, (quiet_ms) => ({ for: [{ quiet_ms }] })],
  [
    "waitMs of the screen",
    waitSchema,
    limits.waitMs.max,
    (ms) => ({ for: [{ screen_stable_ms: ms }] }),
  ],
  ["waitConditions", waitSchema, limits.waitConditions, (n) => ({ for: list(n, { exit: true }) })],
  ["waitTextChars", waitSchema, limits.waitTextChars, (n) => ({ for: [{ text: text(n) }] })],
  ["waitRegexChars", waitSchema, limits.waitRegexChars, (n) => ({ for: [{ regex: text(n) }] })],
  ["outputBytes of a wait", waitSchema, limits.outputBytes.max, (max_bytes) => ({ max_bytes })],
  ["outputBytes", outputQuerySchema, limits.outputBytes.max, (n) => ({ max_bytes: String(n) })],
  ["waitSessions", waitManySchema, limits.waitSessions, (n) => ({ sessions: list(n, "x") })],
  [
    "waitGenerationChars",
    waitManySchema,
    limits.waitGenerationChars,
    (n) => ({ generation: text(n) }),
  ],
  ["noteChars", writeSchema, limits.noteChars, (n) => ({ input: [{ text: "x" }], note: text(n) })],
  [
    "noteChars of act",
    actSchema,
    limits.noteChars,
    (n) => ({ input: [{ text: "x" }], note: text(n) }),
  ],
  [
    "noteChars in the audit",
    auditActSchema,
    limits.noteChars,
    (n) => ({ ...auditAct, note: text(n) }),
  ],
  ["needChars", requestHumanSchema, limits.needChars, (n) => ({ reason: text(n) })],
  [
    "journalRecords listed",
    commandsQuerySchema,
    limits.journalRecords,
    (n) => ({ limit: String(n) }),
  ],
  ["auditPage", auditQuerySchema, limits.auditPage, (n) => ({ limit: String(n) })],
  // The mark of the cut is a character of its own.
  [
    "auditSummaryChars",
    auditActSchema,
    limits.auditSummaryChars + 1,
    (n) => ({ ...auditAct, summary: text(n) }),
  ],
  ["writes listed", writesQuerySchema, limits.writes.kept, (n) => ({ limit: String(n) })],
];

const least: Most[] = [
  ["cols", gridSizeSchema, limits.cols.min, (cols) => ({ cols, rows: 24 })],
  ["rows", gridSizeSchema, limits.rows.min, (rows) => ({ cols: 80, rows })],
  [
    "tokenMs",
    createTokenSchema,
    limits.tokenMs.min,
    (ms) => ({ name: "x", role: "agent", expires_in_ms: ms }),
  ],
  ["outputBytes", outputQuerySchema, limits.outputBytes.min, (n) => ({ max_bytes: String(n) })],
  ["outputBytes of a wait", waitSchema, limits.outputBytes.min, (max_bytes) => ({ max_bytes })],
];

describe("limits that the schemas hold", () => {
  it.each(most)("[LM] %s: the most is taken, one more is not", (_name, schema, size, of) => {
    expect(schema.safeParse(of(size)).error).toBeUndefined();
    expect(schema.safeParse(of(size + 1)).success).toBe(false);
  });

  it.each(least)("[LM] %s: the least is taken, one less is not", (_name, schema, size, of) => {
    expect(schema.safeParse(of(size)).error).toBeUndefined();
    expect(schema.safeParse(of(size - 1)).success).toBe(false);
  });
});
