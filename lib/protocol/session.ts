// Sessions as the wire shows them (OP1).
import * as z from "zod/mini";
import { gridSizeSchema } from "./geometry.ts";
import { sessionIdSchema } from "./ids.ts";
import { integrationSchema } from "./integration.ts";
import {
  accessSchema,
  actingAgentSchema,
  credentialSchema,
  freeLease,
  leaseSchema,
  needSchema,
} from "./lease.ts";
import { limits } from "./limits.ts";
import { profileNameSchema } from "./profiles.ts";
import { secretSourcesSchema } from "./secrets.ts";

/** Derived activity (PH1): `idle` is a shell at its prompt, `waiting_input` a program that waits for its user. */
export const phaseSchema = z.enum(["starting", "running", "waiting_input", "idle", "exited"]);
export type Phase = z.infer<typeof phaseSchema>;

/** The one size authority of a session (SZ1, SZ2): nobody yet, the API, or a viewer by its attachment id. */
export const exitSchema = z.object({
  /** null when a signal ended the process (PT8). */
  exit_code: z.nullable(z.int()),
  /** Name such as SIGKILL; null when the process exited by itself. */
  signal: z.nullable(z.string()),
});
export type ExitStatus = z.infer<typeof exitSchema>;

export const lastCommandSchema = z.object({
  index: z.int(),
  /** One line, cut with a mark after 200 characters; null: unknown. */
  command: z.nullable(z.string()),
  running: z.boolean(),
  /** null while it runs, and when the shell told none. */
  exit_code: z.nullable(z.int()),
  started_at: z.iso.datetime(),
  duration_ms: z.nullable(z.int()),
  by: z.array(z.string()),
});
export type LastCommand = z.infer<typeof lastCommandSchema>;

export const sessionInfoSchema = z.object({
  id: sessionIdSchema,
  name: z.string(),
  pid: z.int(),
  command: z.array(z.string()),
  /** Working directory of the foreground process where the system tells, else the one given at create. */
  cwd: z.string(),
  /** Program in the foreground when it is not the session's own process (Linux); else null. */
  foreground: z.nullable(z.string()),
  cols: z.int(),
  rows: z.int(),
  title: z.string(),
  phase: phaseSchema,
  exited: z.boolean(),
  exit_code: z.nullable(z.int()),
  signal: z.nullable(z.string()),
  viewers: z.int(),
  created_at: z.iso.datetime(),
  exited_at: z.nullable(z.iso.datetime()),
  tags: z.array(z.string()),
  /** Launch profile it was started from; absent: none. */
  profile: z.optional(z.string()),
  // A host of an older version tells nothing of the following (HO7): the defaults are what was true of its sessions.
  lease: z._default(leaseSchema, freeLease),
  access: z._default(accessSchema, "collaborate"),
  /** A password is asked for; null: not that anybody knows. */
  credential: z._default(z.nullable(credentialSchema), null),
  /** Why a person is needed; the first of several reasons. */
  need: z._default(z.nullable(needSchema), null),
  /** null: no agent has done anything here. */
  agent: z._default(z.nullable(actingAgentSchema), null),
  /** Variables whose values the server keeps out of every text (SX1); names only. */
  secrets: z._default(z.array(z.string()), []),
  integration: z._default(integrationSchema, "none"),
  /** The newest command that the shell announced. */
  last_command: z._default(z.nullable(lastCommandSchema), null),
});
export type SessionInfo = z.infer<typeof sessionInfoSchema>;

/** What an agent is shown of a session that people closed to agents (AC2). */
export const sealedSessionSchema = z.strictObject({ id: sessionIdSchema, sealed: z.literal(true) });
export type SealedSession = z.infer<typeof sealedSessionSchema>;
/** An entry of a list: agents get the short form of what is sealed; people never do. */
export const listedSessionSchema = z.union([sessionInfoSchema, sealedSessionSchema]);
export type ListedSession = z.infer<typeof listedSessionSchema>;

export function isSealed(entry: ListedSession): entry is SealedSession {
  return "sealed" in entry;
}

/** What the session's machines say: the keyboard, access, passwords, needs, commands. */
export type SessionState = Pick<
  SessionInfo,
  "lease" | "access" | "credential" | "need" | "secrets" | "agent" | "integration" | "last_command"
>;

/** Of a session of which nothing of that is known. */
export const plainState: SessionState = {
  lease: freeLease,
  access: "collaborate",
  credential: null,
  need: null,
  secrets: [],
  agent: null,
  integration: "none",
  last_command: null,
};

const nameSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.nameChars));
const noNul = (text: string) => !text.includes("\0");
const tagsSchema = z
  .array(z.string().check(z.minLength(1), z.maxLength(limits.tagChars)))
  .check(z.maxLength(limits.tags));

/** Everything optional; size limits beyond the grid's (bytes of env and command) are checked by the host. */
export const createSessionSchema = z.strictObject({
  /** Name of a launch profile: its command, cwd and env, where no field says otherwise; env is merged. */
  profile: z.optional(profileNameSchema),
  command: z.optional(
    z
      .array(z.string().check(z.refine(noNul, "contains NUL")))
      .check(z.minLength(1), z.maxLength(limits.commandArgs)),
  ),
  name: z.optional(nameSchema),
  cwd: z.optional(
    z.string().check(z.minLength(1), z.maxLength(4096), z.refine(noNul, "contains NUL")),
  ),
  env: z.optional(
    z.record(
      z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is not a variable name")),
      z.string().check(z.refine(noNul, "contains NUL")),
    ),
  ),
  /** Variables whose values the server reads itself (SX1): on top of env. */
  secrets: z.optional(secretSourcesSchema),
  cols: z.optional(gridSizeSchema.shape.cols),
  rows: z.optional(gridSizeSchema.shape.rows),
  term: z.optional(
    z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9+._-]{0,63}$/, "is not a terminal type")),
  ),
  tags: z.optional(tagsSchema),
  /** What agents may do with it; only people may say so (AC1). Absent: what the profile says, else `collaborate`. */
  access: z.optional(accessSchema),
  /** Off: the shell is started without our start-up file (SI1). */
  integration: z.optional(z.enum(["auto", "off"])),
});
export type CreateSession = z.infer<typeof createSessionSchema>;

export const changeSessionSchema = z.strictObject({
  name: z.optional(nameSchema),
  tags: z.optional(tagsSchema),
});
export type ChangeSession = z.infer<typeof changeSessionSchema>;

/** Signals that a client may send (PT11). */
export const signalSchema = z.enum(["HUP", "TERM", "KILL", "INT", "QUIT", "USR1", "USR2"]);
export type SignalName = z.infer<typeof signalSchema>;
