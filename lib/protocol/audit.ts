// One act, as the audit keeps it (AU1): append-only JSON lines, each bound to the one before by its hash.
import * as z from "zod/mini";
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
  actor: z.nullable(actorSchema),
  session: z.nullable(z.string()),
  /** `done`, the code of the refusal, or `DISCARDED`: a Ctrl-C or the exit threw away what the program had not read. */
  outcome: z.string().check(z.maxLength(64)),
  /** What it was about, in a few words: a level of access, an action on the keyboard, a signal, a size. */
  what: z.optional(z.string().check(z.maxLength(200))),
  /** Bytes typed. Absent while a password is asked for: they would tell its length. */
  bytes: z.optional(z.int()),
  /** What was typed, control characters visible, cut with a mark. Absent where it may be a secret, and for people's keys. */
  summary: z.optional(z.string().check(z.maxLength(limits.auditSummaryChars + 1))),
  /** What was typed is left out on purpose. */
  redacted: z.optional(z.literal(true)),
  /** Caption of the agent. */
  note: z.optional(z.string().check(z.maxLength(limits.noteChars))),
  /** The same, so many times more, since the entry like it before this one: refusals of those who try again and again. */
  times: z.optional(z.int()),
  /** Id of the request; null for sockets and for the host. */
  request: z.nullable(z.string().check(z.maxLength(64))),
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
  before: z.nullable(z.int()),
  /** A sentence while the audit cannot be written; acts go on. */
  warning: z.nullable(z.string()),
});
export type AuditReply = z.infer<typeof auditReplySchema>;

const digits = (max: number, is: string) =>
  z.pipe(
    z.string().check(z.regex(new RegExp(`^\\d{1,${max}}$`), `is not ${is}`)),
    z.transform(Number),
  );

export const auditQuerySchema = z.strictObject({
  session: z.optional(z.string().check(z.maxLength(64))),
  /** Name or id of who acted. */
  actor: z.optional(z.string().check(z.maxLength(200))),
  act: z.optional(z.enum(auditActs)),
  /** Only acts that were refused. */
  refused: z.optional(z.enum(["1"])),
  /** Entries with a smaller `n` only. */
  before: z.optional(digits(15, "an entry's number")),
  limit: z.optional(
    z.pipe(
      digits(3, "a number of entries"),
      z.int().check(z.minimum(1), z.maximum(limits.auditPage)),
    ),
  ),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
