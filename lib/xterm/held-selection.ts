// Mends a gap in xterm 6.0.0 (pinned): while painting is on hold (mode 2026) every scroll still has the selection drawn, and the
// DOM renderer draws all rows with it, so half a frame or half a snapshot shows (B123, B124). To be dropped when xterm holds it too.
import type { Terminal } from "@xterm/xterm";

type Draw = (...selection: unknown[]) => void;

interface WithRenderService {
  _core?: { _renderService?: { handleSelectionChanged?: Draw } };
}

/** Call once, after the terminal was opened. */
export function holdSelectionDraws(terminal: Terminal): void {
  const service = (terminal as unknown as WithRenderService)._core?._renderService;
  const draw = service?.handleSelectionChanged?.bind(service);
  if (!service || !draw) return;
  let held: unknown[] | null = null;
  service.handleSelectionChanged = (...selection) => {
    if (terminal.modes.synchronizedOutputMode) held = selection;
    else draw(...selection);
  };
  // The first paint after the hold; the terminal ends this subscription with itself.
  terminal.onRender(() => {
    if (!held || terminal.modes.synchronizedOutputMode) return;
    const selection = held;
    held = null;
    draw(...selection);
  });
}
