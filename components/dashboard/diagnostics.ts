// What to paste into a fault report. Nothing of what is on a screen, no key, no address beyond the page's own.
import type { CottyApp } from "./cotty-app.ts";

export function diagnostics(app: CottyApp): string {
  const { link, me, rttsMs, order } = app.mirror.getState();
  const terminals = Object.entries(app.terminals.store.getState()).map(([id, entry]) => {
    if (entry.kind !== "ready") return { id: id.slice(0, 8), state: entry.kind };
    const { status, renderer, size, mySize, sizeOwner } = entry.terminal.getSnapshot();
    return { id: id.slice(0, 8), state: status.kind, renderer, size, mySize, sizeOwner };
  });
  return JSON.stringify(
    {
      server: me?.server.version ?? null,
      terminals: me?.server.terminals ?? null,
      link: link.kind,
      rttsMs: rttsMs.map(Math.round),
      sessions: order.length,
      views: terminals,
      page: {
        origin: location.origin,
        size: [innerWidth, innerHeight, devicePixelRatio],
        browser: navigator.userAgent,
        language: navigator.language,
        online: navigator.onLine,
      },
      at: new Date().toISOString(),
    },
    null,
    2,
  );
}
