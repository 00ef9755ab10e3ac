// The keyboard's way to a terminal that is about to be shown: it may still be loading, and the person may go elsewhere meanwhile.
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";

export interface TerminalFocus {
  /** Gives the keyboard to the session's terminal, as soon as it is on screen. */
  focusTerminal(id: string): void;
  /** The pane of `id` is on screen now. */
  paneShown(id: string): void;
}

export function createTerminalFocus(
  terminalOf: (id: string) => SessionTerminal | null,
): TerminalFocus {
  /** `from`: where the focus was when it was asked for. */
  let focusWanted: { id: string; from: Element | null } | null = null;
  function paneShown(id: string): void {
    const terminal = terminalOf(id);
    if (focusWanted?.id !== id || !terminal) return;
    const now = document.activeElement;
    // The person went on to something else while the terminal was loading.
    const isMoved = now !== focusWanted.from && now !== document.body;
    if (!isMoved) terminal.focus();
    // A terminal that is not open yet takes no focus; it is asked again when it is.
    if (isMoved || document.activeElement?.closest(`[data-terminal="${id}"]`)) focusWanted = null;
  }
  function focusTerminal(id: string): void {
    focusWanted = { id, from: document.activeElement };
    // After React has shown the pane: a hidden terminal takes no focus. One that is still loading is focused when shown.
    requestAnimationFrame(() => paneShown(id));
  }
  return { focusTerminal, paneShown };
}
