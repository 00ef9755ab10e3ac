// The count of those who need a person, where it can be seen while another tab is in front: title, icon, the installed app's badge.
let shownCount = 0;
let title = "";

export function showCount(count: number): void {
  if (count === shownCount) return;
  shownCount = count;
  writeTitle();
  markIcon(count > 0);
  const badge = navigator as Navigator & {
    setAppBadge?: (count: number) => Promise<void>;
    clearAppBadge?: () => Promise<void>;
  };
  // Where the page is not installed this is refused, and nothing is lost.
  void (count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.())?.catch(() => {});
}

/** The page's title; the count stands before it. */
export function setTitle(text: string): void {
  title = text;
  writeTitle();
}

function writeTitle(): void {
  const text = title || document.title;
  document.title = shownCount > 0 ? `(${shownCount}) ${text}` : text;
}

function markIcon(isMarked: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  link.dataset.plain ??= link.href;
  link.href = isMarked ? "/icon-marked.svg" : link.dataset.plain;
}
