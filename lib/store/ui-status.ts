// One vocabulary for what a session is doing, derived once, highest wins: cards, tabs, banner and notifications all ask here (UI, 4).
// Pure.
import type { ServerLink } from "#lib/client/session-feed.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";

export type UiGroup = "needs_you" | "working" | "idle" | "exited";
/** Name of a Lucide icon. */
export type UiIcon =
  | "key-round"
  | "bell-ring"
  | "keyboard"
  | "pin"
  | "bot"
  | "eye"
  | "loader"
  | "circle"
  | "lock"
  | "unplug"
  | "wifi-off"
  | "check"
  | "x";
/** CSS custom property without the dashes. */
export type UiToken =
  | "st-danger"
  | "st-attention"
  | "st-human"
  | "st-acting"
  | "st-viewing"
  | "st-idle"
  | "st-observe"
  | "text-3";
/** Shape of the dot: never colour alone. */
export type UiDot =
  | "square"
  | "filled"
  | "presence"
  | "pinned"
  | "half"
  | "ring"
  | "crossed"
  | "dashed"
  | "check"
  | "cross";

export interface UiStatus {
  state:
    | "secret"
    | "attention"
    | "human"
    | "other"
    | "held"
    | "acting"
    | "viewing"
    | "running"
    | "ready"
    | "observe"
    | "sealed"
    | "offline"
    | "done"
    | "failed";
  /** Shown on the card; `white-space: nowrap`. */
  word: string;
  icon: UiIcon;
  token: UiToken;
  dot: UiDot;
  group: UiGroup;
  /** Only what one should act on moves. */
  pulses: boolean;
}

export type StatusFacts = Pick<
  SessionInfo,
  "phase" | "exited" | "exit_code" | "signal" | "lease" | "access" | "credential" | "need" | "agent"
>;

/** What the page knows beside the session. */
export interface StatusView {
  /** Id of this person's credential; null: not known yet. */
  me: string | null;
  /** An agent has just looked (components/lease). */
  isLookedAt?: boolean;
}

/** `link`: how the server (or this session's attachment) is reached; while it is lost nobody can know better than "Offline". */
export function uiStatus(
  info: StatusFacts,
  link: Pick<ServerLink, "kind"> = { kind: "online" },
  view: StatusView = { me: null },
): UiStatus {
  const group = isWorking(info) ? "working" : "idle";
  const of = (
    state: UiStatus["state"],
    word: string,
    icon: UiIcon,
    token: UiToken,
    dot: UiDot,
    rest: Partial<UiStatus> = {},
  ): UiStatus => ({ state, word, icon, token, dot, group, pulses: false, ...rest });
  const needsYou = { group: "needs_you", pulses: true } as const;

  if (info.exited) return exitedStatus(info);
  if (link.kind === "offline" || link.kind === "signed_out")
    return of("offline", "Offline", "wifi-off", "st-attention", "dashed");
  if (info.credential || info.need?.reason === "password")
    return of("secret", "Password", "key-round", "st-danger", "square", needsYou);
  if (info.need)
    return of("attention", "Needs you", "bell-ring", "st-attention", "filled", needsYou);
  if (info.lease.holder === "human") {
    if (info.lease.cause !== "typing") return of("held", "Held", "pin", "st-human", "pinned");
    return info.lease.actor_id !== null && info.lease.actor_id === view.me
      ? of("human", "You", "keyboard", "st-human", "filled")
      : of("other", firstName(info.lease.actor), "keyboard", "st-human", "presence");
  }
  if (info.agent?.typing && info.access === "collaborate")
    return of("acting", "Typing", "bot", "st-acting", "filled");
  if (view.isLookedAt && info.access !== "sealed")
    return of("viewing", "Looking", "eye", "st-viewing", "filled");
  if (isWorking(info)) return of("running", "Working", "loader", "st-idle", "half");
  if (info.access === "observe") return of("observe", "Read-only", "lock", "st-observe", "ring");
  if (info.access === "sealed") return of("sealed", "Sealed", "unplug", "st-danger", "crossed");
  return of("ready", "Ready", "circle", "st-idle", "ring");
}

/** Something runs that waits for nobody, or the session is still starting (PH1). */
export function isWorking({ phase }: Pick<SessionInfo, "phase">): boolean {
  return phase === "starting" || phase === "running";
}

function firstName(name: string | null): string {
  return name?.trim().split(/\s+/)[0] || "Someone";
}

function exitedStatus({ exit_code, signal }: Pick<SessionInfo, "exit_code" | "signal">): UiStatus {
  const rest = { group: "exited", pulses: false } as const;
  if (exit_code === 0)
    return { state: "done", word: "Done", icon: "check", token: "text-3", dot: "check", ...rest };
  const word = exit_code !== null ? `Exit ${exit_code}` : (signal ?? "Ended");
  return { state: "failed", word, icon: "x", token: "st-danger", dot: "cross", ...rest };
}
