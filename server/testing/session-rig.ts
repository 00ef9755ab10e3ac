// Sessions of a registry over scripted PTYs: real log, pump, screen, guard and viewers; only the process is played by the test.
import { setImmediate as nextLoop } from "node:timers/promises";
import type { Clock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { defaultGridSize } from "#lib/protocol/geometry.ts";
import type { Politeness } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import type { PtyAvailability } from "#server/host/pty/pty.ts";
import type { ShellIntegration } from "#server/host/pty/shell-hooks.ts";
import { type RegistryOptions, SessionRegistry } from "#server/host/session/registry.ts";
import type { SessionEvent } from "#server/host/session/session-event.ts";
import { realParts, type SessionParts } from "#server/host/session/session-parts.ts";
import { FakeClock } from "./fake-clock.ts";
import { FakePtyFactory } from "./fake-pty.ts";
import { MemorySink } from "./memory-sink.ts";
import { MirrorViewer } from "./mirror-viewer.ts";

export const person: Actor = { kind: "human", id: "ada", name: "Ada", role: "owner" };
export const agent: Actor = { kind: "agent", id: "bot", name: "Bot", role: "agent" };
export const onlooker: Actor = { kind: "human", id: "vera", name: "Vera", role: "viewer" };

export function sessionRig(
  options: {
    clock?: Clock;
    maxSessions?: number;
    availability?: PtyAvailability;
    /** Parts in the place of real ones. */
    parts?: Partial<SessionParts>;
    integration?: ShellIntegration;
    readSecrets?: RegistryOptions["readSecrets"];
    politeness?: Politeness;
  } = {},
) {
  const fake = new FakeClock();
  const clock = options.clock ?? fake;
  const factory = new FakePtyFactory(clock);
  factory.availability = options.availability ?? { state: "ready" };
  const events: SessionEvent[] = [];
  const registry = new SessionRegistry({
    clock,
    maxSessions: options.maxSessions ?? limits.sessions.default,
    parts: { ...realParts(clock, 5_000), ...options.parts },
    resolveSpec: (request) => ({
      file: request.command?.[0] ?? "/bin/bash",
      args: [],
      cwd: request.cwd ?? "/home/ada",
      env: request.env ?? {},
      size: {
        cols: request.cols ?? defaultGridSize.cols,
        rows: request.rows ?? defaultGridSize.rows,
      },
      term: "xterm-256color",
      command: request.command ?? ["/bin/bash"],
      integration: options.integration ?? { kind: "none" },
    }),
    factory,
    ...(options.politeness ? { politeness: options.politeness } : {}),
    ...(options.readSecrets ? { readSecrets: options.readSecrets } : {}),
  });
  registry.subscribe((event) => events.push(event));

  async function create(request: CreateSession = {}) {
    const info = await registry.create(person, request);
    const pty = factory.last;
    const port = (actor: Actor = person) => registry.port(actor, info.id);
    /** A viewer that draws and acknowledges. */
    const view = (actor: Actor = person, attach: { since?: number; readonly?: boolean } = {}) => {
      const viewer = new MirrorViewer();
      const attachment = port(actor).attach(viewer, { readonly: false, ...attach });
      viewer.acknowledge = (at) => attachment.acknowledge(at);
      return { viewer, attachment };
    };
    /** Everything that viewers are sent, from the first byte. */
    const dump = () => {
      const sink = new MemorySink();
      port().attach(sink, { readonly: true, since: 0 });
      return sink;
    };
    return { id: info.id, info, pty, port, view, dump };
  }

  /** Lets the fake clock and the event loop run far enough for everything pending to be sent. */
  async function settle(ms = 100): Promise<void> {
    for (let i = 0; i < 5; i++) {
      await nextLoop();
      fake.advance(ms / 5);
    }
    await nextLoop();
  }
  return { registry, clock: fake, factory, events, create, settle };
}
