// The session's own bytes on this terminal, as a guest's: filtered, so that nothing is switched on that is not switched off again.
import { AttachClient } from "#lib/client/attach-client.ts";
import { GuestStream } from "#lib/terminal/guest-stream.ts";
import { blank } from "./restore.ts";
import { clientOptions, type View, type ViewParts } from "./view.ts";

/** `before`: what was shown until now, and is on the terminal still. `drawing` is called before each whole screen. */
export function liveView(parts: ViewParts, before: View | null, drawing: () => void): View {
  const { terminal, isReadOnly, isLeading } = parts;
  const guest = new GuestStream(isReadOnly);
  let left = before?.kind === "live" ? before.guest.facts : guest.facts;
  let shown: Uint8Array | null = null;
  const draw = (screen: Uint8Array) => {
    drawing();
    terminal.write(blank(left));
    left = guest.facts;
    terminal.write(guest.filter(screen));
    left = guest.facts;
    shown = screen;
  };
  const client = new AttachClient({
    ...clientOptions(parts),
    target: {
      showScreen: (_size, screen) => draw(screen),
      showSnapshot: (_size, _history, screen, drawn) => {
        if (shown !== screen) draw(screen);
        drawn();
      },
      write: (bytes, drawn) => {
        terminal.write(guest.filter(bytes), drawn);
        left = guest.facts;
      },
      resize: () => {},
    },
  });
  client.onMessage((message) => parts.hear(message));
  client.onState((state) => parts.follow(state));
  if (isLeading && !isReadOnly) client.propose(terminal.size);
  client.start();
  return {
    kind: "live",
    guest,
    typed: (bytes) => client.typed(bytes),
    report: (data) => client.report(data),
    fit: (size) => {
      if (isLeading && !isReadOnly) client.propose(size);
    },
    dispose: () => client.dispose(),
  };
}
