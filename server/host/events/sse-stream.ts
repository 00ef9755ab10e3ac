// https://html.spec.whatwg.org/multipage/server-sent-events.html: a reader's events as an event stream. Everything waits in the ring until
// the client's side takes it; a client that takes nothing is cut and resumes by id (T131).

import { utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import { DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { EventReader } from "./event-reader.ts";

export function sseStream(reader: EventReader, clock: Clock): ReadableStream<Uint8Array> {
  const owned = new DisposableStore();
  owned.add(reader);
  let control: ReadableStreamDefaultController<Uint8Array>;
  let stalled: { dispose(): void } | null = null;
  owned.add(toDisposable(() => stalled?.dispose()));

  const send = (text: string) => control.enqueue(utf8(text));
  const end = () => {
    if (owned.isDisposed) return;
    owned.dispose();
    control.close();
  };
  const hasRoom = () => (control.desiredSize ?? 0) > 0;
  /** Gives what is there, as far as the client's side takes it. */
  const flow = () => {
    while (!owned.isDisposed && hasRoom()) {
      stalled?.dispose();
      stalled = null;
      const taken = reader.take(limits.eventChunkChars);
      if (taken.kind === "overtaken") return end();
      const { events } = taken;
      if (events.length === 0) return;
      send(events.map(({ id, type, json }) => block(id, type, json)).join(""));
      const last = events.at(-1);
      if (last && reader.isLast(last)) return end();
    }
    if (!owned.isDisposed && !stalled && reader.isDue())
      stalled = clock.after(limits.stalledReplyMs, end);
  };

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        control = controller;
        reader.onMore = flow;
        reader.onEnd = end;
        const { gap, position } = reader;
        // The id without data is a place to come back to, before anything has happened.
        send(`retry: ${limits.eventRetryMs}\nid: ${gap ? gap.to : position}\n\n`);
        if (gap) {
          const at = new Date(clock.now()).toISOString();
          const json = JSON.stringify({ type: "gap", id: gap.to, at, ...gap });
          send(block(gap.to, "gap", json));
        }
        owned.add(
          clock.every(limits.eventCommentMs, () => {
            // Keeps proxies and the client's patience; and the place of a client for whom nothing happens moves on with it.
            if (hasRoom()) send(`:\nid: ${reader.position}\n\n`);
          }),
        );
        flow();
      },
      pull: flow,
      cancel: () => owned.dispose(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: limits.eventChunkChars }),
  );
}

/** JSON holds no line end, so the data is one line. */
function block(id: string, type: string, json: string): string {
  return `id: ${id}\nevent: ${type}\ndata: ${json}\n\n`;
}
