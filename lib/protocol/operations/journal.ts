// Operations on commands and on output as text (OP3).
import * as z from "zod/mini";
import {
  commandIndexSchema,
  commandListSchema,
  commandOutputQuerySchema,
  commandRecordSchema,
  commandsQuerySchema,
  outputQuerySchema,
  outputReplySchema,
} from "../journal.ts";
import { operation } from "./operation.ts";
import { noBody, none, oneSession } from "./sessions.ts";

const oneCommand = z.strictObject({ ...oneSession.shape, index: commandIndexSchema });

export const readOutput = operation({
  name: "read_output",
  method: "GET",
  path: "/sessions/{id}/output",
  summary:
    "Text printed after a cursor, in whole rows, at most max_bytes; since=now tells the present cursor and no text, tail=N the last N lines.",
  action: "journal.read",
  by: "host",
  params: oneSession,
  query: outputQuerySchema,
  body: noBody,
  status: 200,
  reply: outputReplySchema,
  errors: ["SESSION_NOT_FOUND", "SEALED"],
});

export const listCommands = operation({
  name: "list_commands",
  method: "GET",
  path: "/sessions/{id}/commands",
  summary:
    "The commands that the shell announced, oldest first; the newest 20 unless asked otherwise.",
  action: "journal.read",
  by: "host",
  params: oneSession,
  query: commandsQuerySchema,
  body: noBody,
  status: 200,
  reply: commandListSchema,
  errors: ["SESSION_NOT_FOUND", "SEALED"],
});

export const getCommand = operation({
  name: "get_command",
  method: "GET",
  path: "/sessions/{id}/commands/{index}",
  summary: "One command by its index, or the latest.",
  action: "journal.read",
  by: "host",
  params: oneCommand,
  query: none,
  body: noBody,
  status: 200,
  reply: commandRecordSchema,
  errors: ["SESSION_NOT_FOUND", "SEALED", "COMMAND_NOT_FOUND"],
});

export const readCommandOutput = operation({
  name: "read_command_output",
  method: "GET",
  path: "/sessions/{id}/commands/{index}/output",
  summary:
    "What one command printed, at most max_bytes, or with tail=N its last N lines; what survives when the beginning has left the scrollback.",
  action: "journal.read",
  by: "host",
  params: oneCommand,
  query: commandOutputQuerySchema,
  body: noBody,
  status: 200,
  reply: z.object({ record: commandRecordSchema, output: outputReplySchema }),
  errors: ["SESSION_NOT_FOUND", "SEALED", "COMMAND_NOT_FOUND"],
});
