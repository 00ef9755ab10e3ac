// The attach socket (AT1-AT9). Binary frames are terminal bytes; everything else is JSON in text frames, told apart by `type`.
import * as z from "zod/mini";
import { cursorSchema } from "./cursor.ts";
import { gridSizeSchema } from "./geometry.ts";
import { byteOffsetSchema } from "./ids.ts";
import { integrationSchema } from "./integration.ts";
import { commandRecordSchema } from "./journal.ts";
import {
  accessSchema,
  credentialSchema,
  leaseActionSchema,
  leaseSchema,
  needSchema,
  politenessSchema,
} from "./lease.ts";
import { limits } from "./limits.ts";
import { exitSchema, phaseSchema, sessionInfoSchema } from "./session.ts";
import { linePlaceSchema, writerSchema, writtenLineSchema } from "./written-lines.ts";

export const attachProtocol = "cotty.v1";

const digits = (max: number, is: string) =>
  z.string().check(z.regex(new RegExp(`^\\d{1,${max}}$`), `is not ${is}`));
const count = z.pipe(digits(4, "a number of cells"), z.transform(Number));

function isIdle(text: string): boolean {
  const { min, max } = limits.leaseIdleMs;
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  return text === "never" || (seconds * 1_000 >= min && seconds * 1_000 <= max);
}

/** `?readonly=1&since=OFFSET` or, for drawn frames (AT6), `?view=render&cols=C&rows=R&readonly=1`. */
export const attachQuerySchema = z
  .strictObject({
    readonly: z.optional(z.enum(["1"])),
    since: z.optional(digits(16, "an offset")),
    view: z.optional(z.enum(["live", "render"])),
    /** The grid of the viewer's own terminal. */
    cols: z.optional(z.pipe(count, gridSizeSchema.shape.cols)),
    rows: z.optional(z.pipe(count, gridSizeSchema.shape.rows)),
    /** Seconds without typing after which the keyboard goes back to agents, for what this person types here (LS5); or `never`. */
    idle: z.optional(
      z
        .string()
        .check(z.refine(isIdle, "is not `never` or a whole number of seconds from 1 to 600")),
    ),
  })
  .check(
    z.superRefine((query, context) => {
      const refuse = (key: string, message: string) =>
        context.addIssue({ code: "custom", path: [key], message });
      for (const key of ["cols", "rows"] as const) {
        if (query.view === "render" && query[key] === undefined)
          refuse(key, "is missing: view=render needs the size of your terminal");
        if (query.view !== "render" && query[key] !== undefined)
          refuse(key, "belongs to view=render; here, send a resize message");
      }
      if (query.view === "render" && query.since !== undefined)
        refuse("since", "belongs to view=live: a frame is complete by itself");
    }),
  );

export type AttachQuery = z.infer<typeof attachQuerySchema>;

/**
 * Where the commands of the journal stand in a snapshot, so that a client can mark them and go on counting: each mark C of the latched
 * dialect in the live bytes that follow begins the command of the next index.
 */
const snapshotCommandsSchema = z.object({
  next_index: z.int(),
  integration: integrationSchema,
  /** Index and row of each command line that is still there, oldest first. Row 0 is the first of the history, or of the screen without one; -1: it has left the scrollback, and what it printed has not. */
  rows: z.array(z.tuple([z.int(), z.int()])),
  /** Row of the line that is being typed; null: none. */
  input_row: z.nullable(z.int()),
});
export type SnapshotCommands = z.infer<typeof snapshotCommandsSchema>;

const snapshotSchema = z.object({
  type: z.literal("snapshot"),
  /** The offset at which the whole snapshot was taken; live bytes go on from here. */
  at: byteOffsetSchema,
  cols: z.int(),
  rows: z.int(),
  /**
   * `screen`: what to draw first; complete by itself but for the scrollback. `history`: rows above it, oldest first, in
   * one or more pieces. A client that has all pieces resets, then writes history and screen in that order (SN4, SN5).
   * Each message is followed by exactly one binary frame with its data.
   */
  part: z.enum(["screen", "history"]),
  /** True on the last piece of the snapshot. */
  last: z.boolean(),
  /** Present on the first piece after a lost position: why the viewer did not get its bytes. */
  reason: z.optional(z.enum(["evicted", "ahead", "replaced"])),
  /** On the screen part. */
  commands: z.optional(snapshotCommandsSchema),
  /** On the screen part: the place of the snapshot's lowest row. Hosts before this field leave it out. */
  lowest: z.optional(linePlaceSchema),
  /** On the screen part: lines on which somebody typed, oldest first, each with who typed there last. */
  written: z.optional(z.array(writtenLineSchema)),
});

