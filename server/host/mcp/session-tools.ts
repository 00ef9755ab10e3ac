// Tools on sessions as such: open, list, resize, close.
import * as z from "zod/mini";
import { gridSizeSchema } from "#lib/protocol/geometry.ts";
import {
  closeSession,
  createSession,
  listSessions,
  resizeSession,
} from "#lib/protocol/operations/sessions.ts";
import {
  createSessionSchema,
  isSealed,
  type ListedSession,
  listedSessionSchema,
  type SessionInfo,
  sessionInfoSchema,
  signalSchema,
} from "#lib/protocol/session.ts";
import { idempotencyArgument, once } from "./once.ts";
import { tool } from "./tool.ts";

export const sessionArgument = z
  .string()
  .check(z.maxLength(64), z.describe("From terminal_open or terminal_list."));

const create = createSessionSchema.shape;

export const terminalOpen = tool({
  name: "terminal_open",
  title: "Open a terminal",
  description:
    "Start a program in a new terminal that people can watch and share; without a command, the user's shell. " +
    "Use it for anything interactive or long-running: shells, editors, REPLs, servers, agents. " +
    "Keep the id for the other tools; what you send to a shell waits for its first prompt; close it with terminal_close.\n" +
    'Examples: {} for a shell; {"command":["vim","notes.txt"],"cwd":"/srv/app"}; {"command":["sh","-c","make && make test"]}.',
  operation: createSession,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: true,
  },
  input: z.strictObject({
    profile: create.profile.check(
      z.describe("Instead of a command: a launch profile of this machine by its name."),
    ),
    command: create.command.check(
      z.describe(
        'Program and arguments, one string each; no shell reads them. For shell syntax: ["sh","-c","…"].',
      ),
    ),
    name: create.name.check(z.describe("What people see as the tab's name.")),
    cwd: create.cwd.check(z.describe("Working directory, absolute.")),
    env: create.env.check(z.describe("Variables on top of the server's environment.")),
    secrets: z
      .optional(z.record(z.string(), z.string()))
      .check(z.describe("Variable: name of a secret the owner defined. You never see values.")),
    cols: create.cols.check(z.describe("Width in cells; 80 unless given.")),
    rows: create.rows.check(z.describe("Height in cells; 24 unless given.")),
    term: create.term.check(z.describe("TERM; xterm-256color unless given.")),
    tags: create.tags.check(
      z.describe("Labels of your own, to find your sessions with terminal_list."),
    ),
    idempotency_key: idempotencyArgument,
  }),
  output: sessionInfoSchema,
  async run(api, { idempotency_key, secrets, ...rest }, signal) {
    const body = secrets ? { ...rest, secrets: namedSecrets(secrets) } : rest;
    const session = await api.createSession({ body, signal, ...once(idempotency_key) });
    return { structured: session, text: `opened ${line(session)}` };
  },
});

/** An agent can use no others. */
function namedSecrets(secrets: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(secrets).map(([name, named]) => [name, { named }]));
}

export const terminalList = tool({
  name: "terminal_list",
  title: "List terminals",
  description:
    "All terminal sessions, oldest first: id, name, what runs in them, whether they have exited. " +
    "Use it to find a session again or to see what others have open.",
  operation: listSessions,
  annotations: {
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: z.strictObject({
    tag: z
      .optional(z.string().check(z.maxLength(100)))
      .check(z.describe("Only sessions that carry this tag.")),
  }),
  output: z.object({ sessions: z.array(listedSessionSchema) }),
  async run(api, { tag }, signal) {
    const { sessions } = await api.listSessions({
      query: tag === undefined ? {} : { tag },
      signal,
    });
    const text = sessions.length === 0 ? "no sessions" : sessions.map(entry).join("\n");
    return { structured: { sessions }, text };
  },
});

export const terminalResize = tool({
  name: "terminal_resize",
  title: "Resize a terminal",
  description:
    "Set a session's size in cells, e.g. 120x40 for a wide table. " +
    "The size holds until a person types in the session.",
  operation: resizeSession,
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: z.strictObject({ id: sessionArgument, ...gridSizeSchema.shape }),
  output: sessionInfoSchema,
  async run(api, { id, ...size }, signal) {
    const session = await api.resizeSession({ params: { id }, body: size, signal });
    return { structured: session, text: `${session.id} is ${session.cols}x${session.rows}` };
  },
});

export const terminalClose = tool({
  name: "terminal_close",
  title: "Close a terminal",
  description:
    "End a session for good: its programs are signalled (HUP unless you name another), killed after 3 s, and its screen is forgotten. " +
    "Read what you still need with terminal_snapshot first. To stop only what runs: terminal_key with C-c, or terminal_signal.",
  operation: closeSession,
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  input: z.strictObject({
    id: sessionArgument,
    signal: z.optional(signalSchema).check(z.describe("HUP unless given.")),
  }),
  output: z.object({ id: z.string(), closed: z.literal(true) }),
  async run(api, { id, signal: signalName }, signal) {
    await api.closeSession({
      params: { id },
      query: signalName === undefined ? {} : { signal: signalName },
      signal,
    });
    return { structured: { id, closed: true as const }, text: `closed ${id}` };
  },
});

function entry(session: ListedSession): string {
  return isSealed(session) ? `${session.id} sealed: people keep agents out of it` : line(session);
}

/** Words of programs and people are quoted: they must not be able to pass for ours. */
function line(session: SessionInfo): string {
  const {
    id,
    name,
    cols,
    rows,
    command,
    foreground,
    exited,
    exit_code,
    signal,
    title,
    lease,
    need,
  } = session;
  const state = exited ? `exited ${signal ?? exit_code}` : session.phase;
  return [
    id,
    JSON.stringify(name),
    state,
    `${cols}x${rows}`,
    JSON.stringify(foreground ?? command.join(" ").slice(0, 100)),
    ...(lease.holder === "agent" ? [] : [`keyboard=${lease.cause}`]),
    ...(need === null ? [] : [`needs_human=${need.reason}`]),
    ...(title === "" ? [] : [`title=${JSON.stringify(title)}`]),
  ].join(" ");
}
