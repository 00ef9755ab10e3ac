// The line around a terminal: whose hands are on the keyboard, from the corner of an eye.
import type { BannerState } from "#components/terminal/banner.ts";
import { cx } from "#components/ui/cx.ts";

const edges: Partial<Record<BannerState, string>> = {
  human: "border-2 border-human",
  drafting: "border-2 border-human",
  held: "border-2 border-human",
  secret: "border-2 border-danger",
  sealed: "border-2 border-danger",
};

export function TerminalEdge({ state }: { state: BannerState }) {
  return (
    <span
      aria-hidden
      data-edge={state in edges ? state : "none"}
      className={cx(
        "pointer-events-none absolute inset-0 z-10 transition-colors duration-180",
        edges[state] ?? "border border-transparent",
      )}
    />
  );
}
