// What web and the local CLI ask of the host itself: paths that exist on its own socket only and need its key alone.
import { Hono } from "hono";
import * as z from "zod/mini";
import { actorHeader } from "#lib/protocol/actor.ts";
import { type AuditAct, auditActSchema } from "#lib/protocol/audit.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { validate } from "#lib/protocol/field-errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { readJsonBody } from "./body.ts";
import { type CallerCheck, requestIdOf } from "./caller.ts";
import { type ApiLog, problemOf, problemResponse } from "./problem.ts";

export interface HostControl {
  /** pid, version, protocol, sessions, sockets …: for people and for finding out whether it lives. */
  status(): object;
  /** Closes that actor's sockets; how many. */
  disconnect(actorId: string): number;
  /** What web or the CLI did, for the audit; `atMs`: wall time at which. */
  audit(act: AuditAct, atMs: number): void;
  /** Begins to end all sessions and the host; how many sessions. */
  shutdown(): number;
}

/** Acts of web or of the CLI, with the wall time of each. */
const toldActsSchema = z.strictObject({
  acts: z
    .array(z.strictObject({ act: auditActSchema, at: z.int().check(z.minimum(0)) }))
    .check(z.maxLength(limits.jsonItems)),
});
const disconnectSchema = z.strictObject({
  actor: z.string().check(z.minLength(1), z.maxLength(64)),
});

export const internalBase = "/internal";

export function createInternalRouter(control: HostControl, caller: CallerCheck, log: ApiLog): Hono {
  const app = new Hono().basePath(internalBase);
  app.onError((error, context) =>
    problemResponse(
      problemOf(
        error,
        requestIdOf((name) => context.req.header(name)),
        log,
      ),
    ),
  );
  app.notFound((context) => {
    throw new TermError("NOT_FOUND", `there is nothing at ${context.req.path.slice(0, 200)}`);
  });
  app.use("*", async (context, next) => {
    caller.requireKey((name) => context.req.header(name));
    // Web names an actor in all that it passes on: what is internal cannot be reached through it.
    if (context.req.header(actorHeader) !== undefined) return context.notFound();
    await next();
  });
  app.get("/status", (context) => context.json(control.status()));
  app.post("/disconnect", async (context) => {
    const body = validate(disconnectSchema, await readJsonBody(context.req.raw), "body");
    if (body.kind === "refused") throw body.error;
    return context.json({ closed: control.disconnect(body.value.actor) });
  });
  app.post("/audit", async (context) => {
    const body = validate(toldActsSchema, await readJsonBody(context.req.raw), "body");
    if (body.kind === "refused") throw body.error;
    for (const { act, at } of body.value.acts) control.audit(act, at);
    return context.json({ recorded: body.value.acts.length });
  });
  app.post("/shutdown", (context) => context.json({ sessions: control.shutdown() }, 202));
  return app;
}