export const serverMessageSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    protocol: z.literal(attachProtocol),
    session: sessionInfoSchema,
    /** What a client needs to keep its side: bytes. */
    limits: z.object({ window: z.int(), frame: z.int() }),
    you: z.object({
      attachment: z.string(),
      /** Id of the credential, as `lease.actor_id` names it; hosts before this field leave it out. */
      id: z.optional(z.string()),
      kind: z.enum(["human", "agent"]),
      name: z.string(),
      readonly: z.boolean(),
    }),
    /** Which attachment's size the session follows; null: none or the API's. */
    size_owner: z.nullable(z.string()),
    /** What binary frames are: the program's bytes (absent: live), or whole pictures. */
    view: z.optional(z.enum(["live", "render"])),
    /** How polite people are where they do not say (LS9). Hosts that leave it out do not know the message `politeness` either. */
    politeness: z.optional(politenessSchema),
    /** The host knows the message `secret`. */
    takes_secrets: z.optional(z.literal(true)),
  }),
  snapshotSchema,
  /** `view=render` only: the binary frame that follows shows the session as it was at `at`. */
  z.object({ type: z.literal("frame"), at: byteOffsetSchema }),
  /** `written`: as in the snapshot; what was told meanwhile is lost. */
  z.object({
    type: z.literal("resume"),
    at: byteOffsetSchema,
    written: z.optional(z.array(writtenLineSchema)),
  }),
  /** In order with the bytes: everything after it was printed at the new size. `nth`: places are counted from here on (LinePlace). */
  z.object({
    type: z.literal("resized"),
    at: byteOffsetSchema,
    size: gridSizeSchema,
    nth: z.optional(z.int()),
  }),
  z.object({ type: z.literal("size_owner"), attachment: z.nullable(z.string()) }),
  z.object({ type: z.literal("title"), title: z.string() }),
  z.object({ type: z.literal("bell") }),
  z.object({ type: z.literal("phase"), phase: phaseSchema }),
  z.object({ type: z.literal("viewers"), viewers: z.int() }),
  /** On every change, each keystroke's new `until` included (at most ten a second). */
  z.object({ type: z.literal("lease"), lease: leaseSchema }),
  z.object({ type: z.literal("access"), access: accessSchema }),
  z.object({ type: z.literal("credential"), credential: z.nullable(credentialSchema) }),
  z.object({ type: z.literal("need"), need: z.nullable(needSchema) }),
  /** An agent typed, looked or waits: for the banner. `detail`: its note on what it typed, or the text or pattern that it waits for. */
  z.object({
    type: z.literal("agent"),
    did: z.enum(["typed", "looked", "waits"]),
    name: z.string(),
    detail: z.optional(z.string()),
  }),
  /** Somebody typed on the line where the cursor stood: for the colours beside lines. What was typed is not in it. */
  z.object({
    type: z.literal("written"),
    ...writerSchema.shape,
    at: cursorSchema,
    /** Exactly which line that is; hosts before this field leave it out. */
    line: z.optional(linePlaceSchema),
  }),
  /** A person would like to have the keyboard that another one has. */
  z.object({ type: z.literal("asked"), id: z.string(), name: z.string() }),
  /** A command began or ended (`record.flags`). */
  z.object({ type: z.literal("command"), record: commandRecordSchema }),
  /** The viewer fell behind what is kept; a snapshot follows. */
  z.object({ type: z.literal("resync") }),
  z.object({ type: z.literal("exited"), at: byteOffsetSchema, ...exitSchema.shape }),
  z.object({ type: z.literal("error"), code: z.string(), detail: z.string() }),
  z.object({ type: z.literal("pong"), id: z.int() }),
]);
export type ServerMessage = z.infer<typeof serverMessageSchema>;
export type SnapshotMessage = z.infer<typeof snapshotSchema>;
/** What a snapshot tells of its lines beside what they look like. */
export type SnapshotMarks = Pick<SnapshotMessage, "commands" | "lowest" | "written">;

export const clientMessageSchema = z.discriminatedUnion("type", [
  /** The grid this viewer could show. Applied when the session follows this viewer, remembered otherwise (SZ1). With `view=render`: what it is drawn for. */
  z.strictObject({ type: z.literal("resize"), ...gridSizeSchema.shape }),
  /** "Use my size": follow this viewer from now on. */
  z.strictObject({ type: z.literal("use_my_size"), ...gridSizeSchema.shape }),
  /** Everything before this offset is drawn. A snapshot or frame of offset N is acknowledged as N. */
  z.strictObject({ type: z.literal("ack"), at: byteOffsetSchema }),
  /** What the viewer's terminal emitted by itself or for the mouse; not typing. `data` is a string of code points 0-255, one per byte. */
  z.strictObject({ type: z.literal("report"), data: z.string().check(z.maxLength(4096)) }),
  /** The keyboard (LS6), the line and the detection of passwords. */
  z.strictObject({ type: z.literal("keyboard"), ...leaseActionSchema.shape }),
  /** How this person's keyboard may be taken by other people's keys, from now on (LS9). `server`: as the server is set. */
  z.strictObject({
    type: z.literal("politeness"),
    politeness: z.enum([...politenessSchema.options, "server"]),
  }),
  /** The answer to a password prompt: typed with an Enter behind it while one stands, else refused and dropped (CR2). */
  z.strictObject({
    type: z.literal("secret"),
    // A line end in it would answer the next question as well.
    text: z
      .string()
      .check(z.maxLength(limits.typedSecretChars), z.regex(/^[^\r\n]*$/, "has line ends")),
  }),
  z.strictObject({ type: z.literal("ping"), id: z.int() }),
]);
export type ClientMessage = z.infer<typeof clientMessageSchema>;
