// What the line above a terminal says: a pure function of the connection, whose hands are on the keyboard, the session and the time.
// A connection that is gone comes first, because nobody knows better; then components/lease/hands-banner.ts.

import { handsBanner } from "#components/lease/hands-banner.ts";
import type { HandsFacts } from "#components/lease/hands-facts.ts";
import type { Strings } from "#components/strings/strings.ts";
import { assertNever } from "#lib/base/assert.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { isWorking } from "#lib/store/ui-status.ts";
import type { TerminalSnapshot } from "#lib/xterm/terminal-status.ts";
import type { Banner } from "./banner.ts";

/** A lost connection is mentioned after this long: most come back before anybody could read a sentence. */
export const quietMs = 1_000;
const patienceMs = 30_000;

export interface BannerFacts extends Pick<HandsFacts, "me" | "isTouch" | "isStill"> {
  snapshot: Pick<TerminalSnapshot, "status" | "isReadOnly" | "hands">;
  session: SessionInfo | undefined;
  /** Wall time and monotonic. */
  wallMs: number;
  nowMs: number;
}

export function bannerOf(facts: BannerFacts, s: Strings): Banner {
  const { snapshot, session, wallMs } = facts;
  const { status } = snapshot;
  const t = s.terminal;
  switch (status.kind) {
    case "connecting":
    case "restoring":
    case "live":
      return calm(facts, s);
    case "offline": {
      const lasted = wallMs - status.sinceMs;
      if (lasted < quietMs) return calm(facts, s);
      const seconds =
        status.untilMs === null ? null : Math.max(0, Math.ceil((status.untilMs - wallMs) / 1000));
      const isLong = lasted >= patienceMs;
      const dropped = status.droppedKeys > 0 ? ` · ${t.dropped(status.droppedKeys)}` : "";
      return {
        state: "offline",
        tone: "attention",
        icon: "wifi-off",
        headline: isLong ? t.stillTrying : t.reconnecting,
        detail: t.reconnectingDetail(status.attempt, seconds) + dropped,
        actions: isLong ? ["reload", "retry"] : ["retry"],
        line: "none",
      };
    }
    case "exited": {
      const isGood = status.exitCode === 0;
      const how =
        status.exitCode !== null
          ? t.exitedCode(status.exitCode)
          : t.exitedSignal(status.signal ?? s.status.ended);
      return {
        state: "exited",
        tone: isGood ? "calm" : "danger",
        icon: isGood ? "check" : "x",
        headline: t.exitedTitle,
        detail: [how, ...timesOf(session, s)].join(" · "),
        actions: snapshot.isReadOnly ? [] : ["restart", "end"],
        line: "none",
      };
    }
    case "gone":
      return over("gone", "danger", "gone", t.goneTitle, t.goneText, "closeTab");
    case "signed_out":
      return over("signed_out", "danger", "lock", t.signedOutTitle, t.signedOutText, "signIn");
    case "not_allowed":
      return over("not_allowed", "danger", "lock", t.forbiddenTitle, t.forbiddenText, "closeTab");
    case "outdated":
      return over("outdated", "attention", "gone", t.old, "", "reload");
    default:
      return assertNever(status);
  }
}

function over(
  state: Banner["state"],
  tone: Banner["tone"],
  icon: Banner["icon"],
  headline: string,
  detail: string,
  action: Banner["actions"][number],
): Banner {
  return { state, tone, icon, headline, detail, actions: [action], line: "none" };
}

function calm(facts: BannerFacts, s: Strings): Banner {
  const { snapshot, session } = facts;
  const { hands, isReadOnly } = snapshot;
  if (!hands || !session)
    return isReadOnly
      ? viewOnly(s)
      : {
          state: "connecting",
          tone: "calm",
          icon: "wait",
          headline: s.terminal.connecting,
          detail: "",
          actions: [],
          line: "none",
        };
  const agent = hands.agent?.name ?? session.agent?.name ?? null;
  const banner = handsBanner({ ...facts, hands, agent, isWorking: isWorking(session) }, s);
  return isReadOnly ? watched(banner, s) : banner;
}

/** Who only looks is told what others do, and that is all. */
function watched(banner: Banner, s: Strings): Banner {
  switch (banner.state) {
    case "acting":
    case "viewing":
    case "attention":
      return { ...banner, actions: [] };
    case "other":
      return { ...banner, detail: s.terminal.readonlyText, actions: [] };
    case "secret":
      return { ...banner, detail: s.keyboard.secret.watched, actions: [] };
    default:
      return viewOnly(s);
  }
}

function viewOnly(s: Strings): Banner {
  return {
    state: "view_only",
    tone: "observe",
    icon: "lock",
    headline: s.terminal.readonlyTitle,
    detail: s.terminal.readonlyText,
    actions: [],
    line: "none",
  };
}

/** When it ended and how long it ran. */
function timesOf(session: SessionInfo | undefined, s: Strings): string[] {
  if (!session?.exited_at) return [];
  const ended = Date.parse(session.exited_at);
  return [
    s.format.time(new Date(ended)),
    s.terminal.ran(s.format.duration(ended - Date.parse(session.created_at))),
  ];
}
