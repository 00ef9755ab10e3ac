// One call of a tool: who may, what was given, what came of it. The same for every transport of MCP.
import type { ApiClient } from "#lib/client/api-client.ts";
import { type Problem, TermError } from "#lib/protocol/errors.ts";
import { validate } from "#lib/protocol/field-errors.ts";
import { sessionIdSchema } from "#lib/protocol/ids.ts";
import type { Role } from "#lib/protocol/roles.ts";
import { type ApiLog, problemOf } from "#server/host/api/problem.ts";
import { mayCall } from "./table.ts";
import type { Tool } from "./tool.ts";
import { failureOf, failureText } from "./tool-failure.ts";

/** Under this key of a failed call's `_meta` lies the whole problem document, for programs. */
export const problemKey = "cotty/problem";

export interface ToolCaller {
  readonly api: ApiClient;
  readonly role: Role;
  readonly requestId: string;
  readonly log: ApiLog;
}

export type ToolResult = {
  content: { type: "text"; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  _meta?: Record<string, unknown>;
};

/** Never throws: what is refused or fails is a result, because a model can do something about it. */
export async function callTool(
  tool: Tool,
  given: unknown,
  caller: ToolCaller,
  signal: AbortSignal,
): Promise<ToolResult> {
  try {
    if (!mayCall(caller.role, tool)) {
      const { action } = tool.operation;
      throw new TermError("FORBIDDEN", `role ${caller.role} may not ${action}`);
    }
    const input = validate(tool.input, given ?? {}, "arguments");
    if (input.kind === "refused") throw input.error;
    refuseImpossibleId(input.value);
    const { structured, text } = await tool.run(caller.api, input.value, signal);
    return {
      content: [{ type: "text", text }],
      structuredContent: structured as Record<string, unknown>,
    };
  } catch (error) {
    const { requestId, log } = caller;
    return failed(failureOf(error, requestId, tool.argumentOf) ?? problemOf(error, requestId, log));
  }
}

/** An id that cannot be one names no session: the same answer as for one that is not there (T58). */
function refuseImpossibleId(input: unknown): void {
  const { id } = input as { id?: string };
  if (id === undefined || sessionIdSchema.safeParse(id).success) return;
  throw new TermError(
    "SESSION_NOT_FOUND",
    `there is no session ${JSON.stringify(id.slice(0, 40))}`,
  );
}

function failed(problem: Problem): ToolResult {
  return {
    content: [{ type: "text", text: failureText(problem) }],
    isError: true,
    _meta: { [problemKey]: problem },
  };
}
