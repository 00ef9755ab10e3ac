// The client of the dashboard: what `createApiClient` makes, but operations that a page which opens has no use for are loaded when they are
// first called. Half of all schemas are theirs, and each is made when its file is loaded.
import type { Operation } from "#lib/protocol/operations/operation.ts";
import * as server from "#lib/protocol/operations/server.ts";
import * as sessions from "#lib/protocol/operations/sessions.ts";
import type { Operations } from "#lib/protocol/operations/table.ts";
import type { ApiClient } from "./api-client.ts";
import { type AnyInput, type ApiClientOptions, call } from "./call.ts";
import { type Loaders, laterCalls } from "./later-calls.ts";

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

const later: Loaders<Exclude<keyof ApiClient, keyof typeof here>> = {
  readCapsule: events,
  readOutput: journal,
  listCommands: journal,
  getCommand: journal,
  readCommandOutput: journal,
  listProfiles: profiles,
  readLease: sharing,
  changeLease: sharing,
  setAccess: sharing,
  requestHuman: sharing,
  readSessionAudit: sharing,
  listWrites: sharing,
  readAgentView: sharing,
  readAudit: sharing,
  readScreen: terminal,
  writeInput: terminal,
  sendMouse: terminal,
  createToken: tokens,
  listTokens: tokens,
  revokeToken: tokens,
  waitSession: waiting,
  waitMany: waiting,
  act: waiting,
  explainSession: waiting,
};

export function createPageClient(options: ApiClientOptions): ApiClient {
  const client = laterCalls(later, options);
  for (const [name, operation] of Object.entries<Operation>(here))
    client[name] = (input: AnyInput = {}) => call(operation, input, options);
  return client as ApiClient;
}
