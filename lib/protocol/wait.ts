// Waiting (WT1-WT8): what to wait for, and the verdict with its evidence. `act` is type, wait and read in one call (OP7).
import * as z from "zod";
import { cursorSchema, sinceSchema } from "./cursor.ts";
import { inputSchema } from "./input.ts";
import { commandRecordSchema, outputReplySchema } from "./journal.ts";
import { handoverSchema } from "./lease.ts";
import { limits } from "./limits.ts";
import { screenReplySchema } from "./screen.ts";
import { phaseSchema } from "./session.ts";

export const conditionSchema = z.union([
  /** Literal, in output after the cursor; a partial last line counts (WT3), the echo of what was typed does not (WT2). */
  z.strictObject({ text: z.string().min(1).max(limits.waitTextChars) }),
  /** JavaScript's syntax, `m` and `u` flags; judged off the main thread within 50 ms. */
  z.strictObject({ regex: z.string().min(1).max(limits.waitRegexChars) }),
  /** The command that runs, or the next one, has ended. */
  z.strictObject({ command_done: z.literal(true) }),
  /** The shell shows a prompt. */
  z.strictObject({ prompt: z.literal(true) }),
  z.strictObject({ phase: phaseSchema }),
  /** Nothing was printed for so long. */
  z.strictObject({ quiet_ms: z.int().min(1).max(limits.waitMs.max) }),
  /** The screen looked the same for so long; a spinner that comes round again counts as change. */
  z.strictObject({ screen_stable_ms: z.int().min(1).max(limits.waitMs.max) }),
  z.strictObject({ exit: z.literal(true) }),
  /** An agent may type: no person holds the keyboard. */
  z.strictObject({ keyboard: z.literal(true) }),
]);
export type WaitCondition = z.infer<typeof conditionSchema>;

export const waitSchema = z.strictObject({
  /** Any of them. Absent: the command is done, or the session waits for input, or it settled. */
  for: z.array(conditionSchema).min(1).max(limits.waitConditions).optional(),
  timeout_ms: z.int().min(0).max(limits.waitMs.max).optional(),
  /** Only what is printed after it counts; absent: now. */
  since: sinceSchema.optional(),
  /** Stay pending while a person answers a password prompt, and go on afterwards (CR2). */
  through_credential: z.boolean().optional(),
  max_bytes: z.int().min(limits.outputBytes.min).max(limits.outputBytes.max).optional(),
});
export type WaitRequest = z.infer<typeof waitSchema>;

/** In order of precedence (WT5): when several are true at once the first is told. */
export const waitOutcomes = [
  "sealed",
  "human_took_over",
  "human_required",
  "exited",
  "matched",
  "command_done",
  "settled",
  "timed_out",
] as const;
export const outcomeSchema = z.enum(waitOutcomes);
export type WaitOutcome = z.infer<typeof outcomeSchema>;

export const confidenceSchema = z.enum([
  /** The system's or the stream's own word: text that is there, an exit, a process blocked in a read. */
  "exact",
  /** The shell's markers. */
  "marker",
  /** Concluded from silence or from how the screen looks. */
  "inferred",
]);
export type Confidence = z.infer<typeof confidenceSchema>;

export const verdictSchema = z.object({
  outcome: outcomeSchema,
  confidence: confidenceSchema,
  /** Which of `for` it was, 0-based; absent for outcomes that nobody asked for. */
  condition: z.int().optional(),
  /** Sentences and figures: why this outcome and not another. */
  evidence: z.object({
    because: z.string(),
    phase: phaseSchema,
    /** The matched text, or the line on which the cursor stands; at most 200 characters. */
    line: z.string().optional(),
    command: commandRecordSchema.optional(),
  }),
  elapsed_ms: z.int(),
  /** From the start of the wait to the first output; null when there was none. */
  first_output_ms: z.int().nullable(),
  no_output: z.boolean(),
  /** Where to go on: after a match, the line after it. */
  next: cursorSchema,
  /** What was printed since the wait's cursor, bounded. */
  output: outputReplySchema.optional(),
  exit_code: z.int().nullable().optional(),
  /** A person had the keyboard since this agent last read. */
  handover: handoverSchema.optional(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Over many sessions: the first one wins (WT7). */
export const waitManySchema = z.strictObject({
  sessions: z.array(z.string()).min(1).max(limits.waitSessions).optional(),
  tag: z.string().optional(),
  for: waitSchema.shape.for,
  timeout_ms: waitSchema.shape.timeout_ms,
  through_credential: waitSchema.shape.through_credential,
  max_bytes: waitSchema.shape.max_bytes,
  /** `generation` of the last reply: a session is not returned again for what it was returned for already. */
  generation: z.string().max(limits.waitGenerationChars).optional(),
});
export type WaitManyRequest = z.infer<typeof waitManySchema>;

export const waitManyReplySchema = z.object({
  /** null when the time was up. */
  session: z.string().nullable(),
  verdict: verdictSchema.nullable(),
  generation: z.string(),
});
export type WaitManyReply = z.infer<typeof waitManyReplySchema>;

export const ifDraftSchema = z.enum([
  /** Take away what a person left on the line, then type. */
  "clear",
  /** Type behind it. */
  "keep",
]);

/** Typing without waiting: `input`, with what an agent says about it. */
export const writeSchema = z.strictObject({
  ...inputSchema.shape,
  if_draft: ifDraftSchema.optional(),
  /** Shown to people and journalled, never typed. */
  note: z.string().max(limits.noteChars).optional(),
});

export const actSchema = z.strictObject({
  ...inputSchema.shape,
  /** Absent: the default conditions of `wait`, 30 s. */
  wait: waitSchema.omit({ since: true }).optional(),
  /** What to read afterwards; `delta` unless given. */
  read: z.enum(["none", "delta", "screen", "command"]).optional(),
  if_draft: ifDraftSchema.optional(),
  /** Shown to people and journalled, never typed. */
  note: z.string().max(limits.noteChars).optional(),
});
export type Act = z.infer<typeof actSchema>;

export const actReplySchema = z.object({
  written: z.int(),
  wait: verdictSchema,
  delta: outputReplySchema.optional(),
  screen: screenReplySchema.optional(),
  /** The command that this call ran, and its output; null when the shell announced none. */
  command: z
    .object({ record: commandRecordSchema, output: outputReplySchema })
    .nullable()
    .optional(),
  /** A person had the keyboard since this agent last read. */
  handover: handoverSchema.optional(),
});
export type ActReply = z.infer<typeof actReplySchema>;

export const explainSchema = z.object({
  phase: phaseSchema,
  /** The rule of the ladder that decided, and its sentence. */
  rung: z.string(),
  because: z.string(),
  confidence: confidenceSchema,
  /** The one record that everything is derived from (PH1). */
  observation: z.record(z.string(), z.unknown()),
});
export type Explanation = z.infer<typeof explainSchema>;
