// Every tool once, in the order in which a model reads them, and as the protocol lists them.

import type * as z from "zod/mini";
import { toJSONSchema } from "zod/v4/core";
import { may, type Role } from "#lib/protocol/roles.ts";
import { terminalKey, terminalMouse, terminalSend, terminalSignal } from "./input-tools.ts";
import { terminalRequestHuman } from "./people-tools.ts";
import { terminalSnapshot } from "./screen-tools.ts";
import { terminalClose, terminalList, terminalOpen, terminalResize } from "./session-tools.ts";
import type { Tool, ToolAnnotations } from "./tool.ts";
import { terminalJournal, terminalOutput, terminalWait } from "./wait-tools.ts";

export const tools: readonly Tool[] = [
  terminalOpen,
  terminalSend,
  terminalWait,
  terminalSnapshot,
  terminalKey,
  terminalMouse,
  terminalSignal,
  terminalResize,
  terminalClose,
  terminalList,
  terminalJournal,
  terminalOutput,
  terminalRequestHuman,
];

export function findTool(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name);
}

/** The same table that the gate asks (SE7). */
export function mayCall(role: Role, tool: Tool): boolean {
  return may(role, tool.operation.action);
}

type JsonObject = { type: "object"; [key: string]: unknown };

/** As `tools/list` shows it. */
export interface ListedTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
  outputSchema: JsonObject;
  annotations: { title: string } & ToolAnnotations;
}

/** Made for the first who asks: at every start of a host it would be work for nobody. */
const listed = new Map<Tool, ListedTool>();

function listedTool(tool: Tool): ListedTool {
  const known = listed.get(tool);
  if (known) return known;
  const { name, title, description, annotations } = tool;
  const inputSchema = jsonSchema(tool.input, "input");
  const outputSchema = jsonSchema(tool.output, "output");
  const made: ListedTool = {
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations: { title, ...annotations },
  };
  listed.set(tool, made);
  return made;
}

export function listTools(role: Role): ListedTool[] {
  return tools.filter((tool) => mayCall(role, tool)).map(listedTool);
}

/** Both protocol eras want `type: object` at the root, which a union does not say by itself. */
function jsonSchema(schema: z.ZodMiniType, io: "input" | "output"): JsonObject {
  const { $schema: _dialect, ...json } = toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Bounds of every whole number there is: words without meaning, read by a model at every start.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // 350 characters that say in every place what `format` says.
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    },
  });
  return { ...json, type: "object" };
}
