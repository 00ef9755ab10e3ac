// The pane of a terminal that is there is loaded together with the terminal: it costs no wait of its own, and where either cannot be loaded,
// the terminal says so and can be tried again.
import type { ComponentType } from "react";
import { assert } from "#lib/base/assert.ts";
import type { SessionTerminal } from "#lib/xterm/terminal-status.ts";

export interface PaneProps {
  id: string;
  terminal: SessionTerminal;
  isShown: boolean;
}

// Not React's lazy: a part that is there already would show its fallback first, and React then leaves that up for a moment.
let Loaded: ComponentType<PaneProps> | null = null;

export async function loadPane(): Promise<void> {
  Loaded = (await import("./ready-pane.tsx")).default;
}

export function ReadyPane(props: PaneProps) {
  assert(Loaded, "invariant: the pane is loaded before there is a terminal");
  return <Loaded {...props} />;
}
