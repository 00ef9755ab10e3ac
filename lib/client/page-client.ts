// The client of the dashboard: what `createApiClient` makes, but operations that a page which opens has no use for are loaded when they are
// first called. Half of all schemas are theirs, and each is made when its file is loaded.
import type { Operation } from "#lib/protocol/operations/operation.ts";
import * as server from "#lib/protocol/operations/server.ts";
import * as sessions from "#lib/protocol/operations/sessions.ts";
import type { Operations } from "#lib/protocol/operations/table.ts";
import type { ApiClient } from "./api-client.ts";
import { ApiError } from "./api-error.ts";
import { type AnyInput, type ApiClientOptions, call } from "./call.ts";

type Name = keyof ApiClient;

const { createSession, listSessions, getSession, changeSession, closeSession } = sessions;
const { resizeSession, signalSession } = sessions;
const { health, login, logout, createTicket, me } = server;
const here = {
  createSession,
  listSessions,
  getSession,
  changeSession,
  closeSession,
  resizeSession,
  signalSession,
  health,
  login,
  logout,
  createTicket,
  me,
} as const satisfies Partial<Operations>;

const events = () => import("#lib/protocol/operations/events.ts");
const journal = () => import("#lib/protocol/operations/journal.ts");
const profiles = () => import("#lib/protocol/operations/profiles.ts");
const sharing = () => import("#lib/protocol/operations/sharing.ts");
const terminal = () => import("#lib/protocol/operations/terminal.ts");
const tokens = () => import("#lib/protocol/operations/tokens.ts");
const waiting = () => import("#lib/protocol/operations/waiting.ts");

const later: { readonly [N in Exclude<Name, keyof typeof here>]: () => Promise<Operations[N]> } = {
  readCapsule: async () => (await events()).readCapsule,
  readOutput: async () => (await journal()).readOutput,
  listCommands: async () => (await journal()).listCommands,
  getCommand: async () => (await journal()).getCommand,
  readCommandOutput: async () => (await journal()).readCommandOutput,
  listProfiles: async () => (await profiles()).listProfiles,
  readLease: async () => (await sharing()).readLease,
  changeLease: async () => (await sharing()).changeLease,
  setAccess: async () => (await sharing()).setAccess,
  requestHuman: async () => (await sharing()).requestHuman,
  readSessionAudit: async () => (await sharing()).readSessionAudit,
  listWrites: async () => (await sharing()).listWrites,
  readAgentView: async () => (await sharing()).readAgentView,
  readAudit: async () => (await sharing()).readAudit,
  readScreen: async () => (await terminal()).readScreen,
  writeInput: async () => (await terminal()).writeInput,
  sendMouse: async () => (await terminal()).sendMouse,
  createToken: async () => (await tokens()).createToken,
  listTokens: async () => (await tokens()).listTokens,
  revokeToken: async () => (await tokens()).revokeToken,
  waitSession: async () => (await waiting()).waitSession,
  waitMany: async () => (await waiting()).waitMany,
  act: async () => (await waiting()).act,
  explainSession: async () => (await waiting()).explainSession,
};

export function createPageClient(options: ApiClientOptions): ApiClient {
  const client: Record<string, unknown> = {};
  for (const [name, operation] of Object.entries<Operation>(here))
    client[name] = (input: AnyInput = {}) => call(operation, input, options);
  for (const [name, load] of Object.entries<() => Promise<Operation>>(later))
    client[name] = async (input: AnyInput = {}) => call(await loaded(load), input, options);
  return client as ApiClient;
}

/** A server that is not there for its files is not there for the call either. */
async function loaded(load: () => Promise<Operation>): Promise<Operation> {
  try {
    return await load();
  } catch (error) {
    throw new ApiError({ kind: "unreachable", detail: `no answer from the server (${error})` });
  }
}
