// Whose lines are which, exactly (AU2): rows are counted from the last change of size, which is the same row in every terminal that got the
// same bytes, however much scrollback each of them keeps.
import * as z from "zod/mini";

export const linePlaceSchema = z.object({
  /** Which change of size it is counted from: the `nth` of `resized` or of the snapshot. */
  nth: z.int(),
  /** Rows below the lowest row that there was right after it; negative above. */
  row: z.int(),
});
export type LinePlace = z.infer<typeof linePlaceSchema>;

export const writerSchema = z.object({
  kind: z.enum(["human", "agent"]),
  id: z.string(),
  name: z.string(),
  /** Caption of the agent. */
  note: z.optional(z.string()),
});
export type Writer = z.infer<typeof writerSchema>;

export const writtenLineSchema = z.object({ ...linePlaceSchema.shape, ...writerSchema.shape });
export type WrittenLine = z.infer<typeof writtenLineSchema>;
