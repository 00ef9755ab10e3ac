// All sessions of this host: made, found, listed, ended; one feed of what happens to them. Knows no transport.
import type { Clock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { AuditActName } from "#lib/protocol/audit.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { newSessionId, type SessionId } from "#lib/protocol/ids.ts";
import type { Politeness } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SecretSources } from "#lib/protocol/secrets.ts";
import {
  type CreateSession,
  isSealed,
  type ListedSession,
  type SealedSession,
  type SessionInfo,
} from "#lib/protocol/session.ts";
import type { WaitManyReply, WaitManyRequest } from "#lib/protocol/wait.ts";
import { RepeatedActs } from "#server/audit/repeated-acts.ts";
import type { Pty, PtyFactory } from "#server/host/pty/pty.ts";
import type { SpawnSpec } from "#server/host/pty/spawn-spec.ts";
import { WaitDesk } from "#server/host/wait/wait-desk.ts";
import { Session, type SessionStart } from "./session.ts";
import type { SessionEvent } from "./session-event.ts";
import { defaultName } from "./session-name.ts";
import type { SessionParts } from "./session-parts.ts";
import { SessionPort } from "./session-port.ts";
import { waitMany } from "./wait-many.ts";

export interface PortOptions {
  readonly readonly?: boolean;
  /** Id of the request that asks. */
  readonly request?: string;
  /** What it is about to do; left out: to look. */
  readonly act?: AuditActName;
}

export interface RegistryOptions {
  readonly factory: PtyFactory;
  readonly parts: SessionParts;
  readonly clock: Clock;
  readonly maxSessions: number;
  /** Silence after which a person's keyboard goes back (LS5); null: never. Left out: 4 s. */
  readonly leaseIdleMs?: number | null;
  /** Of people who do not say how others may take the keyboard from them (LS9). Left out: polite. */
  readonly politeness?: Politeness;
  /** Throws TermError BAD_CWD, BAD_COMMAND and the like, before any process exists (PT7). */
  resolveSpec(request: CreateSession, id: SessionId): SpawnSpec;
  /** Throws BAD_REQUEST. */
  readSecrets?(sources: SecretSources): Promise<Readonly<Record<string, string>>>;
}

/** What agents may do is for people to say, less as well as more (AC1). For the request as it was made, before a profile adds to it. */
export function refuseAccessBy(actor: Actor, { access }: CreateSession): void {
  if (actor.kind === "agent" && access !== undefined)
    throw new TermError("FORBIDDEN", "what agents may do with a session is set by people");
}

/** The server reads whatever it may read itself: the owner says what, and agents name it. For the request as it was made, too. */
export function refuseSecretsBy(actor: Actor, { secrets = {} }: CreateSession): void {
  if (actor.kind === "human" && actor.role === "owner") return;
  for (const [name, source] of Object.entries(secrets)) {
    if ("named" in source) continue;
    const errors = [{ path: `body.secrets.${name}`, message: "must be named" }];
    throw new TermError(
      "FORBIDDEN",
      `${actor.name} may use the secrets that the config file defines, by {"named": NAME}, and no others`,
      { errors },
    );
  }
}

/** Feeds, recorders and lists; each event costs a call per listener. */
const maxListeners = 1_024;

export class SessionRegistry implements Disposable {
  /** In order of creation. */
  private readonly sessions = new Map<SessionId, Session>();
  /** Being started: they count against the limit. */
  private starting = 0;
  private isDisposed = false;
  private readonly desk: WaitDesk;
  /** Looks that are refused, which a program may try again and again. */
  private readonly repeats: RepeatedActs;
  private readonly events = new Emitter<SessionEvent>();

  constructor(private readonly options: RegistryOptions) {
    this.desk = new WaitDesk(options.clock);
    this.repeats = new RepeatedActs(options.parts.audit, options.clock);
  }

  get size(): number {
    return this.sessions.size;
  }

