// Waiting (WT1-WT8): what to wait for, and the verdict with its evidence. `act` is type, wait and read in one call (OP7).
import * as z from "zod/mini";
import { cursorSchema, sinceSchema } from "./cursor.ts";
import { inputSchema, writeReplySchema } from "./input.ts";
import { commandRecordSchema, outputReplySchema } from "./journal.ts";
import { handoverSchema } from "./lease.ts";
import { limits } from "./limits.ts";
import { screenReplySchema } from "./screen.ts";
import { phaseSchema } from "./session.ts";

export const conditionSchema = z.union([
  /** Literal, in output after the cursor; a partial last line counts (WT3), the echo of what was typed does not (WT2). */
  z.strictObject({ text: z.string().check(z.minLength(1), z.maxLength(limits.waitTextChars)) }),
  /** JavaScript's syntax, `m` and `u` flags; judged off the main thread within 50 ms. */
  z.strictObject({ regex: z.string().check(z.minLength(1), z.maxLength(limits.waitRegexChars)) }),
  /** The command that runs, or the next one, has ended. */
  z.strictObject({ command_done: z.literal(true) }),
  /** The shell shows a prompt. */
  z.strictObject({ prompt: z.literal(true) }),
  z.strictObject({ phase: phaseSchema }),
  /** Nothing was printed for so long. */
  z.strictObject({ quiet_ms: z.int().check(z.minimum(1), z.maximum(limits.waitMs.max)) }),
  /** The screen looked the same for so long; a spinner that comes round again counts as change. */
  z.strictObject({ screen_stable_ms: z.int().check(z.minimum(1), z.maximum(limits.waitMs.max)) }),
  z.strictObject({ exit: z.literal(true) }),
  /** An agent may type: no person holds the keyboard. */
  z.strictObject({ keyboard: z.literal(true) }),
]);
export type WaitCondition = z.infer<typeof conditionSchema>;

export const waitSchema = z.strictObject({
  /** Any of them. Absent: the command is done, or the session waits for input, or it settled. */
  for: z.optional(
    z.array(conditionSchema).check(z.minLength(1), z.maxLength(limits.waitConditions)),
  ),
  timeout_ms: z.optional(z.int().check(z.minimum(0), z.maximum(limits.waitMs.max))),
  /** Only what is printed after it counts; absent: now. */
  since: z.optional(sinceSchema),
  /** Stay pending while a person answers a password prompt, and go on afterwards (CR2). */
  through_credential: z.optional(z.boolean()),
  max_bytes: z.optional(
    z.int().check(z.minimum(limits.outputBytes.min), z.maximum(limits.outputBytes.max)),
  ),
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
  condition: z.optional(z.int()),
  /** Sentences and figures: why this outcome and not another. */
  evidence: z.object({
    because: z.string(),
    phase: phaseSchema,
    /** The matched text, or the line on which the cursor stands; at most 200 characters. */
    line: z.optional(z.string()),
    command: z.optional(commandRecordSchema),
  }),
  elapsed_ms: z.int(),
  /** From the start of the wait to the first output; null when there was none. */
  first_output_ms: z.nullable(z.int()),
  no_output: z.boolean(),
  /** Where to go on: after a match, the line after it. */
  next: cursorSchema,
  /** What was printed since the wait's cursor, bounded. */
  output: z.optional(outputReplySchema),
  exit_code: z.optional(z.nullable(z.int())),
  /** A person had the keyboard since this agent last read. */
  handover: z.optional(handoverSchema),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Over many sessions: the first one wins (WT7). */
export const waitManySchema = z.strictObject({
  sessions: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(limits.waitSessions))),
  tag: z.optional(z.string()),
  for: waitSchema.shape.for,
  timeout_ms: waitSchema.shape.timeout_ms,
  through_credential: waitSchema.shape.through_credential,
  max_bytes: waitSchema.shape.max_bytes,
  /** `generation` of the last reply: a session is not returned again for what it was returned for already. */
  generation: z.optional(z.string().check(z.maxLength(limits.waitGenerationChars))),
});
export type WaitManyRequest = z.infer<typeof waitManySchema>;

export const waitManyReplySchema = z.object({
  /** null when the time was up. */
  session: z.nullable(z.string()),
  verdict: z.nullable(verdictSchema),
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
  if_draft: z.optional(ifDraftSchema),
  /** Shown to people and journalled, never typed. */
  note: z.optional(z.string().check(z.maxLength(limits.noteChars))),
});

export const actSchema = z.strictObject({
  ...inputSchema.shape,
  /** Absent: the default conditions of `wait`, 30 s. */
  wait: z.optional(z.omit(waitSchema, { since: true })),
  /** What to read afterwards; `delta` unless given. */
  read: z.optional(z.enum(["none", "delta", "screen", "command"])),
  if_draft: z.optional(ifDraftSchema),
  /** Shown to people and journalled, never typed. */
  note: z.optional(z.string().check(z.maxLength(limits.noteChars))),
});
export type Act = z.infer<typeof actSchema>;

export const actReplySchema = z.object({
  ...writeReplySchema.shape,
  wait: verdictSchema,
  delta: z.optional(outputReplySchema),
  screen: z.optional(screenReplySchema),
  /** The command that this call ran, and its output; null when the shell announced none. */
  command: z.optional(
    z.nullable(z.object({ record: commandRecordSchema, output: outputReplySchema })),
  ),
  /** A person had the keyboard since this agent last read. */
  handover: z.optional(handoverSchema),
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
