// What a session is doing (PH1), put together from the session's parts. Decides nothing: server/host/activity does.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Credential } from "#lib/protocol/lease.ts";
import { Activity } from "#server/host/activity/activity.ts";
import type { ActivityState } from "#server/host/activity/activity-api.ts";
import type { TerminalLook } from "#server/host/activity/tty-read.ts";
import type { ShellState } from "#server/host/journal/journal-api.ts";
import type { Pty } from "#server/host/pty/pty.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import type { SessionParts } from "./session-parts.ts";
import type { SessionRecord } from "./session-record.ts";
import type { Hide } from "./typed-text.ts";

export interface ActivitySources {
  readonly pty: Pty;
  readonly screen: ScreenApi;
  readonly record: SessionRecord;
  readonly parts: Pick<SessionParts, "lookAtTerminal" | "readTty">;
  shell(): ShellState;
  readonly hide: Hide;
}

export function activityOf(sources: ActivitySources, clock: Clock): Activity {
  const { pty, screen, record, parts, hide } = sources;
  return new Activity(
    {
      lifecycle: () => record.lifecycle.state,
      shell: () => sources.shell(),
      line: () => screen.cursorLine(),
      title: () => record.title,
      backlogBytes: () => pty.backlogBytes,
      look: () => lookShown(parts.lookAtTerminal(pty.pid, pty.tty), hide),
      settings: () => parts.readTty(pty.tty),
    },
    clock,
  );
}

/** The names of programs go into what is told of a phase: they may be secrets (SX1). */
function lookShown(look: TerminalLook, hide: Hide): TerminalLook {
  const { foreground, read } = look;
  return {
    foreground: foreground && {
      ...foreground,
      name: foreground.name === null ? null : hide(foreground.name),
    },
    read: "program" in read ? { ...read, program: hide(read.program) } : read,
  };
}

export function credentialOf(activity: Activity, clock: Clock): Credential | null {
  const source = activity.state.credential;
  const sinceMs = activity.credentialSinceMs;
  if (source === null || sinceMs === null) return null;
  let told = toldSince.get(activity);
  if (told?.sinceMs !== sinceMs) {
    const since = new Date(Math.round(clock.now() - (clock.monotonic() - sinceMs))).toISOString();
    told = { sinceMs, since };
    toldSince.set(activity, told);
  }
  return { source, since: told.since };
}

/** Monotonic time as wall time, once for each prompt: worked out anew it would differ by a millisecond from one who asks to the next. */
const toldSince = new WeakMap<Activity, { sinceMs: number; since: string }>();

/** Between a key and the next read of a program that waits nothing has changed for those who watch: it is told when it lasts. */
const typingBlinkMs = 150;

/** Calls `tell` for every change but those that a key causes for a moment; who asks is told the truth meanwhile. */
export function tellActivity(activity: Activity, clock: Clock, tell: () => void): Disposable {
  let told = activity.state;
  let later: Disposable | null = null;
  const now = () => {
    later?.dispose();
    later = null;
    told = activity.state;
    tell();
  };
  const listening = activity.onChange((state) => {
    if (!isTypingBlink(told, state)) now();
    else later ??= clock.after(typingBlinkMs, now);
  });
  return {
    dispose: () => {
      listening.dispose();
      later?.dispose();
    },
  };
}

function isTypingBlink(before: ActivityState, now: ActivityState): boolean {
  const isAtRest = before.phase === "waiting_input" || before.phase === "idle";
  const mayBeAtRest = now.phase === "running" && now.confidence === "inferred";
  return isAtRest && mayBeAtRest && before.credential === now.credential;
}