  /** Throws the refusals of `create_session`; nothing remains then. */
  async create(actor: Actor, request: CreateSession): Promise<SessionInfo> {
    this.refuseCreate(actor, request);
    const id = newSessionId();
    this.starting += 1;
    try {
      const secrets = await this.secretsOf(request);
      const env = secrets ? { env: { ...request.env, ...secrets } } : {};
      const spec = this.options.resolveSpec({ ...request, ...env }, id);
      const pty = await this.options.factory.spawn(spec);
      if (this.isDisposed) {
        pty.dispose();
        throw new TermError("HOST_LOST", "the host is stopping");
      }
      try {
        return this.add(id, request, spec, pty, secrets);
      } catch (fault) {
        // No process without a session.
        pty.dispose();
        throw fault;
      }
    } finally {
      this.starting -= 1;
    }
  }

  /** What this actor may know of, oldest first. */
  list(actor: Actor, tag?: string): readonly ListedSession[] {
    return [...this.sessions.values()]
      .filter((session) => isVisible(actor, session.record.id))
      .map((session) => (isSealedTo(actor, session) ? sealedEntry(session) : session.info()))
      .filter((info) => tag === undefined || (!isSealed(info) && info.tags.includes(tag)));
  }

  /** All of them, whoever may see them: for the host's own books. */
  infos(): readonly SessionInfo[] {
    return [...this.sessions.values()].map((session) => session.info());
  }

  /** The credential of this actor ended: what of its input still waits is not typed (IN8). */
  forget(actorId: string): void {
    for (const session of this.sessions.values()) session.firstPrompt.forbid(actorId);
  }

  /** Throws SESSION_NOT_FOUND: absent, or hidden from this actor; nobody learns which. SEALED: there, and closed to agents (AC2). */
  port(actor: Actor, id: string, options: PortOptions = {}): SessionPort {
    const session = this.sessions.get(id);
    if (!session || !isVisible(actor, id)) {
      // Of sessions that are there: what was never heard of is no act on one.
      if (session) this.refused(actor, id, "SESSION_NOT_FOUND", options);
      throw new TermError("SESSION_NOT_FOUND", `there is no session ${id}`);
    }
    if (isSealedTo(actor, session)) {
      this.refused(actor, id, "SEALED", options);
      throw new TermError("SEALED", "a person disconnected agents from this session");
    }
    return new SessionPort(
      session,
      actor,
      options.readonly ?? false,
      this.options.clock,
      this.desk,
      options.request ?? null,
    );
  }

  private refused(actor: Actor, session: string, outcome: string, options: PortOptions): void {
    const { act = "look", request = null } = options;
    const { kind, id, name } = actor;
    const entry = { act, actor: { kind, id, name }, session, outcome, request };
    if (act === "look") this.repeats.record(entry);
    else this.options.parts.audit.record(entry);
  }

  /** Over those that were asked for by id or tag, or all that the actor may know of (WT7). Throws SESSION_NOT_FOUND and SEALED for ids. */
  async waitMany(
    actor: Actor,
    request: WaitManyRequest,
    signal?: AbortSignal,
  ): Promise<WaitManyReply> {
    for (const id of request.sessions ?? []) this.port(actor, id);
    const sessions = [...this.sessions.values()].filter(
      (session) =>
        isVisible(actor, session.record.id) &&
        !isSealedTo(actor, session) &&
        (request.sessions?.includes(session.record.id) ?? true) &&
        (request.tag === undefined || session.info().tags.includes(request.tag)),
    );
    const { clock } = this.options;
    const reply = await waitMany({ sessions, actor, desk: this.desk, clock }, request, signal);
    // What was printed was read over several turns (AC2).
    const told = reply.session === null ? undefined : this.sessions.get(reply.session);
    if (told && reply.verdict?.outcome !== "sealed" && isSealedTo(actor, told))
      throw new TermError("SEALED", "a person disconnected agents from this session");
    const handover = told?.traces.handovers.tell(actor);
    if (!handover || !reply.verdict) return reply;
    return { ...reply, verdict: { ...reply.verdict, handover } };
  }

