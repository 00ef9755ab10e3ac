// The official MCP client as tests use it. Every structured reply is checked against the schema that the server listed for its tool.
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { type Problem, problemSchema } from "#lib/protocol/errors.ts";
import { problemKey } from "#server/host/mcp/call-tool.ts";

/** The revisions with a handshake, and the one where each request stands alone. */
export const eras = ["2025", "2026"] as const;
export type Era = (typeof eras)[number];

export interface ToolAnswer<T = Record<string, unknown>> {
  readonly text: string;
  readonly structured: T;
}

export interface McpTestClient {
  readonly client: Client;
  readonly tools: Awaited<ReturnType<Client["listTools"]>>["tools"];
  /** Throws when the call is refused or the reply does not fit the tool's own schema. */
  call<T = Record<string, unknown>>(
    name: string,
    args?: Record<string, unknown>,
  ): Promise<ToolAnswer<T>>;
  /** The problem of a call that must be refused. */
  refused(name: string, args?: Record<string, unknown>): Promise<Problem & { text: string }>;
  close(): Promise<void>;
}

export function httpTransport(origin: string, token: string): Transport {
  return new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  });
}

export async function connectMcp(transport: Transport, era: Era): Promise<McpTestClient> {
  const mode = era === "2025" ? "legacy" : { pin: "2026-07-28" };
  const client = new Client(
    { name: "cotty-test", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  await client.connect(transport);
  const { tools } = await client.listTools();
  const validator = new AjvJsonSchemaValidator();
  const fits = new Map(
    tools.map(({ name, outputSchema }) => [name, validator.getValidator(outputSchema ?? {})]),
  );
  const textOf = (content: { type: string; text?: string }[]) =>
    content.map(({ type, text }) => (type === "text" ? text : `<${type}>`)).join("\n");

  return {
    client,
    tools,
    async call<T>(name: string, args: Record<string, unknown> = {}) {
      const result = await client.callTool({ name, arguments: args });
      const text = textOf(result.content);
      if (result.isError) throw new Error(`${name} was refused: ${text}`);
      const check = fits.get(name)?.(result.structuredContent);
      if (!check?.valid) throw new Error(`${name}'s reply does not fit: ${check?.errorMessage}`);
      if (text === "") throw new Error(`${name} said nothing`);
      return { text, structured: result.structuredContent as T };
    },
    async refused(name, args = {}) {
      const result = await client.callTool({ name, arguments: args });
      const text = textOf(result.content);
      if (!result.isError) throw new Error(`${name} was not refused: ${text}`);
      const problem = problemSchema.parse(result._meta?.[problemKey]);
      if (
        text !== "" &&
        !text.startsWith(`${problem.code}: ${problem.detail}\nhint: ${problem.hint}`)
      )
        throw new Error(`the text says something else than the problem: ${text}`);
      return { ...problem, text };
    },
    close: () => client.close(),
  };
}
