// What is said about a session that needs a person: never text from its screen.
import { programName } from "#components/dashboard/session-status.ts";
import type { Strings } from "#components/strings/strings.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { SessionNeed } from "#lib/store/needs.ts";

export function noticeTitle(need: SessionNeed, session: SessionInfo, s: Strings): string {
  const { notice } = s.keyboard;
  switch (need.reason) {
    case "password":
      return notice.secret(session.name);
    case "failed":
      return notice.failed(session.name, endText(session.exit_code, session.signal, s));
    default:
      return notice.question(session.name);
  }
}

/** Why, in a line. */
export function evidenceText({ evidence }: SessionNeed, nowMs: number, s: Strings): string {
  const words = s.keyboard.needs.evidence;
  switch (evidence.kind) {
    case "password":
      return words.password;
    case "said":
      return evidence.by === null ? evidence.text : words.said(evidence.by, evidence.text);
    case "exit":
      return words.exit(endText(evidence.code, evidence.signal, s));
    case "command":
      return words.command(evidence.command ?? words.unknown, evidence.code);
    case "done":
      return words.done(evidence.command ?? words.unknown, s.format.duration(evidence.tookMs));
    case "ended":
      return words.ended;
    case "stalled": {
      const program = evidence.program === null ? words.unknown : programName(evidence.program);
      return words.stalled(program, s.format.duration(Math.max(0, nowMs - evidence.sinceMs)));
    }
  }
}

function endText(code: number | null, signal: string | null, s: Strings): string {
  return code !== null ? s.terminal.exitedCode(code) : (signal ?? s.status.ended);
}
