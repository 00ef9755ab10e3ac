// Pictures of a session for a terminal of another size than the session's (AT6).
import { FramesClient } from "#lib/client/frames-client.ts";
import { GuestStream } from "#lib/terminal/guest-stream.ts";
import { clientOptions, type View, type ViewParts } from "./view.ts";

export function framesView(parts: ViewParts): View {
  const { terminal } = parts;
  const client = new FramesClient({
    ...clientOptions(parts),
    size: terminal.size,
    paint: (frame, painted) => terminal.write(frame, painted),
  });
  client.onMessage((message) => parts.hear(message));
  client.onState((state) => parts.follow(state));
  client.start();
  return {
    kind: "frames",
    // Pictures switch nothing on.
    guest: new GuestStream(true),
    typed: (bytes) => client.typed(bytes),
    report: (data) => client.report(data),
    fit: (size) => client.resize(size),
    dispose: () => client.dispose(),
  };
}
