// The page's one BackStack, for components: overlays put themselves on it, and the address waits for it.
import { useEffect, useRef } from "react";
import { BackStack } from "./back-stack.ts";

let stack: BackStack | undefined;

// Kept for the page's life: steps arrive after the last overlay closed.
function pageStack(): BackStack {
  stack ??= new BackStack(window);
  return stack;
}

/** Once, in the browser, before the page's own listeners to popstate. */
export function listenForBack(): void {
  pageStack();
}

/** While `open`, the Back button calls `onClose` instead of leaving. */
export function useBackCloses(open: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (!open) return;
    return pageStack().open({ close: () => close.current() });
  }, [open]);
}

/** See BackStack.onPage. */
export function onPageEntry(task: () => void): () => void {
  return pageStack().onPage(task);
}
