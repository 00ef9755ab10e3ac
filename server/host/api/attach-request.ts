// An upgrade request judged before any socket exists (AT1, T50): is it an attach, to which session, and how. Pure.
import type { IncomingMessage } from "node:http";
import { type AttachQuery, attachProtocol, attachQuerySchema } from "#lib/protocol/attach.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { badFields, validate } from "#lib/protocol/field-errors.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { sessionIdSchema } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { attachRoute } from "#lib/protocol/operations/attach-route.ts";
import { apiBase } from "#lib/protocol/operations/operation.ts";

export interface AttachRequest {
  readonly session: string;
  readonly readonly: boolean;
  readonly since: number | undefined;
  /** Of the viewer's terminal, with `view=render`. */
  readonly render: GridSize | undefined;
  /** null: never; undefined: as the server is set. */
  readonly idleMs: number | null | undefined;
}

const [before = "", after = ""] = (apiBase + attachRoute.path).split("{id}");

/** Throws TermError NOT_FOUND, SESSION_NOT_FOUND, BAD_REQUEST, URI_TOO_LONG. */
export function readAttachRequest(
  request: Pick<IncomingMessage, "method" | "url" | "headers">,
): AttachRequest {
  const url = request.url ?? "";
  if (url.length > limits.urlBytes) {
    throw new TermError("URI_TOO_LONG", `an address may have at most ${limits.urlBytes} bytes`);
  }
  const mark = url.indexOf("?");
  const path = mark < 0 ? url : url.slice(0, mark);
  const id = path.slice(before.length, path.length - after.length);
  if (request.method !== "GET" || path !== before + id + after || id.includes("/")) {
    throw new TermError("NOT_FOUND", "there is no socket at this address");
  }
  checkHandshake(request.headers);
  if (!sessionIdSchema.safeParse(id).success) {
    throw new TermError("SESSION_NOT_FOUND", "there is no session of that id");
  }
  const query = readQuery(mark < 0 ? "" : url.slice(mark + 1));
  return {
    session: id,
    readonly: query.readonly === "1",
    since: query.since === undefined ? undefined : Number(query.since),
    render: sizeOf(query),
    idleMs: idleOf(query),
  };
}

function idleOf({ idle }: AttachQuery): number | null | undefined {
  if (idle === undefined) return undefined;
  return idle === "never" ? null : Number(idle) * 1_000;
}

function sizeOf({ view, cols, rows }: AttachQuery): GridSize | undefined {
  if (view !== "render" || cols === undefined || rows === undefined) return undefined;
  return { cols, rows };
}

/** What ws would refuse later, when the viewer is already counted. */
function checkHandshake(headers: IncomingMessage["headers"]): void {
  const isWebSocket =
    headers.upgrade?.toLowerCase() === "websocket" &&
    headers["sec-websocket-version"] === "13" &&
    /^[+/0-9A-Za-z]{22}==$/.test(headers["sec-websocket-key"] ?? "");
  if (!isWebSocket) {
    throw new TermError("BAD_REQUEST", "this is no WebSocket handshake of version 13");
  }
  const offered = (headers["sec-websocket-protocol"] ?? "").split(",").map((name) => name.trim());
  if (!offered.includes(attachProtocol)) {
    throw new TermError("BAD_REQUEST", `the subprotocol ${attachProtocol} is not offered`);
  }
}

function readQuery(text: string): AttachQuery {
  const query: Record<string, string> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    if (key === "__proto__" || Object.hasOwn(query, key)) {
      throw badFields([{ path: `query.${key}`, message: "is unknown or given twice" }]);
    }
    query[key] = value;
  }
  const result = validate(attachQuerySchema, query, "query");
  if (result.kind === "refused") throw result.error;
  return result.value;
}
