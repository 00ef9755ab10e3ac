"use client";
// Shows the tooltip of whatever carries one: after a moment under the mouse, at once on keyboard focus, gone on press, key and scroll.
import { Suspense, useEffect, useState } from "react";
import { part } from "./part.ts";
import type { TooltipSide } from "./tooltip.tsx";

const TooltipPopup = part(() => import("./tooltip-popup.tsx"));

const delayMs = 500;
/** Moving from one control to the next shows the next at once. */
const graceMs = 300;

export interface ShownTip {
  anchor: Element;
  text: string;
  keys: string | undefined;
  side: TooltipSide;
}

function tipOf(target: EventTarget | null): ShownTip | null {
  const anchor = target instanceof Element ? target.closest("[data-tip]") : null;
  if (!(anchor instanceof HTMLElement)) return null;
  const { tip = "", tipKeys, tipSide } = anchor.dataset;
  return { anchor, text: tip, keys: tipKeys, side: (tipSide as TooltipSide) ?? "bottom" };
}

export function TooltipHost() {
  const [shown, setShown] = useState<ShownTip | null>(null);
  const [isOpen, setOpen] = useState(false);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: Element | null = null;
    let hiddenAt = Number.NEGATIVE_INFINITY;
    let isShowing = false;
    // The words may change while they are shown ("Copy" becomes "Copied").
    const words = new MutationObserver(() => {
      const next = tipOf(current);
      if (next) setShown(next);
    });

    function show(tip: ShownTip) {
      isShowing = true;
      setShown(tip);
      setOpen(true);
      words.disconnect();
      words.observe(tip.anchor, { attributes: true, attributeFilter: ["data-tip"] });
    }
    function hide() {
      clearTimeout(timer);
      words.disconnect();
      if (isShowing) hiddenAt = performance.now();
      isShowing = false;
      current = null;
      setOpen(false);
    }
    function onPointerOver(event: PointerEvent) {
      if (event.pointerType !== "mouse") return;
      const tip = tipOf(event.target);
      if (tip?.anchor === current) return;
      hide();
      if (!tip) return;
      current = tip.anchor;
      const wait = performance.now() - hiddenAt < graceMs ? 0 : delayMs;
      timer = setTimeout(() => show(tip), wait);
    }
    function onFocusIn(event: FocusEvent) {
      const tip = tipOf(event.target);
      if (!tip?.anchor.matches(":focus-visible")) return;
      hide();
      current = tip.anchor;
      show(tip);
    }
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Tab") hide();
    }
    const options = { capture: true, passive: true } as const;
    document.addEventListener("pointerover", onPointerOver, options);
    document.addEventListener("focusin", onFocusIn, options);
    document.addEventListener("focusout", hide, options);
    document.addEventListener("pointerdown", hide, options);
    document.addEventListener("keydown", onKeyDown, options);
    document.addEventListener("scroll", hide, options);
    return () => {
      hide();
      document.removeEventListener("pointerover", onPointerOver, options);
      document.removeEventListener("focusin", onFocusIn, options);
      document.removeEventListener("focusout", hide, options);
      document.removeEventListener("pointerdown", hide, options);
      document.removeEventListener("keydown", onKeyDown, options);
      document.removeEventListener("scroll", hide, options);
    };
  }, []);

  return shown ? (
    <Suspense fallback={null}>
      <TooltipPopup tip={shown} isOpen={isOpen} />
    </Suspense>
  ) : null;
}
