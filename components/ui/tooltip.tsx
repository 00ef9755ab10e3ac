// A short text on hover and focus. It adds to a control's name and never carries what cannot be learnt elsewhere. The element only
// carries the words; one host for the page shows them (tooltip-host.tsx), so that a hundred buttons do not cost a hundred popups.
import { cloneElement, type ReactElement } from "react";

export type TooltipSide = "top" | "bottom" | "left" | "right";

interface TooltipProps {
  content: string;
  keys?: string | undefined;
  side?: TooltipSide;
  /** The one element that is described; it passes unknown props on to the DOM. */
  children: ReactElement;
}

export function Tooltip({ content, keys, side = "bottom", children }: TooltipProps) {
  return cloneElement(children as ReactElement<Record<string, unknown>>, {
    "data-tip": content,
    "data-tip-keys": keys,
    "data-tip-side": side,
  });
}
