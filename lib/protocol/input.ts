// Input batches (IN1): ordered, validated up front, all or nothing, one unit.
import * as z from "zod/mini";
import { limits } from "./limits.ts";

/**
 * Exactly one of: literal text (LF is typed as Enter; with `paste`, it arrives as one paste, IN3), a named key, raw characters sent as
 * their UTF-8.
 */
export const inputItemSchema = z.union([
  z.strictObject({ text: z.string(), paste: z.optional(z.boolean()) }),
  z.strictObject({ key: z.string().check(z.minLength(1), z.maxLength(40)) }),
  z.strictObject({ raw: z.string() }),
]);
export type InputItem = z.infer<typeof inputItemSchema>;

export const inputSchema = z.strictObject({
  input: z.array(inputItemSchema).check(z.minLength(1), z.maxLength(limits.inputItems)),
  /** Pause between text and an Enter that follows it (IN4); 30 unless given, 0 for none. */
  gap_ms: z.optional(z.int().check(z.minimum(0), z.maximum(limits.inputGapMs.max))),
});
export type Input = z.infer<typeof inputSchema>;

/** Of a batch for a shell that was just opened: how long it waited for the first prompt, and what ended that (IN8). */
export const heldSchema = z.object({
  waited_ms: z.int(),
  ended_by: z.enum([
    /** The first prompt was up. */
    "prompt",
    /** Something reads the terminal, and no prompt of a shell that we know was announced. */
    "reading",
    /** A person took the keyboard, or set the access. */
    "person",
    /** A Ctrl-C came behind it. */
    "interrupt",
    /** There was none within `limits.firstPromptMs`: it was typed all the same. */
    "time",
  ]),
});
export type Held = z.infer<typeof heldSchema>;

/** `written` counts items. `held` is there when it waited. */
export const writeReplySchema = z.object({ written: z.int(), held: z.optional(heldSchema) });
export type WriteReply = z.infer<typeof writeReplySchema>;
