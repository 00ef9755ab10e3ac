// Who may do what: role x action. The gate asks this table and nothing below it asks again (SE7).
import * as z from "zod/mini";

export const actions = [
  "session.list",
  "event.read",
  "session.create",
  "profile.list",
  "session.read",
  "session.change",
  "session.close",
  "session.signal",
  "session.resize",
  "screen.read",
  "journal.read",
  "wait",
  "input.write",
  /** Taking, holding and handing back the keyboard, and correcting the detection of passwords: for people. */
  "lease.change",
  "lease.read",
  /** What agents may do with a session: for people. */
  "access.change",
  "human.request",
  "audit.read",
  "self.read",
  /** To speak MCP at all; each tool asks for its own action besides. */
  "mcp.use",
  "ticket.create",
  "login.end",
  /** Making, listing and ending tokens: for people at the dashboard. */
  "token.manage",
  /** Routes that need no credential: health, login. */
  "public",
] as const;
export type Action = (typeof actions)[number];

/** owner: a person, or a token with a person's powers. agent: a program that drives sessions. viewer: looks only. */
export const roleSchema = z.enum(["owner", "agent", "viewer"]);
export type Role = z.infer<typeof roleSchema>;

const viewerActions: readonly Action[] = [
  "session.list",
  "event.read",
  "session.read",
  "screen.read",
  "journal.read",
  "lease.read",
  "self.read",
  "mcp.use",
  "ticket.create",
  "login.end",
  "public",
];
const agentActions: readonly Action[] = [
  ...viewerActions,
  "session.create",
  "profile.list",
  "session.change",
  "session.close",
  "session.signal",
  "session.resize",
  "input.write",
  "wait",
  "human.request",
];

const allowed: Record<Role, ReadonlySet<Action>> = {
  owner: new Set(actions),
  agent: new Set(agentActions),
  viewer: new Set(viewerActions),
};

export function may(role: Role, action: Action): boolean {
  return allowed[role].has(action);
}
