// The line above a terminal as data: what it is about, how it looks, what it says and what can be done.

/** The fourteen of the look (UI, 5.1), and what only a connection can be. */
export type BannerState =
  | "ready"
  | "acting"
  | "viewing"
  | "human"
  | "drafting"
  | "held"
  | "other"
  | "attention"
  | "secret"
  | "observe"
  | "sealed"
  | "offline"
  | "exited"
  | "alone"
  | "answered"
  | "connecting"
  | "view_only"
  | "gone"
  | "signed_out"
  | "not_allowed"
  | "outdated";

export type BannerTone =
  | "calm"
  | "human"
  | "acting"
  | "viewing"
  | "attention"
  | "danger"
  | "observe";

export type BannerIcon =
  | "circle"
  | "loader"
  | "bot"
  | "eye"
  | "keyboard"
  | "pin"
  | "bell-ring"
  | "key-round"
  | "lock"
  | "unplug"
  | "wifi-off"
  | "check"
  | "x"
  | "gone"
  | "terminal"
  | "wait";

export type BannerAction =
  | "interrupt"
  | "hold"
  | "handBack"
  | "handBackNow"
  | "clearLine"
  | "ask"
  | "take"
  | "dismiss"
  | "answer"
  | "notPassword"
  | "reconnect"
  | "connect"
  | "retry"
  | "reload"
  | "restart"
  | "end"
  | "closeTab"
  | "signIn";

export interface Banner {
  state: BannerState;
  tone: BannerTone;
  icon: BannerIcon;
  headline: string;
  detail: string;
  actions: readonly BannerAction[];
  /** The line at the lower edge: it shrinks until the keyboard goes back, or stands still while something unsent does. */
  line: "none" | "running" | "full";
}
