// The host's HTTP API as one fetch function: a loop over the table of operations (HT1-HT3). No sockets; who may do what was decided by the gate.
import { Hono } from "hono";
import type * as z from "zod/mini";
import { assert } from "#lib/base/assert.ts";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { requestIdHeader } from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { badFields, validate } from "#lib/protocol/field-errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { attachRoute } from "#lib/protocol/operations/attach-route.ts";
import { auditActOf } from "#lib/protocol/operations/audited.ts";
import { apiBase, type Operation } from "#lib/protocol/operations/operation.ts";
import { operations } from "#lib/protocol/operations/table.ts";
import { discardBody, readJsonBody } from "./body.ts";
import { type CallerCheck, requestIdOf } from "./caller.ts";
import { eventHandlers } from "./events.ts";
import { explainHandlers } from "./explain.ts";
import type { HostCore } from "./host-core.ts";
import {
  IdempotencyKeys,
  idempotencyHeader,
  readIdempotencyKey,
  replayedHeader,
  requestPrint,
} from "./idempotency.ts";
import { journalHandlers } from "./journal.ts";
import type { Call } from "./operation-handlers.ts";
import { type ApiLog, problemOf, problemResponse } from "./problem.ts";
import { profileHandlers } from "./profiles.ts";
import { RequestBudget } from "./request-budget.ts";
import { serverHandlers } from "./server.ts";
import { sessionHandlers } from "./sessions.ts";
import { sharingHandlers } from "./sharing.ts";
import { terminalHandlers } from "./terminal.ts";
import { waitingHandlers } from "./waiting.ts";

type Variables = { requestId: string; actor: Actor };

export interface RouterOptions {
  readonly core: HostCore;
  readonly caller: CallerCheck;
  readonly log: ApiLog;
  readonly clock?: Clock;
}

type AnyHandler = (call: Call<never>) => unknown;
const handlers: Record<string, AnyHandler | undefined> = {
  ...sessionHandlers,
  ...terminalHandlers,
  ...journalHandlers,
  ...explainHandlers,
  ...sharingHandlers,
  ...waitingHandlers,
  ...eventHandlers,
  ...profileHandlers,
  ...serverHandlers,
};

export function createRouter(options: RouterOptions): Hono<{ Variables: Variables }> {
  const { core, caller, log, clock = systemClock } = options;
  const budget = new RequestBudget(clock);
  const idempotency = new IdempotencyKeys(clock);
  const app = new Hono<{ Variables: Variables }>();

  app.onError(async (error, context) => {
    await discardBody(context.req.raw, clock);
    const requestId = context.get("requestId") ?? requestIdOf(() => undefined);
    // Nobody hears the answer to a request that was cut; that reading it failed is no fault of ours.
    const faults = context.req.raw.signal.aborted ? { ...log, error: log.info.bind(log) } : log;
    const response = problemResponse(problemOf(error, requestId, faults), allowOf(error));
    response.headers.set(requestIdHeader, requestId);
    return response;
  });
  app.notFound((context) => {
    throw new TermError("NOT_FOUND", `there is nothing at ${context.req.path.slice(0, 200)}`);
  });

  app.use(async (context, next) => {
    const header = (name: string) => context.req.header(name);
    const requestId = requestIdOf(header);
    context.set("requestId", requestId);
    const actor = caller.actor(header);
    context.set("actor", actor);
    budget.take(actor.id);
    if (context.req.url.length > limits.urlBytes + "http://host.invalid".length) {
      throw new TermError("URI_TOO_LONG", `an address may have at most ${limits.urlBytes} bytes`);
    }
    await next();
    // What was answered is in the audit, whatever becomes of this process then. Looks that are allowed are no acts.
    if (context.req.method !== "GET" || context.res.status >= 400) await core.settled();
    context.header(requestIdHeader, requestId);
    context.header("cache-control", "no-store");
  });

  const methods = new Map<string, Set<string>>();
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const handler = handlers[name];
    assert(
      (handler !== undefined) === (operation.by === "host"),
      `the host answers ${name} exactly when the table says so`,
    );
    const path = routePath(operation.path);
    if (!handler) continue;
    const allowed = methods.get(path) ?? new Set();
    methods.set(path, allowed.add(operation.method));
    app.on(operation.method, path, async (context) => {
      const call = {
        core: forRequest(core, operation.name, context.get("requestId")),
        actor: context.get("actor"),
        params: checkParams(operation, context.req.param()),
        query: checked(operation.query, queryOf(context.req.url), "query"),
        body: checkBody(operation, await readJsonBody(context.req.raw)),
        request: context.get("requestId"),
        signal: () => context.req.raw.signal,
        header: (name: string) => context.req.header(name),
      };
      // Only the head of a stream would be sent, and nobody would ever end the rest.
      if (operation.streams && context.req.method === "HEAD")
        return new Response(null, { headers: { "content-type": "text/event-stream" } });
      const act = async () => {
        const reply = await handler(call as Call<never>);
        if (reply instanceof Response) return reply;
        return operation.status === 204
          ? new Response(null, { status: 204 })
          : context.json(reply as object, operation.status as 200);
      };
      const key = operation.isIdempotent && readIdempotencyKey(call.header(idempotencyHeader));
      if (!key) return act();
      refuseSealed(call.core, call.actor, call.params);
      const print = requestPrint(operation.name, call.params, call.body);
      const reply = await idempotency.answer(call.actor.id, key, print, act);
      // Who made a session named none: its id is in the reply.
      if (reply.headers.has(replayedHeader))
        refuseSealed(call.core, call.actor, await reply.clone().json());
      return reply;
    });
  }

  methods.set(routePath(attachRoute.path), new Set(["GET"]));
  for (const [path, allowed] of methods) {
    app.all(path, (context) => {
      if (allowed.has(context.req.method) && path === routePath(attachRoute.path)) {
        throw new TermError("BAD_REQUEST", "this address is a WebSocket: ask for an upgrade");
      }
      throw new WrongMethod(context.req.method, allowed);
    });
  }
  return app;
}

