"use client";
// The line above a terminal: whose hands are on the keyboard and what can be done about it. Always there and always as high, so that a
// change of state never resizes the terminal.
import {
  BellRing,
  Bot,
  Check,
  Circle,
  CircleDashed,
  CircleSlash,
  Eye,
  Keyboard,
  KeyRound,
  LoaderCircle,
  Lock,
  Pin,
  SquareTerminal,
  Unplug,
  WifiOff,
  X,
} from "lucide-react";
import { useApp, useSession } from "#components/dashboard/app-context.tsx";
import { AccessControl } from "#components/lease/access-control.tsx";
import { CountdownLine } from "#components/lease/countdown-line.tsx";
import type { ShownBanner } from "#components/lease/use-banner.ts";
import { type Strings, useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { cx } from "#components/ui/cx.ts";
import { Tooltip } from "#components/ui/tooltip.tsx";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";
import type { Banner, BannerAction, BannerIcon, BannerTone } from "./banner.ts";

const tones: Record<BannerTone, { line: string; word: string }> = {
  calm: { line: "bg-bg-1", word: "text-text-1" },
  human: { line: "bg-human-fill", word: "text-human" },
  acting: { line: "bg-acting-fill", word: "text-acting" },
  viewing: { line: "bg-viewing-fill", word: "text-viewing" },
  attention: { line: "bg-attention-fill", word: "text-attention" },
  danger: { line: "bg-danger-fill", word: "text-danger" },
  observe: { line: "bg-observe-fill", word: "text-observe" },
};

const icons: Record<BannerIcon, typeof Circle> = {
  circle: Circle,
  loader: LoaderCircle,
  bot: Bot,
  eye: Eye,
  keyboard: Keyboard,
  pin: Pin,
  "bell-ring": BellRing,
  "key-round": KeyRound,
  lock: Lock,
  unplug: Unplug,
  "wifi-off": WifiOff,
  check: Check,
  x: X,
  gone: CircleSlash,
  terminal: SquareTerminal,
  wait: CircleDashed,
};

/** What each button is called, and what it does in a few words where its name does not say it. */
export function actionWords(action: BannerAction, s: Strings): { label: string; hint?: string } {
  switch (action) {
    case "retry":
      return { label: s.terminal.retry };
    case "reload":
      return { label: s.terminal.reload };
    case "restart":
      return { label: s.terminal.restart };
    case "end":
      return { label: s.terminal.end };
    case "closeTab":
      return { label: s.terminal.closeTab };
    case "signIn":
      return { label: s.terminal.signIn };
    case "handBackNow":
      return { label: s.keyboard.actions.handBackNow, hint: s.keyboard.hints.handBack };
    default:
      return { label: s.keyboard.actions[action], hint: s.keyboard.hints[action] };
  }
}

const chords: Partial<Record<BannerAction, string>> = {
  take: "Alt+Shift+K",
  hold: "Alt+Shift+H",
  handBack: "Alt+Shift+B",
  handBackNow: "Alt+Shift+B",
};

/** The one that stays where there is room for one. */
function primaryOf({ actions }: Banner): BannerAction | undefined {
  return actions.find((action) => action === "handBackNow") ?? actions[0];
}

export function SessionBanner({
  id,
  terminal,
  shown,
}: {
  id: string;
  terminal: SessionTerminal;
  shown: ShownBanner;
}) {
  const app = useApp();
  const s = useStrings();
  const session = useSession(id);
  const { banner, hands } = shown;
  const tone = tones[banner.tone];
  const Icon = icons[banner.icon];
  const primary = primaryOf(banner);
  const isOver =
    banner.state === "gone" || banner.state === "signed_out" || banner.state === "not_allowed";

  function onAction(action: BannerAction) {
    switch (action) {
      case "retry":
        return terminal.retryNow();
      case "reload":
        return location.reload();
      case "restart":
        return void app.actions.restart(id);
      case "end":
        return app.actions.end(id);
      case "closeTab":
        return app.workspace.getState().hideTab(id);
      case "signIn":
        return location.assign("/welcome/");
      default:
        return app.keyboard.run(action, id);
    }
  }

  return (
    <div
      data-banner={banner.state}
      className={cx(
        // On a phone two rows: the headline with one action, and the detail beside what agents may do.
        "@container relative h-9 shrink-0 border-line border-b transition-colors duration-180 max-tablet:h-22 pointer-coarse:tablet:h-13",
        tone.line,
      )}
    >
      {banner.state === "acting" && hands?.agent ? (
        // A new element for each write: its one pass begins anew.
        <span key={hands.agent.writes} className="sweep absolute inset-0 text-acting" aria-hidden />
      ) : null}
      <div className="relative flex h-full items-center gap-2 px-3 text-caption max-tablet:grid max-tablet:grid-cols-[minmax(0,1fr)_auto] max-tablet:grid-rows-[46px_42px] max-tablet:gap-y-0 max-tablet:pr-2">
        <span
          className={cx(
            "flex min-w-0 shrink-0 items-center gap-2 font-semibold nowrap max-tablet:shrink",
            tone.word,
          )}
        >
          <Icon
            size={14}
            strokeWidth={2}
            aria-hidden
            className={cx("shrink-0", banner.tone === "calm" && "text-idle")}
          />
          <span className="truncate">{banner.headline}</span>
        </span>
        <span
          className="min-w-0 flex-1 text-text-2 max-tablet:row-start-2 max-tablet:line-clamp-2 max-tablet:self-center tablet:truncate"
          title={banner.detail}
        >
          {banner.detail}
        </span>
        <div className="flex shrink-0 items-center gap-2">
          {banner.actions.map((action) => {
            const { label, hint } = actionWords(action, s);
            const button = (
              <Button
                key={action}
                size="banner"
                look={action === primary ? "secondary" : "quiet"}
                className={cx(action !== primary && "max-tablet:hidden")}
                // The terminal keeps the focus, so that typing goes on where it was.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => onAction(action)}
              >
                {label}
              </Button>
            );
            return hint === undefined ? (
              button
            ) : (
              <Tooltip key={action} content={hint} keys={chords[action]}>
                {button}
              </Tooltip>
            );
          })}
        </div>
        {session && !isOver ? (
          <div className="flex shrink-0 items-center justify-end max-tablet:row-start-2">
            <AccessControl
              id={id}
              access={hands?.access ?? session.access}
              ended={session.exited}
            />
          </div>
        ) : null}
      </div>
      {hands && banner.line !== "none" ? (
        <span className={tone.word}>
          <CountdownLine hands={hands} line={banner.line} />
        </span>
      ) : null}
    </div>
  );
}
