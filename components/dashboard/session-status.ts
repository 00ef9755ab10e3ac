// What the dashboard says about a session beyond its status: what runs in it, how it is found, in which group it stands.

import type { Strings } from "#components/strings/strings.ts";
import type { ServerLink } from "#lib/client/session-feed.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { type StatusView, type UiGroup, type UiStatus, uiStatus } from "#lib/store/ui-status.ts";

export const groupOrder: readonly UiGroup[] = ["needs_you", "working", "idle", "exited"];

const shells = /^-?(ba|z|fi|da|k|mk|a|c|tc|el|x|nu)?sh$|^nu$|^pwsh$/;

export function programName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** An interactive shell: it waits at its prompt while nothing else is in the foreground. */
export function isShell(command: readonly string[]): boolean {
  const [program, ...args] = command;
  if (program === undefined) return true;
  if (!shells.test(programName(program))) return false;
  // `sh -c …` or `sh script`: a program that ends, not a prompt.
  return args.every((arg) => arg.startsWith("-") && !/^-[a-z]*c/.test(arg));
}

/** The program that would be lost if the session ended now; null at a shell's prompt or after the end. */
export function runningProgram(session: SessionInfo): string | null {
  if (session.exited) return null;
  if (session.foreground !== null) return programName(session.foreground);
  return isShell(session.command) ? null : programName(session.command[0] ?? "");
}

export function statusOf(
  session: SessionInfo,
  link: Pick<ServerLink, "kind">,
  view?: StatusView,
): UiStatus {
  return uiStatus(session, link, view);
}

/** The status as a word of the dictionary. */
export function statusWord(status: UiStatus, session: SessionInfo, s: Strings): string {
  switch (status.state) {
    case "running":
      return session.phase === "starting" ? s.status.starting : s.status.working;
    case "ready":
      return s.status.ready;
    case "secret":
      return s.keyboard.status.password;
    case "attention":
      return s.keyboard.status.needsYou;
    case "human":
      return s.keyboard.status.you;
    case "held":
      return s.keyboard.status.held;
    case "acting":
      return s.keyboard.status.typing;
    case "viewing":
      return s.keyboard.status.looking;
    case "observe":
      return s.keyboard.status.readOnly;
    case "sealed":
      return s.keyboard.status.sealed;
    case "other":
      // A name is the same in every language.
      return session.lease.actor === null ? s.keyboard.other.someone : status.word;
    case "offline":
      return s.status.offline;
    case "done":
      return s.status.done;
    case "failed":
      return session.exit_code !== null
        ? s.status.exit(session.exit_code)
        : s.status.killed(session.signal ?? s.status.ended);
  }
}

/**
 * Groups in their fixed order, each in order of creation, so that cards do not jump while one aims at them. `needing`: ids of those that
 * need somebody for a reason that their status does not show. `held`: groups that stay as they are, by id.
 */
export function grouped(
  sessions: readonly SessionInfo[],
  needing: ReadonlySet<string> = new Set(),
  held: ReadonlyMap<string, UiGroup> = new Map(),
): { group: UiGroup; sessions: SessionInfo[] }[] {
  const online = { kind: "online" } as const;
  const groupOf = (one: SessionInfo): UiGroup =>
    held.get(one.id) ?? (needing.has(one.id) ? "needs_you" : statusOf(one, online).group);
  return groupOrder
    .map((group) => ({ group, sessions: sessions.filter((one) => groupOf(one) === group) }))
    .filter((entry) => entry.sessions.length > 0);
}

/** The second line of a card: the command that runs, else the program, else where. */
export function detailOf(session: SessionInfo): string {
  const { last_command: last } = session;
  if (!session.exited && last?.running && last.command !== null) return last.command;
  if (!session.exited && session.foreground !== null) return programName(session.foreground);
  if (!isShell(session.command)) return commandLine(session.command);
  return session.cwd;
}

/** As `detailOf`, short: of a long path the end says more than the beginning. */
export function placeText(session: SessionInfo, maxChars = 18): string {
  const detail = detailOf(session);
  return detail === session.cwd ? shortPath(detail, maxChars) : detail;
}

export function shortPath(path: string, maxChars: number): string {
  if (path.length <= maxChars) return path;
  const parts = path.split("/");
  let tail = parts.pop() ?? "";
  for (let next = parts.pop(); next !== undefined; next = parts.pop()) {
    if (tail.length + next.length + 3 > maxChars) break;
    tail = `${next}/${tail}`;
  }
  return `\u2026/${tail}`;
}

export function commandLine(command: readonly string[]): string {
  return command
    .map((arg, index) => {
      const shown = index === 0 ? programName(arg) : arg;
      return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
    })
    .join(" ");
}

export function matches(session: SessionInfo, filter: string): boolean {
  const wanted = filter.trim().toLowerCase();
  if (wanted === "") return true;
  return [session.name, session.title, session.cwd, detailOf(session), session.id, ...session.tags]
    .join("\n")
    .toLowerCase()
    .includes(wanted);
}