/** What is done by this request is recorded as its. */
function forRequest(core: HostCore, name: string, request: string): HostCore {
  const by = { request, act: auditActOf(name) };
  return {
    create: (actor, body) => core.create(actor, body, by),
    port: (actor, id, options) => core.port(actor, id, { ...by, ...options }),
    list: (actor, tag) => core.list(actor, tag),
    waitMany: (actor, body, signal) => core.waitMany(actor, body, signal),
    audit: (query) => core.audit(query),
    settled: () => core.settled(),
    events: core.events,
    server: () => core.server(),
    profiles: () => core.profiles(),
  };
}

/** A reply that is given again is a look at the session, too (AC2). `named`: what names it, the request's path or the reply. */
function refuseSealed(core: HostCore, actor: Actor, named: unknown): void {
  const { id } = named as { id?: string };
  if (id === undefined) return;
  try {
    core.port(actor, id);
  } catch (error) {
    if (error instanceof TermError && error.code === "SEALED") throw error;
  }
}

class WrongMethod extends TermError {
  readonly allow: string;
  constructor(method: string, allowed: ReadonlySet<string>) {
    super("METHOD_NOT_ALLOWED", `${method.slice(0, 20)} does not apply here`);
    const all = [...allowed].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name]));
    this.allow = all.join(", ");
  }
}

function allowOf(error: unknown): Record<string, string> {
  return error instanceof WrongMethod ? { allow: error.allow } : {};
}

function routePath(path: string): string {
  return apiBase + path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** An id that cannot be one names no session: the same answer as for one that is not there (T58). */
function checkParams(operation: Operation, params: Record<string, string>): unknown {
  const result = validate(operation.params, params, "params");
  if (result.kind === "value") return result.value;
  throw new TermError(
    "SESSION_NOT_FOUND",
    `there is no session ${JSON.stringify((params.id ?? "").slice(0, 40))}`,
  );
}

function checked(schema: z.ZodMiniType, value: unknown, root: string): unknown {
  const result = validate(schema, value, root);
  if (result.kind === "refused") throw result.error;
  return result.value;
}

/** No body is an empty one: a field that is needed is then named as missing. */
function checkBody(operation: Operation, body: unknown): unknown {
  if (!operation.body.safeParse(undefined).success) {
    return checked(operation.body, body === undefined ? {} : body, "body");
  }
  if (body === undefined) return undefined;
  throw badFields([{ path: "body", message: "is not taken here" }]);
}

function queryOf(url: string): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [key, value] of new URL(url).searchParams) {
    if (key === "__proto__")
      throw badFields([{ path: `query.${key}`, message: "is not a known field" }]);
    if (Object.hasOwn(query, key))
      throw badFields([{ path: `query.${key}`, message: "is given twice" }]);
    query[key] = value;
  }
  return query;
}
