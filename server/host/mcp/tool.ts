// What a tool is: an operation of the API as a language model calls it. Knows no transport and decides nothing: whatever it does goes
// through the typed client, so HTTP and MCP cannot come to differ.
import type * as z from "zod/mini";
import type { ApiClient } from "#lib/client/api-client.ts";
import type { Operation } from "#lib/protocol/operations/operation.ts";

/** All four hints, always: what is left out means "destructive, open world" to a client. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** What a call came to: the reply as data, and the same in as few words as a reader needs. */
export interface ToolReply<Structured = unknown> {
  readonly structured: Structured;
  readonly text: string;
}

export interface Tool<Input = unknown, Structured = unknown> {
  readonly name: `terminal_${string}`;
  readonly title: string;
  /** Read by language models: what it does, when to use it, one example where the form is not obvious. */
  readonly description: string;
  /** Whose action it is: who may not do that neither sees the tool nor may call it. */
  readonly operation: Operation;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodMiniType<Input>;
  readonly output: z.ZodMiniType<Structured>;
  /** An argument by the name it has here, where the operation's error names it `arguments.` and its own path. */
  argumentOf?(path: string): string;
  run(api: ApiClient, input: Input, signal: AbortSignal): Promise<ToolReply<Structured>>;
}

/** Declares a tool with the types of its own schemas, and forgets them: the table holds tools of every kind. */
export function tool<I extends z.ZodMiniType, O extends z.ZodMiniType>(
  declared: {
    readonly [K in keyof Tool]: K extends "input"
      ? I
      : K extends "output"
        ? O
        : K extends "run"
          ? (
              api: ApiClient,
              input: z.output<I>,
              signal: AbortSignal,
            ) => Promise<ToolReply<z.output<O>>>
          : Tool[K];
  },
): Tool {
  return declared as unknown as Tool;
}
