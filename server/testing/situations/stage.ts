// Where situations are played: real terminals, the real screen, the helper that asks for terminal settings. One for many situations.
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "#lib/base/clock.ts";
import type { ActivityApi } from "#server/host/activity/activity-api.ts";
import { lookAtTerminal, type TerminalLook } from "#server/host/activity/tty-read.ts";
import { createPtyFactory } from "#server/host/pty/pty-factory.ts";
import { resolveSpawnSpec } from "#server/host/pty/spawn-spec.ts";
import { startTtySettings } from "#server/host/pty/tty-settings.ts";
import { SessionRegistry } from "#server/host/session/registry.ts";
import type { Session } from "#server/host/session/session.ts";
import { realParts } from "#server/host/session/session-parts.ts";
import { fishHome } from "../fish-home.ts";
import { person } from "../session-rig.ts";
import type { Situation } from "./situation.ts";

export interface Scene {
  readonly id: string;
  readonly activity: ActivityApi;
  /** Before the program was started, as `performance.now()`. */
  readonly startedMs: number;
  type(keys: string): Promise<void>;
  screen(): Promise<string>;
  end(): Promise<void>;
}

/** `change`: what the probe says, as another system or another user would see it. */
export async function openStage(change = (look: TerminalLook) => look) {
  const ttys = startTtySettings(systemClock);
  const folder = mkdtempSync(join(tmpdir(), "cotty-situations-"));
  const registry = new SessionRegistry({
    clock: systemClock,
    maxSessions: 100,
    parts: {
      ...realParts(systemClock, 1_000, ttys),
      lookAtTerminal: (pid, tty) => change(lookAtTerminal(pid, tty)),
    },
    resolveSpec: (request, sessionId) =>
      resolveSpawnSpec(request, { sessionId, environment: process.env, cwd: folder }),
    factory: await createPtyFactory({ noTerminal: false }),
  });
  let count = 0;

  async function play(situation: Situation): Promise<Scene> {
    const cwd = join(folder, String(++count));
    fishHome(cwd);
    for (const [name, text] of Object.entries(situation.files ?? {}))
      writeFileSync(join(cwd, name), text);
    const env = { HOME: cwd, TMUX_TMPDIR: cwd, LC_ALL: "C.UTF-8", LESS: "", ...situation.env };
    const command = [...situation.command];
    const integration = situation.isIntegrated ? "auto" : "off";
    const startedMs = performance.now();
    const { id } = await registry.create(person, { command, cwd, env, integration });
    const port = registry.port(person, id);
    return {
      id,
      startedMs,
      activity: sessionOf(registry, id).activity,
      type: async (keys) => void (await port.write([{ text: keys }])),
      screen: async () => (await port.screen()).lines.join("\n"),
      end: () => port.close("KILL"),
    };
  }

  async function close(): Promise<void> {
    await registry.closeAll();
    registry.dispose();
    await ttys.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return { registry, play, close };
}

/** What a person has to install, by name, before these can be played too. */
export function leftOut(
  all: readonly { readonly name: string; readonly needs?: readonly string[] }[],
): readonly string[] {
  return all.flatMap((one) => {
    const names = missing(one);
    return names.length > 0 ? [`${one.name}: no ${names.join(", ")}`] : [];
  });
}

/** Programs that are not here. */
export function missing({
  needs = [],
}: {
  readonly needs?: readonly string[] | undefined;
}): readonly string[] {
  return needs.filter((name) => (name === "root" ? process.getuid?.() !== 0 : !isOnPath(name)));
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Behind the port: states between two of the feed's news would stay unseen. */
function sessionOf(registry: SessionRegistry, id: string): Session {
  const { sessions } = registry as unknown as { sessions: ReadonlyMap<string, Session> };
  const session = sessions.get(id);
  if (!session) throw new Error(`no session ${id}`);
  return session;
}
