// The session behind one connection, as a client of the host's API: opened or attached to, typed into, resized, and destroyed with the
// connection unless it is to be kept (TC1). A person's token types as a person, over the attach socket; a program's types through the API,
// where lease, access and password prompts decide.

import { utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { ApiClient } from "#lib/client/api-client.ts";
import { AttachClient } from "#lib/client/attach-client.ts";
import { noPage } from "#lib/client/page-signals.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { type ErrorCode, errorTable, type Problem, TermError } from "#lib/protocol/errors.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { may } from "#lib/protocol/roles.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { HostEndpoint } from "#server/state/host-endpoint.ts";
import { hostApi, hostSocket, insideSocket } from "./host-access.ts";
import type { AuthLine } from "./line-messages.ts";
import type { LineOutput } from "./line-output.ts";

export interface LineSessionEvents {
  /** A refusal that does not end the session. */
  refused(code: ErrorCode, detail: string): void;
  exited(code: number | null, signal: string | null): void;
  /** There is nothing to come back to. */
  ended(code: ErrorCode, detail: string): void;
}

export interface LineSessionParts {
  readonly host: HostEndpoint;
  readonly currentHost: () => HostEndpoint | null;
  readonly actor: Actor;
  readonly output: LineOutput;
  readonly clock: Clock;
  readonly events: LineSessionEvents;
}

export class LineSession implements Disposable {
  private readonly api: ApiClient;
  private client: AttachClient | null = null;
  private isOver = false;

  private constructor(
    private readonly parts: LineSessionParts,
    readonly info: SessionInfo,
    /** `own` is destroyed with the connection. */
    readonly origin: "own" | "kept" | "found",
  ) {
    this.api = hostApi(parts.host, parts.actor);
  }

  /** Throws ApiError and TermError. */
  static async open(parts: LineSessionParts, line: AuthLine): Promise<LineSession> {
    const { actor, host } = parts;
    const api = hostApi(host, actor);
    if (line.session !== undefined) {
      demand(actor, "screen.read");
      const info = await api.getSession({ params: { id: line.session } });
      return new LineSession(parts, info, "found");
    }
    demand(actor, "session.create");
    const { type: _type, token: _token, keep = false, session: _session, ...body } = line;
    return new LineSession(parts, await api.createSession({ body }), keep ? "kept" : "own");
  }

  /** Resolves when the host hears what is typed, or when there is nothing to hear it any more. */
  attach(): Promise<void> {
    const { actor, host, output, clock, events } = this.parts;
    const client = new AttachClient({
      sessionId: this.info.id,
      isReadOnly: actor.kind === "agent",
      socketUrl: insideSocket,
      openSocket: hostSocket(host, actor, (problem) => this.refusedToAttach(problem)),
      // Not before the client has read what it was sent: each connection to the host has a window of its own.
      authorise: async () => {
        await output.whenDrained();
        return [];
      },
      clock,
      page: noPage(),
      target: output,
      // What a shell printed before anybody came belongs to whoever opened it.
      ...(this.origin === "found" ? {} : { since: 0 }),
    });
    this.client = client;
    client.onMessage((message) => this.heard(message));
    return new Promise((resolve) => {
      client.onState((state) => {
        if (state.kind === "live") resolve();
        if (state.kind === "waiting" && this.isHostGone()) {
          this.end("HOST_LOST", "the process that held the terminal has ended");
          resolve();
        }
        if (state.kind !== "ended") return;
        resolve();
        if (!this.isOver) events.ended(...reasonOf(state.code));
        this.isOver = true;
      });
      client.start();
    });
  }

  /** Throws ApiError and TermError: the session is what it was. */
  async type(data: string): Promise<void> {
    const { actor } = this.parts;
    demand(actor, "input.write");
    if (data === "") return;
    if (actor.kind === "agent") {
      await this.api.writeInput({
        params: { id: this.info.id },
        body: { input: [{ raw: data }] },
      });
      return;
    }
    if (this.client?.typed(utf8(data)) === false && !this.isOver)
      throw new TermError("HOST_LOST", "the terminal was not reached; this was not typed");
  }

  async resize(size: GridSize): Promise<void> {
    demand(this.parts.actor, "session.resize");
    await this.api.resizeSession({ params: { id: this.info.id }, body: size });
  }

  dispose(): void {
    this.isOver = true;
    this.client?.dispose();
    this.client = null;
  }

  /** Ends its processes and removes it; for a session of this connection's own. */
  async destroy(): Promise<void> {
    this.dispose();
    await this.api.closeSession({ params: { id: this.info.id } });
  }

  private heard(message: ServerMessage): void {
    const { events, output } = this.parts;
    if (this.isOver) return;
    if (message.type === "error") {
      const code = message.code in errorTable ? (message.code as ErrorCode) : "INTERNAL";
      events.refused(code, message.detail);
    }
    if (message.type !== "exited") return;
    this.isOver = true;
    output.flush();
    events.exited(message.exit_code, message.signal);
  }

  private refusedToAttach({ code, detail }: Problem): void {
    this.end(code, detail);
  }

  private end(code: ErrorCode, detail: string): void {
    if (this.isOver) return;
    this.dispose();
    this.parts.events.ended(code, detail);
  }

  private isHostGone(): boolean {
    return this.parts.currentHost()?.record.pid !== this.parts.host.record.pid;
  }
}

/** What the gate asks of every request (SE7); the lines are the only way in that it does not see. */
function demand(actor: Actor, action: Parameters<typeof may>[1]): void {
  if (may(actor.role, action)) return;
  throw new TermError("FORBIDDEN", `role ${actor.role} may not ${action}`);
}

function reasonOf(closeCode: number): [ErrorCode, string] {
  switch (closeCode) {
    case 4401:
      return ["UNAUTHENTICATED", "the token is revoked or expired"];
    case 4403:
      return ["SEALED", "a person disconnected agents from this session"];
    case 4404:
      return ["SESSION_NOT_FOUND", "the session was closed"];
    default:
      return ["HOST_LOST", `the terminal's connection ended (${closeCode})`];
  }
}
