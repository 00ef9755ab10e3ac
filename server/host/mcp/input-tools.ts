// Tools that act on the program in a session: type, press keys, use the mouse, send a signal.
import * as z from "zod/mini";
import { type Held, inputSchema, type WriteReply, writeReplySchema } from "#lib/protocol/input.ts";
import { limits } from "#lib/protocol/limits.ts";
import { mouseEventSchema } from "#lib/protocol/mouse.ts";
import { signalSession } from "#lib/protocol/operations/sessions.ts";
import { sendMouse, writeInput } from "#lib/protocol/operations/terminal.ts";
import { signalSchema } from "#lib/protocol/session.ts";
import { actReplySchema, actSchema, writeSchema } from "#lib/protocol/wait.ts";
import { handoverText } from "./handover-text.ts";
import { idempotencyArgument, once } from "./once.ts";
import { sessionArgument } from "./session-tools.ts";
import { tool } from "./tool.ts";
import { outputText, verdictText, waitFields } from "./wait-tools.ts";

const acts = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
} as const;

export const terminalSend = tool({
  name: "terminal_send",
  title: "Type into a terminal",
  description:
    "Type an ordered batch into a session: all of it in this order with nobody else's keys in between, or nothing. Items are " +
    '{"text":"…"} (typed; a line feed is Enter, a tab is Tab and completes), {"text":"…","paste":true} (arrives as one paste; use it for code and for more than a line), ' +
    '{"key":"Enter"} (named key, e.g. Escape, Tab, Up, C-c, M-x, F5) and {"raw":"…"} (characters exactly as given). ' +
    "With wait, it also waits until the command is done or the program wants input (wait: {}), or for what you say, and brings back what was printed: " +
    "one call for type, wait and read. Without, it returns at once.\n" +
    'Examples: {"id":"…","input":[{"text":"ls -la\\n"}],"wait":{}}; save and quit vim: {"id":"…","input":[{"key":"Escape"},{"text":":wq"},{"key":"Enter"}]}.',
  operation: writeInput,
  annotations: acts,
  input: z.strictObject({
    id: sessionArgument,
    input: inputSchema.shape.input,
    gap_ms: inputSchema.shape.gap_ms.check(
      z.describe("Pause between text and an Enter behind it, in ms; 30 unless given, 0 for none."),
    ),
    if_draft: writeSchema.shape.if_draft.check(
      z.describe(
        "After DRAFT_PENDING, once the keyboard is yours: clear takes away what a person left on the line, keep types behind it.",
      ),
    ),
    note: writeSchema.shape.note.check(
      z.describe("Why, in a few words; people see it, the program does not."),
    ),
    // Its schema is long, and terminal_wait has it already.
    wait: z
      .optional(z.pipe(z.record(z.string(), z.unknown()), z.strictObject(waitFields)))
      .check(
        z.describe(
          "What to wait for afterwards, with terminal_wait's for, timeout_ms, through_credential and max_bytes; {} for the command's end or a question.",
        ),
      ),
    read: actSchema.shape.read.check(
      z.describe(
        "What comes back after the wait: delta (what was printed, unless given), command (its record and output), screen, none. Without wait it means wait: {}.",
      ),
    ),
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({
    ...writeReplySchema.shape,
    wait: z.optional(actReplySchema.shape.wait),
    delta: actReplySchema.shape.delta,
    screen: actReplySchema.shape.screen,
    command: actReplySchema.shape.command,
    handover: actReplySchema.shape.handover,
  }),
  argumentOf: (path) => path.replace(/^arguments\.for\b/, "arguments.wait.for"),
  async run(api, { id, wait, read, idempotency_key, ...body }, signal) {
    const call = { params: { id }, signal, ...once(idempotency_key) };
    if (wait === undefined && read === undefined)
      return reply(await api.writeInput({ ...call, body }));
    const waited = { max_bytes: limits.toolOutputBytes, ...wait };
    const structured = await api.act({ ...call, body: { ...body, wait: waited, read } });
    const { delta, command, screen } = structured;
    const output = delta ?? command?.output;
    const text = [
      ...handoverText(structured.handover),
      ...heldText(structured.held),
      verdictText(structured.wait),
      ...(output ? [outputText(output, structured.wait.next)] : []),
      ...(screen && "text" in screen ? [screen.text] : []),
    ].join("\n");
    return { structured, text };
  },
});

export const terminalKey = tool({
  name: "terminal_key",
  title: "Press keys in a terminal",
  description:
    "Press one or more named keys, in order, as one unit. Use it to drive menus and full-screen programs, and to interrupt: " +
    "C-c ends the running command, C-d ends input, q or Escape leaves most viewers. Names: Enter, Escape, Tab, BTab, Backspace, " +
    "Delete, Up, Down, Left, Right, Home, End, PgUp, PgDn, Space, F1 to F12, single characters, with C- (Ctrl), M- (Alt), S- (Shift) in front.\n" +
    'Examples: {"id":"…","keys":["C-c"]}; {"id":"…","keys":["Down","Down","Enter"]}.',
  operation: writeInput,
  annotations: acts,
  input: z.strictObject({
    id: sessionArgument,
    keys: z
      .array(z.string().check(z.minLength(1), z.maxLength(40)))
      .check(z.minLength(1), z.maxLength(limits.inputItems)),
    idempotency_key: idempotencyArgument,
  }),
  output: writeReplySchema,
  argumentOf: (path) => path.replace(/^arguments\.input\.(\d+)\.key/, "arguments.keys.$1"),
  async run(api, { id, keys, idempotency_key }, signal) {
    const input = keys.map((key) => ({ key }));
    const call = { params: { id }, signal, ...once(idempotency_key) };
    return reply(await api.writeInput({ ...call, body: { input } }));
  },
});

export const terminalMouse = tool({
  name: "terminal_mouse",
  title: "Use the mouse in a terminal",
  description:
    "Send one mouse event to the program, at a cell counted from 0 (x to the right, y down: the row numbers of terminal_snapshot). " +
    "Works only while the program takes the mouse (the snapshot's first line then says mouse=…); it is refused with the reason otherwise. " +
    "Prefer keys where there is a choice.\n" +
    'Examples: {"id":"…","type":"click","x":10,"y":4}; {"id":"…","type":"scroll","button":"wheel-down","x":10,"y":4}.',
  operation: sendMouse,
  annotations: acts,
  input: z.strictObject({
    id: sessionArgument,
    ...mouseEventSchema.shape,
    idempotency_key: idempotencyArgument,
  }),
  output: z.object({ reports: z.int() }),
  async run(api, { id, idempotency_key, ...body }, signal) {
    const call = { params: { id }, signal, ...once(idempotency_key) };
    const structured = await api.sendMouse({ ...call, body });
    return { structured, text: `the program got ${count(structured.reports, "report")}` };
  },
});

export const terminalSignal = tool({
  name: "terminal_signal",
  title: "Signal a terminal's program",
  description:
    "Send a signal to the program in front; the session stays. For a program that takes no C-c, or reloads at HUP or USR1; try terminal_key with C-c first.",
  operation: signalSession,
  annotations: acts,
  input: z.strictObject({ id: sessionArgument, signal: signalSchema }),
  output: z.object({ id: z.string(), signal: signalSchema }),
  async run(api, { id, signal: name }, signal) {
    await api.signalSession({ params: { id }, body: { signal: name }, signal });
    return { structured: { id, signal: name }, text: `sent ${name} to the program in front` };
  },
});

function reply(structured: WriteReply) {
  const { written, held } = structured;
  return { structured, text: [`typed ${count(written, "item")}`, ...heldText(held)].join("\n") };
}

function heldText(held: Held | undefined): readonly string[] {
  if (!held) return [];
  const { waited_ms, ended_by } = held;
  return ended_by === "prompt"
    ? [`it waited ${waited_ms} ms for the shell's first prompt`]
    : [`the shell showed no prompt in ${waited_ms} ms (${ended_by}); it was typed all the same`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
