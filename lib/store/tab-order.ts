// Arithmetic of an ordered list of tabs. Pure; ids are unique.

/** Which tab comes to the front when `id` goes: the one to its right, else to its left, else none. */
export function activeAfterRemoval(tabs: readonly string[], id: string): string | null {
  const at = tabs.indexOf(id);
  return tabs[at + 1] ?? tabs[at - 1] ?? null;
}

/** The tab `by` steps away, around the ends. */
export function neighbour(
  tabs: readonly string[],
  active: string | null,
  by: 1 | -1,
): string | null {
  if (tabs.length === 0) return null;
  const at = active === null ? -1 : tabs.indexOf(active);
  if (at < 0) return tabs[by === 1 ? 0 : tabs.length - 1] ?? null;
  return tabs[(at + by + tabs.length) % tabs.length] ?? null;
}

export function moved(tabs: readonly string[], id: string, to: number): string[] {
  if (!tabs.includes(id)) return [...tabs];
  const rest = tabs.filter((other) => other !== id);
  const at = Math.min(rest.length, Math.max(0, Math.trunc(to) || 0));
  return [...rest.slice(0, at), id, ...rest.slice(at)];
}
