// The capsule's text (CP1): one line per session, plain and bounded, with nothing in it that moves by itself. What programs and people
// may choose (names, folders, commands) is cleaned and quoted, so that no line can pretend to be two or another session's.
import { createHash } from "node:crypto";
import type { Capsule } from "#lib/protocol/capsule.ts";
import { limits } from "#lib/protocol/limits.ts";
import { isSealed, type ListedSession, type SessionInfo } from "#lib/protocol/session.ts";
import { cleanTitle } from "#lib/terminal/title.ts";

/** `sessions` oldest first. */
export function capsuleOf(sessions: readonly ListedSession[]): Capsule {
  // Where room is short, what still runs is worth more than what is over.
  const ordered = [...sessions].sort((a, b) => Number(isOver(a)) - Number(isOver(b)));
  const shown = ordered.slice(0, limits.capsuleSessions);
  const leftOut = ordered.length - shown.length;
  const lines = shown.map(lineOf);
  if (leftOut > 0) lines.push(`(${leftOut} more: GET /api/v1/sessions)`);
  if (lines.length === 0) lines.push("(no sessions)");
  const text = `${lines.join("\n")}\n`;
  return {
    version: createHash("sha256").update(text).digest("hex").slice(0, 16),
    text,
    sessions: shown.map((info) => (isSealed(info) ? info : shortOf(info))),
    left_out: leftOut,
    needs_human: ordered.flatMap((info) => (!isSealed(info) && info.need ? [info.id] : [])),
  };
}

function isOver(info: ListedSession): boolean {
  return !isSealed(info) && info.exited;
}

function keyboardOf({ lease }: SessionInfo): string {
  return lease.cause ?? "agent";
}

function shortOf(info: SessionInfo): Capsule["sessions"][number] {
  const { id, name, phase, foreground, command, cwd, exit_code, signal, last_command } = info;
  return {
    id,
    name: plain(name),
    phase,
    keyboard: keyboardOf(info),
    last_command: last_command && {
      command: last_command.command === null ? null : plain(last_command.command),
      running: last_command.running,
      exit_code: last_command.exit_code,
    },
    foreground: foreground === null ? null : plain(foreground),
    command: [plain(command.join(" "))],
    cwd: plain(cwd),
    exit_code,
    signal,
  };
}

function lineOf(info: ListedSession): string {
  if (isSealed(info)) return `${info.id} sealed`;
  const { id, name, phase, foreground, command, cwd, exit_code, signal } = info;
  const end = signal !== null ? [`signal=${signal}`] : info.exited ? [`exit=${exit_code}`] : [];
  const runs = `${info.exited ? "ran" : "runs"}=${quoted(foreground ?? command.join(" "))}`;
  const keyboard = info.lease.holder === "human" ? [`keyboard=${keyboardOf(info)}`] : [];
  const need = info.need ? [`needs_human=${info.need.reason}`] : [];
  const place = `in=${quoted(cwd)}`;
  return [id, quoted(name), phase, ...end, ...keyboard, ...need, runs, ...lastOf(info), place].join(
    " ",
  );
}

/** `?`: the shell did not say. No times: they would move with every command that is run again. */
function lastOf({ last_command: last }: SessionInfo): string[] {
  if (!last) return [];
  const how = last.running ? "running" : (last.exit_code ?? "?");
  return [`last=${last.command === null ? "?" : quoted(last.command)}`, `last_exit=${how}`];
}

function quoted(text: string): string {
  return JSON.stringify(plain(text));
}

/** One line, nothing invisible, cut with a mark. */
function plain(text: string): string {
  const clean = [...cleanTitle(text)];
  const max = limits.capsuleFieldChars;
  return clean.length > max ? `${clean.slice(0, max - 1).join("")}…` : clean.join("");
}
