// Commands as the shell announced them (JR1-JR6), and the output between two places (OP3).
import * as z from "zod/mini";
import { cursorSchema, sinceSchema } from "./cursor.ts";
import { integrationSchema } from "./integration.ts";
import { handoverSchema } from "./lease.ts";
import { limits } from "./limits.ts";
import { hygieneSchema } from "./screen.ts";

export const recordFlags = [
  /** The command still runs; `end` moves. */
  "running",
  /** The shell told a status; only then there is an `exit_code`. */
  "has_exit",
  /** The shell announced output without a command line. */
  "no_command",
  /** Its end was never announced: interrupted, or the shell went away. */
  "incomplete",
  /** Its first lines have left the scrollback; reading it gives the surviving tail. */
  "evicted",
  /** The session's process ended while it ran. */
  "pty_exited",
  /** Lines were re-wrapped since: `start` and `end` are cursors from before, which still lead to this command's output. */
  "reflowed",
] as const;
export type RecordFlag = (typeof recordFlags)[number];

export const commandRecordSchema = z.object({
  /** Rises by one per command and is never used again. */
  index: z.int(),
  flags: z.array(z.enum(recordFlags)),
  /** Present only with `has_exit`. */
  exit_code: z.optional(z.int()),
  /** The output region, [start, end). */
  start: cursorSchema,
  end: cursorSchema,
  started_at: z.iso.datetime(),
  ended_at: z.nullable(z.iso.datetime()),
  /** So far, while it runs. */
  duration_ms: z.int(),
  /** At most `limits.journalCommandBytes`; null with `no_command`, and without it when nobody can tell what was typed. */
  command: z.nullable(z.string()),
  /**
   * `shell`: told by a marker with this session's nonce, as typed. `program`: told by a marker without it, which any program can print.
   * `screen`: read from the line where it was typed. null: there is none.
   */
  command_from: z.nullable(z.enum(["shell", "program", "screen"])),
  /** Where it was started, as the shell or the system told. */
  cwd: z.string(),
  /** Names of those who typed since the prompt, oldest first. */
  by: z.array(z.string()),
  /** One of them is an agent; absent: none that is known. */
  by_agent: z.optional(z.literal(true)),
  /** Dialect that announced it. */
  integration: integrationSchema,
});
export type CommandRecord = z.infer<typeof commandRecordSchema>;

export const commandListSchema = z.object({
  /** Oldest first. */
  commands: z.array(commandRecordSchema),
  /** Indices below have left the ring. */
  oldest_index: z.int(),
  next_index: z.int(),
  integration: integrationSchema,
});
export type CommandList = z.infer<typeof commandListSchema>;

const digits = (max: number, is: string) =>
  z.pipe(
    z.string().check(z.regex(new RegExp(`^\\d{1,${max}}$`), `is not ${is}`)),
    z.transform(Number),
  );

export const commandsQuerySchema = z.strictObject({
  /** Oldest index wanted. Without it the newest `limit` are listed. */
  from: z.optional(digits(15, "an index")),
  /** The newest so many; the same as `limit` without `from`. */
  tail: z.optional(digits(4, "a number of records")),
  limit: z.optional(
    z.pipe(
      digits(4, "a number of records"),
      z.int().check(z.minimum(1), z.maximum(limits.journalRecords)),
    ),
  ),
});

export const commandIndexSchema = z.union([z.literal("latest"), digits(15, "an index")]);

export const outputReplySchema = z.object({
  /** Rows joined by newlines, but where a row only wrapped. Never a part of a row; invisible characters are taken out. */
  text: z.string(),
  /** Where `text` really begins, and where to go on reading. */
  start: cursorSchema,
  next: cursorSchema,
  /** More is there already: read again from `next`. */
  truncated: z.boolean(),
  /** Something between the cursor that was given and `start` is gone: out of the scrollback, or erased. */
  evicted: z.boolean(),
  /** A full-screen program is drawing: its screen is no output and moves no cursor. */
  alt_screen: z.boolean(),
  /** With `tail`: lines of those asked for that stand before `start` were left out for `max_bytes`. */
  shortened: z.optional(z.literal(true)),
  /** Lines were re-wrapped after the cursor was given out; it was led to the same text. */
  reflowed: z.optional(z.literal(true)),
  hygiene: z.optional(hygieneSchema),
  /** A person had the keyboard since this agent last read. */
  handover: z.optional(handoverSchema),
});
export type OutputReply = z.infer<typeof outputReplySchema>;

export const maxBytesSchema = z.pipe(
  digits(8, "a number of bytes"),
  z.int().check(z.minimum(limits.outputBytes.min), z.maximum(limits.outputBytes.max)),
);

/** The last so many lines, as `tail -n` counts them. With it `max_bytes` leaves out what comes first, not what comes last. */
const tailSchema = z.optional(
  z.pipe(
    digits(6, "a number of lines"),
    z.int().check(z.minimum(1), z.maximum(limits.scrollbackLines.max)),
  ),
);

export const outputQuerySchema = z
  .strictObject({
    since: z.optional(sinceSchema),
    tail: tailSchema,
    max_bytes: z.optional(maxBytesSchema),
  })
  .check(
    z.refine(({ since, tail }) => since === undefined || tail === undefined, {
      path: ["tail"],
      error: "counts from the end, and since names a beginning: give one of them",
    }),
  );

export const commandOutputQuerySchema = z.strictObject({
  tail: tailSchema,
  max_bytes: z.optional(maxBytesSchema),
});
