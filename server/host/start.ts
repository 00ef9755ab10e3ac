// Starts a host in this process (library, tests, and main.ts): takes the state directory, opens the door, and says so last (HO2, HO4-HO6).
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { type Actor, actorHeader, encodeActor, hostKeyHeader } from "#lib/protocol/actor.ts";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { Politeness } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SessionLimits } from "#lib/protocol/session-limits.ts";
import { HostAudit } from "#server/audit/host-audit.ts";
import { hostProtocol, writeHostRecord } from "#server/state/host-record.ts";
import { sweepFreshNames, writePrivateFile } from "#server/state/private-file.ts";
import { ownIdentity } from "#server/state/process-identity.ts";
import type { HeldLock } from "#server/state/process-lock.ts";
import { openStateDir, type StateDir } from "#server/state/state-dir.ts";
import { version } from "#server/state/version.ts";
import { webUrl } from "#server/state/web-record.ts";
import { AttachSockets } from "./api/attach-sockets.ts";
import { CallerCheck } from "./api/caller.ts";
import type { HostCore } from "./api/host-core.ts";
import { createInternalRouter } from "./api/internal.ts";
import { createRouter } from "./api/router.ts";
import { assembleCore } from "./core.ts";
import { assertMine, holdStateDir } from "./host-lock.ts";
import { type Door, openDoor } from "./listen.ts";
import { type HostLog, silentLog } from "./log.ts";
import { LoopDelayMeter } from "./loop-delay.ts";
import { createMcpEndpoint } from "./mcp/endpoint.ts";
import type { PtyFactory } from "./pty/pty.ts";
import { createPtyFactory } from "./pty/pty-factory.ts";
import { obstacleToLimits } from "./pty/session-limits.ts";
import {
  startTtySettings,
  type TtySettingsReader,
  unknownTtySettings,
} from "./pty/tty-settings.ts";
import type { LentSecrets } from "./secrets/lent-secrets.ts";
import { endLeftBehind, writeDown } from "./session-books.ts";
import { SessionLedger } from "./session-ledger.ts";
import { watchSocket } from "./socket-watch.ts";

/** What starting is refused with. */
export { HostAlreadyRuns } from "./host-lock.ts";

export interface HostOptions {
  readonly stateRoot: string;
  readonly maxSessions?: number;
  /** Silence after which a person's keyboard goes back to agents (LS5); null: never. */
  readonly leaseIdleMs?: number | null;
  /** How another person's keys may take the keyboard, where its holder does not say (LS9). */
  readonly politeness?: Politeness;
  readonly noTerminal?: boolean;
  /** What a session's programs may use up, where its profile does not say (T105). Refused where this machine cannot hold them to it. */
  readonly sessionLimits?: SessionLimits;
  /** Shells are started as they are, whatever a request says (SI1). */
  readonly noShellIntegration?: boolean;
  /** Where the owner's launch profiles are written; it need not exist. */
  readonly configFile?: string;
  readonly log?: HostLog;
  readonly clock?: Clock;
  /** PTY modules to try instead of the known ones: package names or absolute paths. */
  readonly ptyModules?: readonly string[];
  /** Secrets as functions, for who runs the host in their own process. */
  readonly lentSecrets?: LentSecrets;
  /** Instead of this machine's terminals, for tests. */
  readonly ptyFactory?: PtyFactory;
}

export interface RunningHost {
  readonly dir: StateDir;
  /** What people should hear about this host, as sentences. */
  readonly warnings: readonly string[];
  /** The same host without its socket, for who runs it in their own process. */
  readonly core: HostCore;
  /** The API as `actor`'s requests meet it. */
  apiAs(actor: Actor): (request: Request) => Response | Promise<Response>;
  /** Ends every session, closes the door and takes the files away. Idempotent. */
  stop(): Promise<void>;
  /** Resolves when `stop` has ended, whoever asked for it. */
  readonly stopped: Promise<void>;
}

export async function startHost(options: HostOptions): Promise<RunningHost> {
  const { clock = systemClock, log = silentLog() } = options;
  const obstacle = obstacleToLimits(options.sessionLimits ?? {});
  if (obstacle !== null) throw new Error(obstacle);
  const dir = openStateDir(options.stateRoot);
  const lock = await holdStateDir(dir, clock);
  // Before the first terminal, the self-test's included (docs/decisions/007).
  const ttys = options.noTerminal
    ? unknownTtySettings("terminals are turned off")
    : startTtySettings(clock);
  try {
    return await startLocked(options, dir, lock, ttys, clock, log);
  } catch (error) {
    await ttys.close();
    lock.release();
    throw error;
  }
}

