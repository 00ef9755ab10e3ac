// Sessions with real processes, the real screen and the real clock, for tests of what only the whole can show.
import { systemClock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import { createPtyFactory } from "#server/host/pty/pty-factory.ts";
import { resolveSpawnSpec } from "#server/host/pty/spawn-spec.ts";
import { SessionRegistry } from "#server/host/session/registry.ts";
import { realParts } from "#server/host/session/session-parts.ts";
import { MemorySink } from "./memory-sink.ts";
import { MirrorViewer } from "./mirror-viewer.ts";
import { person } from "./session-rig.ts";

export async function realRig() {
  const registry = new SessionRegistry({
    clock: systemClock,
    maxSessions: 50,
    parts: realParts(systemClock, 5_000),
    resolveSpec: (request, sessionId) =>
      resolveSpawnSpec(request, { sessionId, environment: process.env, cwd: "/" }),
    factory: await createPtyFactory({ noTerminal: false }),
  });

  async function create(request: CreateSession) {
    const { id } = await registry.create(person, request);
    const port = (actor: Actor = person) => registry.port(actor, id);
    /** A viewer that draws on a terminal of its own. */
    const mirror = () => {
      const viewer = new MirrorViewer();
      const attachment = port().attach(viewer, { readonly: false });
      viewer.acknowledge = (at) => attachment.acknowledge(at);
      return { viewer, attachment };
    };
    /** A viewer that keeps nothing and acknowledges at once, `isStuck` never. */
    const counter = (isStuck = false) => {
      const viewer = new CountingSink();
      const attachment = port().attach(viewer, { readonly: false, since: 0 });
      if (!isStuck) viewer.acknowledge = (at) => attachment.acknowledge(at);
      return { viewer, attachment };
    };
    const dump = (since = 0) => {
      const sink = new MemorySink();
      const attachment = port().attach(sink, { readonly: false, since });
      let at = since;
      sink.onFrame((frame) => {
        if (frame.kind !== "bytes") return;
        at += frame.bytes.length;
        const drawn = at;
        queueMicrotask(() => attachment.acknowledge(drawn));
      });
      return { sink, attachment };
    };
    return { id, port, mirror, counter, dump };
  }

  /** The program's exit, as the registry tells it. */
  function exited(id: string): Promise<void> {
    if (registry.port(person, id).info().exited) return Promise.resolve();
    return new Promise((resolve) => {
      const feed = registry.subscribe((event) => {
        if (event.kind !== "exited" || event.session.id !== id) return;
        feed.dispose();
        resolve();
      });
    });
  }
  return { registry, create, exited };
}

/** Counts bytes; acknowledges a little later, as a socket would. */
class CountingSink extends MemorySink {
  received = 0;
  at = 0;
  acknowledge: (at: number) => void = () => {};

  override sendBytes(bytes: Uint8Array): void {
    this.received += bytes.length;
    const last = this.messages("snapshot").at(-1);
    if (last && last !== this.seen) {
      // The data of a snapshot piece.
      this.seen = last;
      this.at = last.at;
    } else this.at += bytes.length;
    const { at } = this;
    setImmediate(() => this.acknowledge(at));
  }

  private seen: unknown;
}
