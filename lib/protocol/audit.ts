// One act, as the audit keeps it (AU1): append-only JSON lines, each bound to the one before by its hash.
import * as z from "zod";
import { limits } from "./limits.ts";

export const auditActs = [
  "host_start",
  "host_stop",
  "create",
  "write",
  "mouse",
  "resize",
  "signal",
  "close",
  "change",
  "attach",
  "lease",
  "access",
  "request_human",
  "credential",
  "login",
  "logout",
  "token",
  /** A look that was refused; others are not kept. */
  "look",
  /** Nothing could be written for a time, or a line was torn; `what` says what became of the acts. */
  "gap",
  /** The oldest entries were removed; `what` says up to which. */
  "retention",
] as const;
export type AuditActName = (typeof auditActs)[number];

const actorSchema = z.object({
  kind: z.enum(["human", "agent"]),
  id: z.string(),
  name: z.string(),
});

export const auditActSchema = z.object({
  act: z.enum(auditActs),
  /** null: the host itself. */
  actor: actorSchema.nullable(),
  session: z.string().nullable(),
  /** `done`, the code of the refusal, or `DISCARDED`: a Ctrl-C or the exit threw away what the program had not read. */
  outcome: z.string().max(64),
  /** What it was about, in a few words: a level of access, an action on the keyboard, a signal, a size. */
  what: z.string().max(200).optional(),
  /** Bytes typed. Absent while a password is asked for: they would tell its length. */
  bytes: z.int().optional(),
  /** What was typed, control characters visible, cut with a mark. Absent where it may be a secret, and for people's keys. */
  summary: z
    .string()
    .max(limits.auditSummaryChars + 1)
    .optional(),
  /** What was typed is left out on purpose. */
  redacted: z.literal(true).optional(),
  /** Caption of the agent. */
  note: z.string().max(limits.noteChars).optional(),
  /** The same, so many times more, since the entry like it before this one: refusals of those who try again and again. */
  times: z.int().optional(),
  /** Id of the request; null for sockets and for the host. */
  request: z.string().max(64).nullable(),
});
/** An act before it has its place in the chain. */
export type AuditAct = z.infer<typeof auditActSchema>;

export const auditEntrySchema = z.object({
  /** Place in the chain, from 0; never used again. */
  n: z.int(),
  at: z.iso.datetime(),
  ...auditActSchema.shape,
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditReplySchema = z.object({
  /** Oldest first. */
  entries: z.array(auditEntrySchema),
  /** Give it as `before` for older ones; null: there are none. */
  before: z.int().nullable(),
  /** A sentence while the audit cannot be written; acts go on. */
  warning: z.string().nullable(),
});
export type AuditReply = z.infer<typeof auditReplySchema>;

const digits = (max: number, is: string) =>
  z
    .string()
    .regex(new RegExp(`^\\d{1,${max}}$`), `is not ${is}`)
    .transform(Number);

export const auditQuerySchema = z.strictObject({
  session: z.string().max(64).optional(),
  /** Name or id of who acted. */
  actor: z.string().max(200).optional(),
  act: z.enum(auditActs).optional(),
  /** Only acts that were refused. */
  refused: z.enum(["1"]).optional(),
  /** Entries with a smaller `n` only. */
  before: digits(15, "an entry's number").optional(),
  limit: digits(3, "a number of entries").pipe(z.int().min(1).max(limits.auditPage)).optional(),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