async function startLocked(
  options: HostOptions,
  dir: StateDir,
  lock: HeldLock,
  ttys: TtySettingsReader,
  clock: Clock,
  log: HostLog,
): Promise<RunningHost> {
  // A record without its host must not vouch for this one before it answers.
  rmSync(dir.hostRecord, { force: true });
  sweepFreshNames(dir.root);
  const ledger = new SessionLedger(dir.hostSessions);
  const warnings = [...(await endLeftBehind(ledger, clock, log)), ...rootWarning()];
  const { noTerminal = false, maxSessions = limits.sessions.default } = options;
  const factory =
    options.ptyFactory ??
    (await createPtyFactory({
      noTerminal,
      ...(options.ptyModules ? { modules: options.ptyModules } : {}),
    }));
  const { availability } = factory;
  if (availability.state === "unavailable") warnings.push(availability.reason);
  if (availability.state === "ready") warnings.push(...(availability.warnings ?? []));

  const audit = new HostAudit({
    folder: dir.audit,
    clock,
    onWarning: (warning) =>
      warning === null ? log.info({}, "the audit is written again") : log.error({}, warning),
  });
  const { core, registry, events, sessions } = assembleCore({
    factory,
    audit,
    clock,
    maxSessions,
    leaseIdleMs:
      options.leaseIdleMs === undefined ? limits.leaseIdleMs.default : options.leaseIdleMs,
    politeness: options.politeness ?? "polite",
    ttys,
    configFile: options.configFile ?? null,
    shellIntegration: !options.noShellIntegration,
    sessionLimits: options.sessionLimits ?? {},
    lentSecrets: options.lentSecrets,
    webUrl: () => webUrl(dir),
  });
  const watching = registry.subscribe(({ kind }) => {
    if (kind === "created" || kind === "closed") writeDown(ledger, sessions(), log);
  });
  const running = () => sessions().filter(({ exited }) => !exited).length;
  const key = randomBytes(32).toString("hex");
  const caller = new CallerCheck(key);
  const sockets = new AttachSockets({ core, caller, clock, log });
  const identity = ownIdentity();
  const loop = new LoopDelayMeter();
  const startedAt = new Date(clock.now()).toISOString();
  const stopped = deferred();
  let stopping: Promise<void> | undefined;
  let socketWatch: Disposable | undefined;

  const control = {
    status: () => {
      // Whoever looks for a host to work with must not take one that is ending its sessions.
      if (stopping) throw new TermError("HOST_LOST", "the terminal host is going away");
      return {
        ...identity,
        version,
        protocol: hostProtocol,
        started_at: startedAt,
        sessions: running(),
        sockets: sockets.count,
        loop: loop.take(),
        terminals: factory.availability,
        warnings: audit.warning === null ? warnings : [...warnings, audit.warning],
      };
    },
    audit: (act: AuditAct, atMs: number) => audit.record(act, atMs),
    disconnect: (actorId: string) => {
      registry.forget(actorId);
      return sockets.disconnect(actorId) + events.disconnect(actorId);
    },
    shutdown: () => {
      const count = running();
      // The record is gone before the answer leaves; the door closes only after it.
      void host.stop();
      return count;
    },
  };
  const internal = createInternalRouter(control, caller, log);
  const router = createRouter({ core, caller, log, clock });
  const api = (request: Request) => router.fetch(request);
  const mcp = createMcpEndpoint({ api, caller, log, version, clock });
  let door: Door | undefined;

  const takeDown = async (): Promise<void> => {
    // First of all nobody finds this host any more; the lock keeps a next one waiting until the files are free.
    const isMine = lock.isMine();
    if (isMine) rmSync(dir.hostRecord, { force: true });
    await registry.closeAll();
    await ttys.close();
    watching.dispose();
    events.dispose();
    sockets.closeAll(1012, "the terminal host has ended");
    // A viewer that does not answer the closing handshake must not keep the door open.
    const cut = systemClock.after(500, () => sockets.dispose());
    await door?.close();
    cut.dispose();
    sockets.dispose();
    registry.dispose();
    loop.dispose();
    socketWatch?.dispose();
    // One that found another in its place has done nothing, and must not write into that one's audit.
    if (isMine && door) audit.record(ownAct("host_stop", `pid ${identity.pid}`));
    await audit.close();
    if (isMine) {
      ledger.remove();
      rmSync(dir.hostKey, { force: true });
    }
    lock.release();
  };
  const host: RunningHost = {
    dir,
    warnings,
    core,
    apiAs: (actor) => (request) => {
      const headers = new Headers(request.headers);
      headers.set(hostKeyHeader, key);
      headers.set(actorHeader, encodeActor(actor));
      return api(new Request(request, { headers }));
    },
    stopped: stopped.promise,
    stop: () => {
      stopping ??= takeDown().finally(() => {
        log.info({}, "the host has ended");
        stopped.resolve();
      });
      return stopping;
    },
  };

  try {
    assertMine(lock, dir);
    // The key is on disk before the door opens: whoever can connect can also prove it.
    writePrivateFile(dir.hostKey, `${key}\n`);
    door = await openDoor({
      socketPath: dir.hostSocket,
      api,
      mcp,
      internal: (request) => internal.fetch(request),
      sockets,
      log,
    });
    assertMine(lock, dir);
    writeHostRecord(dir, { ...identity, version, protocol: hostProtocol });
  } catch (error) {
    await host.stop();
    throw error;
  }
  socketWatch = watchSocket(dir.hostSocket, clock, () => {
    log.error(
      { socket: dir.hostSocket },
      "the socket was taken away; nobody can reach the terminals any more, so they end",
    );
    void host.stop();
  });
  log.info({ version, maxSessions }, "the host answers");
  await audit.noteEnd();
  await audit.takeIn();
  audit.record(ownAct("host_start", `version ${version}, pid ${identity.pid}`));
  return host;
}

function ownAct(act: "host_start" | "host_stop", what: string): AuditAct {
  return { act, actor: null, session: null, outcome: "done", what, request: null };
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function rootWarning(): string[] {
  return process.getuid?.() === 0
    ? ["cotty runs as root: every terminal here is a root shell"]
    : [];
}
