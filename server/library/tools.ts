// The tools of MC1 as plain definitions, for a model runtime that speaks no MCP: name, description, JSON schema, execute. The same table, the same
// rules, the same answers.
import { createApiClient } from "#lib/client/api-client.ts";
import type { Problem } from "#lib/protocol/errors.ts";
import { randomId } from "#lib/protocol/ids.ts";
import { callTool, problemKey } from "#server/host/mcp/call-tool.ts";
import { findTool, listTools } from "#server/host/mcp/table.ts";
import type { ToolAnnotations } from "#server/host/mcp/tool.ts";
import type { TerminalRegistry } from "./registry.ts";

export interface TerminalTool {
  readonly name: string;
  readonly title: string;
  /** For the model. */
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema: Readonly<Record<string, unknown>>;
  readonly annotations: ToolAnnotations;
  /** Never rejects: what is refused is a result, because a model can do something about it. */
  execute(args?: unknown, signal?: AbortSignal): Promise<TerminalToolResult>;
}

export interface TerminalToolResult {
  /** For the model. */
  readonly text: string;
  /** The reply as data; left out when it failed. */
  readonly structured?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
  /** Why it failed, for programs. */
  readonly problem?: Problem;
}

export function createTerminalTools(registry: TerminalRegistry): TerminalTool[] {
  const send = registry.agentApi;
  const api = createApiClient({
    baseUrl: "http://host.invalid",
    fetch: async (address, init) => send(new Request(address as string, init)),
  });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  return listTools("agent").map(({ annotations, ...listed }) => ({
    ...listed,
    annotations,
    async execute(args, signal = new AbortController().signal) {
      const tool = findTool(listed.name);
      if (!tool) throw new Error(`invariant: ${listed.name} is in the table`);
      const caller = { api, role: "agent", requestId: randomId(16), log } as const;
      const result = await callTool(tool, args, caller, signal);
      const text = result.content.map((part) => part.text).join("\n");
      const problem = result._meta?.[problemKey] as Problem | undefined;
      return {
        text,
        isError: result.isError === true,
        ...(result.structuredContent ? { structured: result.structuredContent } : {}),
        ...(problem ? { problem } : {}),
      };
    },
  }));
}

export function toolIndex(tools: readonly TerminalTool[]): ReadonlyMap<string, TerminalTool> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}
