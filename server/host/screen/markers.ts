// The shell's markers, read in the emulator's own parse at the exact cursor (JR1): OSC 133, 633 and 7. Knows nothing of what they mean for a
// journal. A stream without them passes nothing of this.
import type { Terminal } from "@xterm/headless";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { type Marker, parseMarker } from "#lib/terminal/osc-marker.ts";

const numbers = [7, 133, 633] as const;

/** `found` is called before anything behind the marker is parsed. The emulator goes on as if nobody had looked. */
export function readMarkers(terminal: Terminal, found: (marker: Marker) => void): Disposable {
  const store = new DisposableStore();
  for (const number of numbers) {
    store.add(
      terminal.parser.registerOscHandler(number, (payload) => {
        const marker = parseMarker(number, payload);
        if (marker) found(marker);
        return false;
      }),
    );
  }
  return store;
}
