// `/mcp` on the host's socket (MC1): Streamable HTTP of both protocol eras, without sessions of its own. Each request stands alone and
// carries its actor, so nothing outlives a credential and there is no session id to guess or to steal (T43).
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { createApiClient } from "#lib/client/api-client.ts";
import { actorHeader, hostKeyHeader, requestIdHeader } from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { badFields } from "#lib/protocol/field-errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { mcpRoute } from "#lib/protocol/operations/table.ts";
import { discardBody, readJsonBody } from "#server/host/api/body.ts";
import { type CallerCheck, type HeaderReader, requestIdOf } from "#server/host/api/caller.ts";
import { type ApiLog, problemOf, problemResponse } from "#server/host/api/problem.ts";
import { RequestBudget } from "#server/host/api/request-budget.ts";
import type { ToolCaller } from "./call-tool.ts";
import { createMcpServer, loadMcpLibrary } from "./mcp-server.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

export interface McpEndpointOptions {
  /** The operations: what a tool does is what the same actor's request would do. */
  readonly api: Fetch;
  readonly caller: CallerCheck;
  readonly log: ApiLog;
  readonly version: string;
  readonly clock?: Clock;
}

/** Stands for this process in addresses that never leave it. */
const inside = "http://host.invalid";

export function createMcpEndpoint(options: McpEndpointOptions): Fetch {
  const { api, caller, log, version, clock = systemClock } = options;
  const budget = new RequestBudget(clock);
  let handler: Promise<McpHandler> | undefined;

  const answer = async (request: Request, requestId: string): Promise<Response> => {
    const header: HeaderReader = (name) => request.headers.get(name) ?? undefined;
    const actor = caller.actor(header);
    budget.take(actor.id);
    if (request.method !== mcpRoute.method) {
      throw new TermError(
        "METHOD_NOT_ALLOWED",
        `${request.method.slice(0, 20)} does not apply here`,
      );
    }
    const parsedBody = await readJsonBody(request, limits.mcpDepth);
    checkMessages(parsedBody);
    const headers = {
      [hostKeyHeader]: header(hostKeyHeader) ?? "",
      [actorHeader]: header(actorHeader) ?? "",
      [requestIdHeader]: requestId,
    };
    const client = createApiClient({
      baseUrl: inside,
      headers: () => headers,
      fetch: async (address, init) => api(new Request(address, init)),
    });
    const toolCaller: ToolCaller = { api: client, role: actor.role, requestId, log };
    handler ??= openHandler(version, log);
    // The library's own field for what is known of the caller; it passes it on and does not look into it.
    const authInfo = { token: "", clientId: actor.id, scopes: [], extra: { toolCaller } };
    // The library listens on its request's signal with what holds the request. On the door's own that is a circle through undici's
    // finalizers which is never collected (measured: 26 KB a message); on this one it is not.
    const bare = new Request(`${inside}${mcpRoute.path}`, {
      method: request.method,
      headers: request.headers,
      signal: request.signal,
    });
    return (await handler).fetch(bare, { parsedBody, authInfo });
  };

  return async (request) => {
    const requestId = requestIdOf((name) => request.headers.get(name) ?? undefined);
    let response: Response;
    try {
      response = await answer(request, requestId);
    } catch (error) {
      await discardBody(request, clock);
      const headers: Record<string, string> =
        request.method === mcpRoute.method ? {} : { allow: mcpRoute.method };
      response = problemResponse(problemOf(error, requestId, log), headers);
    }
    // The library's, on its streams; how long a connection lives is for the door to say.
    response.headers.delete("connection");
    response.headers.set(requestIdHeader, requestId);
    return response;
  };
}

interface McpHandler {
  fetch(request: Request, given: { parsedBody: unknown; authInfo: object }): Promise<Response>;
}

async function openHandler(version: string, log: ApiLog): Promise<McpHandler> {
  const library = await loadMcpLibrary();
  return library.createMcpHandler(
    ({ authInfo }) =>
      createMcpServer({
        library,
        version,
        caller: () => authInfo?.extra?.toolCaller as ToolCaller,
      }),
    {
      onerror: (error) => log.info({ err: error.message.slice(0, 300) }, "an MCP message failed"),
      maxRequestBodySize: limits.bodyBytes,
    },
  ) as McpHandler;
}

/** Lists of messages exist in the oldest era only; one of them could ask for a thousand answers. */
function checkMessages(body: unknown): void {
  if (body === undefined) throw badFields([{ path: "body", message: "is missing" }]);
  if (!Array.isArray(body) || body.length <= limits.mcpBatch) return;
  const message = `must be one message, or a list of at most ${limits.mcpBatch}`;
  throw badFields([{ path: "body", message }]);
}
