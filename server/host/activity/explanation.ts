// An observation and the rung that decided, as the wire shows them (OP4).
import type { Explanation } from "#lib/protocol/wait.ts";
import type { Observation } from "./observation.ts";
import type { PhaseVerdict } from "./phase.ts";

export function explanation(seen: Observation, verdict: PhaseVerdict): Explanation {
  const { foreground, read, settings, credential } = seen;
  return {
    ...verdict,
    observation: {
      lifecycle: seen.lifecycle,
      age_ms: Math.round(seen.ageMs),
      shell: seen.shell,
      foreground: foreground && {
        pgid: foreground.pgid,
        name: foreground.name,
        is_session_leader: foreground.isSessionLeader,
        is_shell: foreground.isShell,
        runs_script: foreground.runsScript,
        members: foreground.members.length,
      },
      terminal_read: shownRead(read),
      ...typingOf(seen),
      terminal:
        settings.kind === "known"
          ? { canonical: settings.canonical, echo: settings.echo }
          : { unknown: settings.reason },
      quiet_ms: Math.round(seen.quietMs),
      cursor_line: seen.cursorLine.slice(-200),
      cursor_at_end: seen.isCursorAtEnd,
      alt_screen: seen.altScreen,
      credential: credential && { source: credential.source, asked: credential.isAsked },
    },
  };
}

/** What was typed and when; of a password nobody is told (CR3). */
function typingOf(seen: Observation): Record<string, unknown> {
  if (seen.credential !== null) return {};
  return {
    read_is_fresh: seen.isReadFresh,
    since_write_ms: seen.sinceWriteMs === null ? null : Math.round(seen.sinceWriteMs),
    line_unanswered: seen.isLineUnanswered,
    line_untouched: seen.isLineUntouched,
  };
}

function shownRead(read: Observation["read"]): Record<string, unknown> {
  switch (read.kind) {
    case "reading":
      return {
        kind: read.kind,
        how: read.how,
        call: read.call,
        pid: read.pid,
        program: read.program,
      };
    case "hidden":
      return { kind: read.kind, pid: read.pid, program: read.program, sleeping: read.isSleeping };
    default:
      return { ...read };
  }
}
