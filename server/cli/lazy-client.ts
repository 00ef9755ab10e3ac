// The typed client for a process that makes a call or two: what describes an operation, its schemas above all, is loaded at its first call.
import type { ApiClient } from "#lib/client/api-client.ts";
import type { ApiClientOptions } from "#lib/client/call.ts";
import { type Loaders, laterCalls } from "#lib/client/later-calls.ts";
import * as sessionOperations from "#lib/protocol/operations/sessions.ts";

/** Most commands ask for a session by its name first. */
const sessions = async () => sessionOperations;
const terminal = () => import("#lib/protocol/operations/terminal.ts");
const journal = () => import("#lib/protocol/operations/journal.ts");
const waiting = () => import("#lib/protocol/operations/waiting.ts");
/** The seldom ones together: each part that is loaded by itself makes more files of the rest. */
const others = async () => (await import("#lib/protocol/operations/table.ts")).operations;

const loaders: Loaders = {
  createSession: sessions,
  listSessions: sessions,
  getSession: sessions,
  changeSession: sessions,
  closeSession: sessions,
  resizeSession: sessions,
  signalSession: sessions,
  readScreen: terminal,
  writeInput: terminal,
  sendMouse: terminal,
  readOutput: journal,
  listCommands: journal,
  getCommand: journal,
  readCommandOutput: journal,
  waitSession: waiting,
  waitMany: waiting,
  act: waiting,
  explainSession: waiting,
  readLease: others,
  changeLease: others,
  setAccess: others,
  requestHuman: others,
  readSessionAudit: others,
  listWrites: others,
  readAgentView: others,
  readAudit: others,
  readCapsule: others,
  listProfiles: others,
  createToken: others,
  listTokens: others,
  revokeToken: others,
  health: others,
  login: others,
  logout: others,
  createTicket: others,
  me: others,
};

export function createLazyClient(options: ApiClientOptions): ApiClient {
  return laterCalls(loaders, options) as ApiClient;
}
