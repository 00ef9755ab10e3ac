// Whether a password is asked for (CR1), as a pure machine over observations and what people say. It knows no clock: `nowMs` comes along.
import { asksForSecret } from "./credential-prompts.ts";
import { type CredentialSource, isShellAtPrompt, type Observation } from "./observation.ts";
import { isPinentryName } from "./pinentry.ts";

export type CredentialState =
  | { readonly kind: "none" }
  | {
      readonly kind: "asked";
      readonly source: CredentialSource;
      readonly sinceMs: number;
      readonly group: number | null;
      readonly members: readonly number[];
      /** Looks at which nobody read any more: one may fall between two keys. */
      readonly absentMs: number | null;
    }
  /** Typed, or no longer waited for; not over until the program has gone on (sudo pauses 2 s after a wrong password). */
  | {
      readonly kind: "answered";
      readonly source: CredentialSource;
      readonly sinceMs: number;
      readonly group: number | null;
      readonly members: readonly number[];
      readonly answeredMs: number;
      /** When a process that was not there at the prompt was first seen. */
      readonly newcomerMs: number | null;
    }
  /** A person said that it is none; holds until this prompt is over. */
  | { readonly kind: "dismissed"; readonly group: number | null; readonly isAnswered: boolean };

export const noCredential: CredentialState = { kind: "none" };

export type CredentialInput =
  | { readonly kind: "looked"; readonly seen: Observation }
  /** Somebody ended the line, or interrupted. */
  | { readonly kind: "submitted" }
  | { readonly kind: "treat_as_secret"; readonly seen: Observation }
  | { readonly kind: "not_a_password"; readonly seen: Observation };

/** PAM's delay after a wrong password is 2 s, give or take half of it, and more on a busy machine. */
const retryMs = 5_000;
/** A process that only checks the password (unix_chkpwd) is gone by then. */
const newcomerMs = 200;
const absenceMs = 150;
/** Where the system does not tell who reads, a prompt is one when nothing followed it. */
const silentPromptMs = 300;

export function nextCredential(
  state: CredentialState,
  input: CredentialInput,
  nowMs: number,
): CredentialState {
  switch (input.kind) {
    case "submitted":
      return submitted(state, nowMs);
    case "treat_as_secret":
      return asked("manual", input.seen, nowMs);
    case "not_a_password":
      return { kind: "dismissed", group: groupOf(input.seen), isAnswered: false };
    case "looked":
      return looked(state, input.seen, nowMs);
  }
}

function submitted(state: CredentialState, nowMs: number): CredentialState {
  if (state.kind === "dismissed") return { ...state, isAnswered: true };
  if (state.kind !== "asked") return state;
  return answered(state, nowMs);
}

function answered(
  { source, sinceMs, group, members }: Extract<CredentialState, { kind: "asked" }>,
  nowMs: number,
): CredentialState {
  return { kind: "answered", source, sinceMs, group, members, answeredMs: nowMs, newcomerMs: null };
}

function looked(state: CredentialState, seen: Observation, nowMs: number): CredentialState {
  if (seen.lifecycle === "exited" || seen.lifecycle === "closed") return noCredential;
  const source = evidence(seen);
  switch (state.kind) {
    case "none":
      return source ? asked(source, seen, nowMs) : state;
    case "dismissed": {
      const isOver =
        groupOf(seen) !== state.group || (state.isAnswered && seen.isReadFresh && reads(seen));
      return isOver ? looked(noCredential, seen, nowMs) : state;
    }
    case "asked":
      return stillAsked(state, source, seen, nowMs);
    case "answered":
      return afterwards(state, source, seen, nowMs);
  }
}

function stillAsked(
  state: Extract<CredentialState, { kind: "asked" }>,
  source: CredentialSource | null,
  seen: Observation,
  nowMs: number,
): CredentialState {
  if (groupOf(seen) !== state.group) return looked(noCredential, seen, nowMs);
  if (state.source === "manual") return state;
  if (source) {
    // The words may be seen before the settings are known.
    const certain = source === "echo_off" ? source : state.source;
    return state.absentMs === null && certain === state.source
      ? state
      : { ...state, source: certain, absentMs: null };
  }
  const { read, settings } = seen;
  if (read.kind === "not_reading") {
    if (state.absentMs === null) return { ...state, absentMs: nowMs };
    return nowMs - state.absentMs < absenceMs ? state : answered(state, nowMs);
  }
  // The prompt is typed on: the line no longer ends in it, and the program still reads.
  if (state.source === "prompt") return isShellAtPrompt(seen) ? noCredential : state;
  // Echo is back while it reads: it asks for something else now.
  const isShown = settings.kind === "known" && settings.echo && seen.areSettingsOfRead;
  return isShown && seen.isReadFresh && read.kind === "reading" ? noCredential : state;
}

function afterwards(
  state: Extract<CredentialState, { kind: "answered" }>,
  source: CredentialSource | null,
  seen: Observation,
  nowMs: number,
): CredentialState {
  if (groupOf(seen) !== state.group) return looked(noCredential, seen, nowMs);
  // The next try, or the second of two questions: the same prompt to whoever watches.
  if (source) {
    const again = asked(source, seen, nowMs);
    return again.kind === "asked" ? { ...again, sinceMs: state.sinceMs } : again;
  }
  if (seen.isReadFresh && seen.read.kind === "reading") return noCredential;
  if (isShellAtPrompt(seen) && !seen.isLineUnanswered) return noCredential;
  const hasNewcomer = seen.foreground?.members.some((pid) => !state.members.includes(pid)) ?? false;
  if (hasNewcomer && state.newcomerMs === null) return { ...state, newcomerMs: nowMs };
  if (!hasNewcomer && state.newcomerMs !== null) return { ...state, newcomerMs: null };
  const echoes = seen.settings.kind === "unknown" || seen.settings.echo;
  if (!echoes) return state;
  if (state.newcomerMs !== null && nowMs - state.newcomerMs >= newcomerMs) return noCredential;
  return nowMs - state.answeredMs >= retryMs ? noCredential : state;
}

function asked(source: CredentialSource, seen: Observation, nowMs: number): CredentialState {
  const members = seen.foreground?.members ?? [];
  return { kind: "asked", source, sinceMs: nowMs, group: groupOf(seen), members, absentMs: null };
}

/** What there is to be seen of a password prompt now. */
function evidence(seen: Observation): CredentialSource | null {
  const { read, settings } = seen;
  if (!seen.isReadFresh || !reads(seen) || isShellAtPrompt(seen)) return null;
  // It draws a box, shows asterisks, and is there for nothing else.
  if (read.kind === "reading" && isPinentryName(read.program)) return "echo_off";
  const isHidden = settings.kind === "known" && settings.canonical && !settings.echo;
  if (isHidden && seen.areSettingsOfRead) return "echo_off";
  const isPrompt =
    seen.isLineUntouched && seen.isCursorAtEnd && !seen.altScreen && asksForSecret(seen.cursorLine);
  if (!isPrompt) return null;
  const isSure = read.kind === "reading";
  return isSure || seen.quietMs >= silentPromptMs ? "prompt" : null;
}

/** It reads, or nobody can say that it does not. */
function reads({ read }: Observation): boolean {
  switch (read.kind) {
    case "reading":
    case "unknown":
      return true;
    case "hidden":
      return read.isSleeping;
    case "not_reading":
    case "gone":
      return false;
  }
}

function groupOf(seen: Observation): number | null {
  return seen.foreground?.pgid ?? null;
}
