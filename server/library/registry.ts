// Terminals in the caller's own process: the whole host, spoken to without a socket. Thin on purpose: what an agent and a person may do is decided
// where it is decided for everybody else. The state directory is a real one, so people can watch with `cotty attach --state-dir`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import type { Actor } from "#lib/protocol/actor.ts";
import type { Capsule } from "#lib/protocol/capsule.ts";
import type { Politeness } from "#lib/protocol/lease.ts";
import type { SecretSource } from "#lib/protocol/secrets.ts";
import { type CreateSession, isSealed, type SessionInfo } from "#lib/protocol/session.ts";
import type { SessionLimits } from "#lib/protocol/session-limits.ts";
import { capsuleOf } from "#server/host/session/capsule.ts";
import { type RunningHost, startHost } from "#server/host/start.ts";
import { Terminal } from "./terminal.ts";

export interface RegistryOptions {
  /** Private directory for the socket, the audit and credentials. Left out: a fresh one, removed by `close`. */
  readonly stateDir?: string;
  readonly maxSessions?: number;
  /** Silence after which a person's keyboard goes back to agents; null: never. */
  readonly leaseIdleMs?: number | null;
  /** How another person's keys may take the keyboard from who has it (`polite`: the second key within two seconds). */
  readonly politeness?: Politeness;
  /** What people see as who types. */
  readonly agentName?: string;
  readonly personName?: string;
  /** False: shells are started without marks. */
  readonly shellIntegration?: boolean;
  /** What the programs of one session may use up. Where this machine cannot hold them to it, `start` throws. */
  readonly sessionLimits?: SessionLimits;
}

/** A function is asked when the session starts; its value never goes through the terminal, the API or a log. */
export type SecretValue = SecretSource | (() => string | Promise<string>);

export interface OpenTerminal extends Omit<CreateSession, "secrets"> {
  readonly secrets?: Readonly<Record<string, SecretValue>>;
}

/** In whose name: an agent's acts meet lease, access and password prompts; a person's do not. */
export type Origin = "agent" | "human";

export class TerminalRegistry {
  private readonly lent: Map<string, () => string | Promise<string>>;
  private lentCount = 0;

  private constructor(
    private readonly host: RunningHost,
    private readonly actors: Readonly<Record<Origin, Actor>>,
    lent: Map<string, () => string | Promise<string>>,
    private readonly cleanUp: () => void,
  ) {
    this.lent = lent;
  }

  /** Throws where another host serves `stateDir`. One registry per process is enough; more are possible. */
  static async start(options: RegistryOptions = {}): Promise<TerminalRegistry> {
    const { stateDir, maxSessions, leaseIdleMs, politeness, shellIntegration = true } = options;
    const { sessionLimits = {} } = options;
    const folder = stateDir ?? mkdtempSync(join(tmpdir(), "cotty-library-"));
    const lent = new Map<string, () => string | Promise<string>>();
    const cleanUp = () => {
      if (stateDir === undefined) rmSync(folder, { recursive: true, force: true });
    };
    try {
      const host = await startHost({
        stateRoot: folder,
        noShellIntegration: !shellIntegration,
        lentSecrets: lent,
        sessionLimits,
        ...(maxSessions === undefined ? {} : { maxSessions }),
        ...(leaseIdleMs === undefined ? {} : { leaseIdleMs }),
        ...(politeness === undefined ? {} : { politeness }),
      });
      const { agentName = "agent", personName = userInfo().username || "person" } = options;
      const actors = {
        agent: { kind: "agent", id: "library-agent", name: agentName, role: "agent" },
        human: { kind: "human", id: "library-person", name: personName, role: "owner" },
      } as const;
      return new TerminalRegistry(host, actors, lent, cleanUp);
    } catch (error) {
      cleanUp();
      throw error;
    }
  }

  get stateDir(): string {
    return this.host.dir.root;
  }

  /** What people should hear: running as root, no terminals on this machine. */
  get warnings(): readonly string[] {
    return this.host.warnings;
  }

  /** Throws TermError. Opened in the person's name: what it may be is theirs to say. */
  async open(request: OpenTerminal = {}): Promise<Terminal> {
    const { secrets, ...rest } = request;
    const names: string[] = [];
    const sources = Object.entries(secrets ?? {}).map(([variable, value]) => {
      if (typeof value !== "function") return [variable, value] as const;
      this.lentCount += 1;
      const named = `lent_${this.lentCount}`;
      names.push(named);
      this.lent.set(named, value);
      return [variable, { named }] as const;
    });
    try {
      const body = sources.length === 0 ? rest : { ...rest, secrets: Object.fromEntries(sources) };
      const { id } = await this.host.core.create(this.actors.human, body);
      return this.get(id);
    } finally {
      for (const named of names) this.lent.delete(named);
    }
  }

  /** Throws TermError SESSION_NOT_FOUND. */
  get(id: string): Terminal {
    const { core } = this.host;
    core.port(this.actors.human, id);
    return new Terminal(id, (origin) => core.port(this.actors[origin], id));
  }

  list(): readonly SessionInfo[] {
    return this.host.core
      .list(this.actors.human, undefined)
      .filter((one): one is SessionInfo => !isSealed(one));
  }

  /** All sessions in one short text with a version, as an agent may see them: for the beginning of each turn. */
  capsule(): Capsule {
    return capsuleOf(this.host.core.list(this.actors.agent, undefined));
  }

  /** The API in the agent's name, as `fetch` would reach it. For tools. */
  get agentApi(): (request: Request) => Response | Promise<Response> {
    return this.host.apiAs(this.actors.agent);
  }

  /** Ends every session and the host. Idempotent. */
  async close(): Promise<void> {
    await this.host.stop();
    this.cleanUp();
  }
}
