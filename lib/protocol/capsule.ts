// All sessions in one short text (CP1), for an agent that wants to know where things stand without reading any screen.
import * as z from "zod/mini";
import { lastCommandSchema, sealedSessionSchema, sessionInfoSchema } from "./session.ts";

export const capsuleSchema = z.object({
  /** Moves exactly when `text` does; also the ETag. Viewers, titles and time do not move it. */
  version: z.string(),
  /** One line per session: id, "name", phase, how it ended, who has the keyboard if not agents, what runs in it, its last command and how it ended, where; or id and `sealed`. */
  text: z.string(),
  sessions: z.array(
    z.union([
      z.extend(
        z.pick(sessionInfoSchema, {
          id: true,
          name: true,
          phase: true,
          foreground: true,
          command: true,
          cwd: true,
          exit_code: true,
          signal: true,
        }),
        {
          // The defaults are for a host of an older version (HO7).
          /** Who may type: `agent`, or the cause for which a person does. */
          keyboard: z._default(z.string(), "agent"),
          /** The newest command that the shell announced. */
          last_command: z._default(
            z.nullable(
              z.pick(lastCommandSchema, { command: true, running: true, exit_code: true }),
            ),
            null,
          ),
        },
      ),
      sealedSessionSchema,
    ]),
  ),
  /** How many more there are than are shown here. */
  left_out: z.int(),
  /** Sessions that wait for a person. */
  needs_human: z.array(z.string()),
});
export type Capsule = z.infer<typeof capsuleSchema>;
