// The session registry with this machine's real parts, as the API wants it. The one place where they are put together.
import { existsSync } from "node:fs";
import { homedir, hostname } from "node:os";
import type { Clock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { Politeness } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { CreateSession, SessionInfo } from "#lib/protocol/session.ts";
import type { SessionLimits } from "#lib/protocol/session-limits.ts";
import { plainLine } from "#lib/terminal/visible-bytes.ts";
import type { AuditSink } from "#server/audit/audit-sink.ts";
import type { HostAudit } from "#server/audit/host-audit.ts";
import { version } from "#server/state/version.ts";
import type { HostCore } from "./api/host-core.ts";
import { EventFeed } from "./events/event-feed.ts";
import { ProfileCatalogue } from "./profiles/profile-catalogue.ts";
import type { PtyFactory } from "./pty/pty.ts";
import { refusedStart, runQuietly } from "./pty/quiet-command.ts";
import { defaultCommand, resolveSpawnSpec } from "./pty/spawn-spec.ts";
import type { TtySettingsReader } from "./pty/tty-settings.ts";
import { type LentSecrets, withLentSecrets } from "./secrets/lent-secrets.ts";
import { readSecrets } from "./secrets/read-secrets.ts";
import { codeOf } from "./session/audit-trail.ts";
import { refuseAccessBy, refuseSecretsBy, SessionRegistry } from "./session/registry.ts";
import { realParts } from "./session/session-parts.ts";

export interface AssembleOptions {
  readonly factory: PtyFactory;
  readonly clock: Clock;
  readonly maxSessions: number;
  /** Silence after which a person's keyboard goes back; null: never (LS5). */
  readonly leaseIdleMs: number | null;
  /** Of people who do not say (LS9). */
  readonly politeness: Politeness;
  readonly ttys: TtySettingsReader;
  /** False: shells are started without marks. */
  readonly shellIntegration: boolean;
  /** What a session's programs may use up, where its profile does not say (T105). */
  readonly sessionLimits: SessionLimits;
  /** Where the owner's launch profiles are written; null: nowhere. */
  readonly configFile: string | null;
  readonly audit: HostAudit;
  /** Of whoever runs the host in their own process. */
  readonly lentSecrets?: LentSecrets | undefined;
  /** Where people reach this server now, for COTTY_URL; null: nowhere. Asked at each create, because web comes and goes. */
  webUrl(): string | null;
}

export interface AssembledCore {
  readonly core: HostCore;
  readonly registry: SessionRegistry;
  readonly events: EventFeed;
  /** Every session, whoever may see it: for the host's own books. */
  sessions(): readonly SessionInfo[];
}

/** Programs and names only: arguments and variables may hold secrets. */
async function recorded(
  audit: AuditSink,
  actor: Actor,
  { profile, command }: CreateSession,
  request: string | null,
  create: () => Promise<SessionInfo>,
): Promise<SessionInfo> {
  const { kind, id, name } = actor;
  const what = plainLine(command?.[0] ?? (profile ? `profile ${profile}` : "the shell"), 200);
  const act = { act: "create", actor: { kind, id, name }, what, request } as const;
  try {
    const made = await create();
    audit.record({ ...act, session: made.id, outcome: "done" });
    return made;
  } catch (error) {
    audit.record({ ...act, session: null, outcome: codeOf(error) });
    throw error;
  }
}

function ownFolder(): string {
  try {
    return process.cwd();
  } catch {
    // Removed before we started.
    return homedir();
  }
}

export function assembleCore(options: AssembleOptions): AssembledCore {
  const { factory, clock, maxSessions, leaseIdleMs, politeness } = options;
  const cwd = ownFolder();
  const profiles = new ProfileCatalogue({
    configFile: options.configFile,
    environment: process.env,
    cwd,
    clock,
  });
  const registry = new SessionRegistry({
    factory,
    clock,
    maxSessions,
    leaseIdleMs,
    politeness,
    parts: realParts(clock, limits.scrollbackLines.default, options.ttys, options.audit),
    readSecrets: (sources) =>
      withLentSecrets(options.lentSecrets, sources, (others) =>
        readSecrets(others, {
          environment: process.env,
          home: homedir(),
          named: profiles.secrets,
          run: (command) =>
            runQuietly(
              factory,
              command,
              {
                environment: process.env,
                maxBytes: limits.secretBytes + 2,
                maxMs: limits.secretCommandMs,
              },
              clock,
            ).catch(refusedStart),
        }),
      ),
    resolveSpec: (request, sessionId) =>
      resolveSpawnSpec(request, {
        sessionId,
        environment: process.env,
        url: options.webUrl(),
        shellIntegration: options.shellIntegration,
        limits: profiles.limitsOf(request.profile) ?? options.sessionLimits,
        // A folder that was removed since must not keep every plain `create_session` from working: the home directory is next.
        ...(existsSync(cwd) ? { cwd } : {}),
      }),
  });
  const events = new EventFeed((listener) => registry.subscribe(listener), clock);
  const core: HostCore = {
    events,
    create: (actor, request, by) =>
      recorded(options.audit, actor, request, by?.request ?? null, async () => {
        refuseAccessBy(actor, request);
        refuseSecretsBy(actor, request);
        return registry.create(actor, profiles.applied(request));
      }),
    audit: (query) => options.audit.read(query),
    settled: () => options.audit.settled(),
    profiles: () => profiles.list(),
    list: (actor, tag) => registry.list(actor, tag),
    waitMany: (actor, request, signal) => registry.waitMany(actor, request, signal),
    port: (actor, id, portOptions) => registry.port(actor, id, portOptions),
    server: () => ({
      version,
      hostname: hostname(),
      cwd,
      terminals: factory.availability,
      sessions: { open: registry.size, max: maxSessions },
      default_command: defaultCommand(process.env),
      ...(options.audit.warning === null ? {} : { audit_warning: options.audit.warning }),
    }),
  };
  return { core, registry, events, sessions: () => registry.infos() };
}
