// The lines of TC1 in both directions (docs/tcp.md): what a client may send, and what it is sent. Schemas and types only.
import * as z from "zod/mini";
import { type ErrorCode, errorTable } from "#lib/protocol/errors.ts";
import { gridSizeSchema } from "#lib/protocol/geometry.ts";
import { sessionIdSchema } from "#lib/protocol/ids.ts";
import { createSessionSchema } from "#lib/protocol/session.ts";

/** The first line. `session`: attach to this one; `keep`: the fresh one outlives the connection. */
export const authLineSchema = z
  .strictObject({
    type: z.literal("auth"),
    token: z.string().check(z.minLength(1), z.maxLength(200)),
    session: z.optional(sessionIdSchema),
    keep: z.optional(z.boolean()),
    ...z.pick(createSessionSchema, { command: true, cwd: true, name: true, cols: true, rows: true })
      .shape,
  })
  .check(
    z.superRefine((line, context) => {
      if (line.session === undefined) return;
      for (const key of ["keep", "command", "cwd", "name", "cols", "rows"] as const)
        if (line[key] !== undefined)
          context.addIssue({
            code: "custom",
            path: [key],
            message: "is for a new session, and session names one that is there",
          });
    }),
  );
export type AuthLine = z.infer<typeof authLineSchema>;

export const clientLineSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("stdin"), data: z.string() }),
  z.strictObject({ type: z.literal("resize"), ...gridSizeSchema.shape }),
]);
export type ClientLine = z.infer<typeof clientLineSchema>;

export type ServerLine =
  /** Only after `keep` or `session`: which session this is. */
  | { type: "session"; id: string; name: string }
  /** What was printed, as text. `reset`: it does not go on where the last one ended, but draws the screen anew. */
  | { type: "output"; data: string; reset?: true }
  /** A prompt is shown and waits; `data` is its text without colours. */
  | { type: "prompt"; data: string }
  | { type: "exit"; code: number | null; signal: string | null }
  | { type: "error"; code: ErrorCode; data: string; hint: string; retry_after_ms?: number };

/** Where the table speaks of HTTP. */
const ownHints: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST: "Correct the line that data names and send it again; docs/tcp.md has them all.",
  UNAUTHENTICATED:
    'Begin with {"type":"auth","token":"…"}; `cotty token create --role agent --name NAME` makes a token.',
};

/** `data`: what happened; the hint is the table's, or this service's own. */
export function errorLine(code: ErrorCode, data: string, retryAfterMs?: number): ServerLine {
  const hint = ownHints[code] ?? errorTable[code].hint;
  const more = retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs };
  return { type: "error", code, data, hint, ...more };
}
