// The table: every operation once. Routes, the gate's rows, the typed client and the documents are loops over it.
import { readCapsule, streamEvents } from "./events.ts";
import { getCommand, listCommands, readCommandOutput, readOutput } from "./journal.ts";
import { listProfiles } from "./profiles.ts";
import * as server from "./server.ts";
import {
  changeSession,
  closeSession,
  createSession,
  getSession,
  listSessions,
  resizeSession,
  signalSession,
} from "./sessions.ts";
import * as sharing from "./sharing.ts";
import { readScreen, sendMouse, writeInput } from "./terminal.ts";
import * as tokens from "./tokens.ts";
import { act, explainSession, waitMany, waitSession } from "./waiting.ts";

export const operations = {
  createSession,
  listSessions,
  getSession,
  changeSession,
  closeSession,
  resizeSession,
  signalSession,
  readScreen,
  readOutput,
  listCommands,
  getCommand,
  readCommandOutput,
  writeInput,
  sendMouse,
  waitSession,
  waitMany,
  act,
  explainSession,
  readLease: sharing.readLease,
  changeLease: sharing.changeLease,
  setAccess: sharing.setAccess,
  requestHuman: sharing.requestHuman,
  readSessionAudit: sharing.readSessionAudit,
  listWrites: sharing.listWrites,
  readAgentView: sharing.readAgentView,
  readAudit: sharing.readAudit,
  streamEvents,
  readCapsule,
  listProfiles,
  createToken: tokens.createToken,
  listTokens: tokens.listTokens,
  revokeToken: tokens.revokeToken,
  health: server.health,
  login: server.login,
  logout: server.logout,
  createTicket: server.createTicket,
  me: server.me,
} as const;

export type Operations = typeof operations;
export type OperationName = keyof Operations;

/** Where MCP is spoken (MC1): beside the API, one address, a bearer token only. Streamable HTTP without sessions needs POST alone. */
export const mcpRoute = { path: "/mcp", method: "POST", action: "mcp.use" } as const;
