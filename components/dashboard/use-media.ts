// Layout classes of the page, as the style sheet knows them.
import { useSyncExternalStore } from "react";

export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(query);
      list.addEventListener("change", listener);
      return () => list.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
    () => false,
  );
}

export type Layout = "phone" | "tablet" | "desktop";

export function useLayout(): Layout {
  const isTablet = useMedia("(min-width: 640px)");
  const isDesktop = useMedia("(min-width: 1024px)");
  return isDesktop ? "desktop" : isTablet ? "tablet" : "phone";
}
