// The screen as agents read it (SC1, SC2, SC5, OP2): what may be asked and the three forms of the answer. Rows and columns are cells, 0-based
// from the top left of the viewport.
import * as z from "zod/mini";
import { handoverSchema } from "./lease.ts";

export const modesSchema = z.object({
  mouse: z.enum(["off", "x10", "normal", "button_event", "any_event"]),
  mouse_encoding: z.enum(["default", "sgr", "sgr_pixels", "urxvt", "utf8"]),
  app_cursor_keys: z.boolean(),
  app_keypad: z.boolean(),
  bracketed_paste: z.boolean(),
  focus_reporting: z.boolean(),
  insert: z.boolean(),
  origin: z.boolean(),
  autowrap: z.boolean(),
});
/** The program's DECSET state. */
export type Modes = z.infer<typeof modesSchema>;

export const suspicionKinds = [
  /** Controls that reorder text: what is read differs from what is there (Trojan Source). */
  "bidi_control",
  /** Characters without width or looks, outside the scripts and emoji that need them. */
  "zero_width",
  /** Invisible copies of ASCII (U+E0000 block), outside the three flags made with them. */
  "tag_characters",
  /** Variation selectors that select nothing. */
  "variation_selectors",
  /** Text that the program conceals (SGR 8). */
  "concealed_text",
  /** Text in the colour of its background, or nearly. */
  "invisible_text",
  /** A link whose text names another host than the one it opens. */
  "misleading_link",
  /** A link that would run or embed something, or hides its address. */
  "unsafe_link",
  /** A fact, no verdict: the title is the program's words, and it set one. */
  "title_changed",
] as const;
export type SuspicionKind = (typeof suspicionKinds)[number];

export const suspicionSchema = z.object({
  kind: z.enum(suspicionKinds),
  /** Row of the grid; absent for what is not on it. */
  row: z.optional(z.int()),
  /** First cell concerned. */
  col: z.optional(z.int()),
  /** Cells concerned, from `col` on. */
  cols: z.optional(z.int()),
  /** What was found, in our words; never the hidden text itself. */
  detail: z.string(),
});
export type Suspicion = z.infer<typeof suspicionSchema>;

export const hygieneSchema = z.object({
  /** Invisible characters taken out of the text; `format=raw` still has them. */
  stripped: z.int(),
  /** In reading order, at most 20; visible text is marked here and stays in the text. */
  suspicious: z.array(suspicionSchema),
});
/** What was odd about the text: it comes from programs, and is never an instruction. */
export type Hygiene = z.infer<typeof hygieneSchema>;

export const screenSchema = z.object({
  /** One string per row, right-trimmed; a wide cell counts once; combining marks stay with their base. */
  lines: z.array(z.string()),
  /** Present with `join_wrapped`: rows that a wrap continues are one line. Cursor, hygiene and mouse keep counting rows of the grid. */
  joined: z.optional(z.literal(true)),
  /** With `joined`: the first row of each line. */
  line_rows: z.optional(z.array(z.int())),
  cols: z.int(),
  rows: z.int(),
  cursor: z.object({ x: z.int(), y: z.int(), visible: z.boolean() }),
  alt_screen: z.boolean(),
  title: z.string(),
  modes: modesSchema,
  /** Rises when anything on the screen looks different than at the last reading: text, colours, cursor, title, modes. */
  version: z.int(),
  /** Of text, cursor and alt_screen; equal screens have equal hashes, whatever was removed from `lines`. */
  hash: z.string(),
  exited: z.boolean(),
  exit_code: z.nullable(z.int()),
  /** Characters of a shell's suggestion that were taken out of `lines`: nobody typed them. Absent when there were none. */
  ghost_text_removed: z.optional(z.int()),
  hygiene: hygieneSchema,
  /** With `format=raw`: the rows with their colours as SGR sequences, joined by CRLF; nothing else is in it. */
  raw: z.optional(z.string()),
  /** With `format=html`: one `pre` element with inline styles, escaped. */
  html: z.optional(z.string()),
  /** First row that `raw` or `html` shows without colours, because it would be too large otherwise. Absent when there is none. */
  unstyled_from: z.optional(z.int()),
  /** A person had the keyboard since this agent last read. */
  handover: z.optional(handoverSchema),
});
/** The whole screen. */
export type ScreenText = z.infer<typeof screenSchema>;

export const compactScreenSchema = z.object({
  version: z.int(),
  /**
   * First line: size, cursor and what else is worth a word; then `ROW|TEXT` for each row that differs from `since=`, or, after `full`, for
   * each row that is not empty. `scrolled=N`: first move the rows you know up by N. `restyled=…`: rows that changed colours only.
   */
  text: z.string(),
  /** Only when the rows in `text` gave a reason. */
  hygiene: z.optional(hygieneSchema),
  /** Both present once the program has exited. */
  exited: z.optional(z.literal(true)),
  exit_code: z.optional(z.nullable(z.int())),
  /** A person had the keyboard since this agent last read. */
  handover: z.optional(handoverSchema),
});
export type CompactScreen = z.infer<typeof compactScreenSchema>;

export const unchangedScreenSchema = z.object({
  unchanged: z.literal(true),
  version: z.int(),
  /** Both present once the program has exited. */
  exited: z.optional(z.literal(true)),
  exit_code: z.optional(z.nullable(z.int())),
  /** A person had the keyboard since this agent last read. */
  handover: z.optional(handoverSchema),
});
/** The screen is what it was at the `since` of the question. */
export type UnchangedScreen = z.infer<typeof unchangedScreenSchema>;

export const screenReplySchema = z.union([
  unchangedScreenSchema,
  screenSchema,
  compactScreenSchema,
]);
export type ScreenReply = z.infer<typeof screenReplySchema>;

/** For callers that asked for the whole screen: without `since` and `view` there is no other answer. */
export function wholeScreen(reply: ScreenReply): ScreenText {
  if ("lines" in reply) return reply;
  throw new TypeError("the whole screen was not asked for");
}

export const screenQuerySchema = z
  .strictObject({
    /** `raw` and `html` add a styled form to the text. */
    format: z.optional(z.enum(["text", "raw", "html"])),
    view: z.optional(z.enum(["full", "compact"])),
    /** A `version` seen before: answers `unchanged`, or in the compact view the difference. */
    since: z.optional(
      z.string().check(z.regex(/^\d{1,15}$/, "must be a version of an earlier reply")),
    ),
    /** Joins soft-wrapped rows into one line. */
    join_wrapped: z.optional(z.enum(["0", "1"])),
    /** A shell's dim suggestion right of the cursor is removed unless it is to be kept. */
    ghost: z.optional(z.enum(["remove", "keep"])),
  })
  .check(
    z.superRefine((query, context) => {
      if (query.view !== "compact") return;
      const { format = "text", join_wrapped = "0", ghost = "remove" } = query;
      const only = { format: "text", join_wrapped: "0", ghost: "remove" };
      for (const [field, given] of Object.entries({ format, join_wrapped, ghost })) {
        const allowed = only[field as keyof typeof only];
        if (given === allowed) continue;
        const message = `must be ${allowed} with view=compact`;
        context.addIssue({ code: "custom", path: [field], message });
      }
    }),
  );
export type ScreenQuery = z.infer<typeof screenQuerySchema>;