  /** One feed for all sessions. Listeners run synchronously and must not throw. */
  subscribe(listener: (event: SessionEvent) => void): Disposable {
    if (this.events.listenerCount >= maxListeners)
      throw new TermError("TOO_MANY_SOCKETS", `${maxListeners} feeds are open already`);
    return this.events.event(listener);
  }

  /** At the end of the host: ends every session politely and waits for it. */
  async closeAll(): Promise<void> {
    this.isDisposed = true;
    await Promise.allSettled(
      [...this.sessions.values()].map((session) => session.close("HUP", "HOST_LOST")),
    );
  }

  /** Ends everything at once. */
  dispose(): void {
    this.isDisposed = true;
    for (const session of [...this.sessions.values()]) session.dispose();
    this.events.dispose();
    this.desk.dispose();
    this.repeats.dispose();
  }

  private refuseCreate(actor: Actor, { access }: CreateSession): void {
    // A profile of the owner may say so; the agent could never see what it made.
    if (actor.kind === "agent" && access === "sealed")
      throw new TermError("SEALED", "agents are kept out of the sessions of this profile");

    const { factory, maxSessions } = this.options;
    const { availability } = factory;
    if (availability.state === "disabled")
      throw new TermError("TERMINALS_DISABLED", availability.reason);
    if (availability.state === "unavailable")
      throw new TermError("TERMINALS_UNAVAILABLE", availability.reason);
    if (this.isDisposed) throw new TermError("HOST_LOST", "the host is stopping");
    // It could never see what it made.
    if (actor.sessions)
      throw new TermError("FORBIDDEN", `${actor.name} is limited to the sessions it was given`);
    const count = this.sessions.size + this.starting;
    if (count >= maxSessions)
      throw new TermError("TOO_MANY_SESSIONS", `there are ${count} sessions of ${maxSessions}`);
  }

  private async secretsOf({ secrets }: CreateSession) {
    const { readSecrets } = this.options;
    if (!secrets || Object.keys(secrets).length === 0) return undefined;
    if (!readSecrets) throw new TermError("BAD_REQUEST", "this server has no secrets");
    return readSecrets(secrets);
  }

  private add(
    id: SessionId,
    request: CreateSession,
    spec: SpawnSpec,
    pty: Pty,
    secrets: SessionStart["secrets"],
  ): SessionInfo {
    const { parts, clock, leaseIdleMs = limits.leaseIdleMs.default } = this.options;
    const { politeness = "polite" } = this.options;
    const isSized = request.cols !== undefined || request.rows !== undefined;
    const session = new Session(
      {
        id,
        // Limits put another program in front of it: `file` is that one then.
        name:
          request.name ??
          defaultName(request.profile ?? spec.command[0] ?? spec.file, this.names()),
        command: spec.command,
        cwd: spec.cwd,
        tags: [...new Set(request.tags ?? [])],
        profile: request.profile,
        createdMs: clock.now(),
        shell: {
          nonce: spec.integration.kind === "hooked" ? spec.integration.nonce : null,
          isOff: spec.integration.kind === "off",
        },
      },
      {
        size: spec.size,
        owner: { by: isSized ? "api" : "nobody" },
        access: request.access ?? "collaborate",
        idleMs: leaseIdleMs,
        politeness,
        secrets,
      },
      pty,
      parts,
      clock,
    );
    this.sessions.set(id, session);
    this.relay(session);
    const info = session.info();
    this.events.fire({ kind: "created", session: info });
    return info;
  }

  private relay(session: Session): void {
    session.onEvent((event) => {
      if (event.kind === "closed") this.sessions.delete(session.record.id);
      this.events.fire(event);
    });
  }

  private names(): ReadonlySet<string> {
    return new Set([...this.sessions.values()].map((session) => session.record.name));
  }
}

function isVisible(actor: Actor, id: SessionId): boolean {
  return actor.sessions === undefined || actor.sessions.includes(id);
}

function isSealedTo(actor: Actor, { access }: Session): boolean {
  return actor.kind === "agent" && access === "sealed";
}

function sealedEntry({ record }: Session): SealedSession {
  return { id: record.id, sealed: true };
}
