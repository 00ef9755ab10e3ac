// Who typed what, and what an agent was last shown: for people who watch agents (attribution, "what the agent sees").
import * as z from "zod/mini";
import { cursorSchema } from "./cursor.ts";
import { limits } from "./limits.ts";

const whoSchema = z.object({ kind: z.enum(["human", "agent"]), id: z.string(), name: z.string() });

export const writeEntrySchema = z.object({
  /** Rises by one per entry and is never used again in this session. */
  n: z.int(),
  at: z.iso.datetime(),
  actor: whoSchema,
  /** `keys`: at a viewer. `input`: a batch of the API. `mouse`: an event of the API. */
  cause: z.enum(["keys", "input", "mouse"]),
  /** null while a password is asked for. A person's keys on one line within a second are one entry. */
  bytes: z.nullable(z.int()),
  /** What an agent typed, control characters visible (\u241b is Escape), cut with a mark. null: what people type is not kept, and no password is. */
  text: z.nullable(z.string()),
  /** Caption of the agent. */
  note: z.optional(z.string()),
  /** Id of the request; null for sockets. */
  request: z.nullable(z.string()),
  /** Where the cursor stood; null on a full-screen program's screen. */
  cursor: z.nullable(cursorSchema),
});
export type WriteEntry = z.infer<typeof writeEntrySchema>;

export const writesReplySchema = z.object({
  /** Oldest first. */
  writes: z.array(writeEntrySchema),
  /** Entries below have left the ring. */
  oldest_n: z.int(),
  next_n: z.int(),
});
export type WritesReply = z.infer<typeof writesReplySchema>;

const digits = (max: number, is: string) =>
  z.pipe(
    z.string().check(z.regex(new RegExp(`^\\d{1,${max}}$`), `is not ${is}`)),
    z.transform(Number),
  );

export const writesQuerySchema = z.strictObject({
  /** Oldest number wanted. Without it the newest `limit` are listed. */
  from: z.optional(digits(15, "an entry's number")),
  limit: z.optional(
    z.pipe(
      digits(3, "a number of entries"),
      z.int().check(z.minimum(1), z.maximum(limits.writes.kept)),
    ),
  ),
});
export type WritesQuery = z.infer<typeof writesQuerySchema>;

export const agentViewSchema = z.object({
  at: z.iso.datetime(),
  agent: z.object({ id: z.string(), name: z.string() }),
  request: z.nullable(z.string()),
  /** What was read. */
  from: z.enum(["screen", "output", "command", "wait", "act"]),
  /** Exactly as it was sent, up to `limits.agentViewChars`. */
  text: z.string(),
  truncated: z.boolean(),
});
export type AgentView = z.infer<typeof agentViewSchema>;

export const agentViewReplySchema = z.object({
  /** null: no agent has read anything here. */
  view: z.nullable(agentViewSchema),
});
