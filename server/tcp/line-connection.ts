// One connection of the line service from its first byte to its end (TC1): auth, then lines in their order, one at a time, so that a client that
// sends faster than the terminal takes is held back by its own socket. Ends exactly once, and with it the session that was opened for it.
import type { Socket } from "node:net";
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { ApiError } from "#lib/client/api-error.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { type ErrorCode, TermError } from "#lib/protocol/errors.ts";
import { validate } from "#lib/protocol/field-errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { LineFraming, mayBeJsonLines, parseLine } from "./framing.ts";
import { isRefusal, type LineDoor, type LineRefusal } from "./line-door.ts";
import { type AuthLine, authLineSchema, clientLineSchema, errorLine } from "./line-messages.ts";
import { LineOutput } from "./line-output.ts";
import { LineSession } from "./line-session.ts";
import type { OwnSessions } from "./own-sessions.ts";

/** Bytes of finished lines that wait for the one before: above it the socket is not read. */
const waitingBytes = 64 * 1024;

export interface LineConnectionParts {
  readonly socket: Socket;
  readonly door: LineDoor;
  readonly clock: Clock;
  readonly own: OwnSessions;
  /** The token was good: it counts no longer among those that have shown none. */
  readonly authenticated: () => void;
}

export class LineConnection {
  private readonly framing = new LineFraming({ maxBytes: limits.lineBytes });
  private readonly output: LineOutput;
  private readonly owned = new DisposableStore();
  private readonly deadline: Disposable;
  private lines: Uint8Array[] = [];
  private lineBytes = 0;
  private isWorking = false;
  private isFirstByte = true;
  private isAuthenticated = false;
  private session: LineSession | null = null;
  private ending: Promise<void> | null = null;
  private readonly closed: Promise<void>;

  constructor(private readonly parts: LineConnectionParts) {
    const { socket, clock } = parts;
    this.output = this.owned.add(new LineOutput(socket, clock));
    this.deadline = this.owned.add(clock.after(limits.lineAuthMs, () => socket.destroy()));
    socket.on("data", (chunk: Buffer) => this.received(chunk));
    // What a client that is gone was still sent is of no interest.
    socket.on("error", () => socket.destroy());
    this.closed = new Promise((resolve) => {
      socket.once("close", () => resolve(this.finish()));
    });
  }

  /** Resolves when the session that was opened for it is gone too. */
  whenOver(): Promise<void> {
    return this.closed;
  }

  leave(): void {
    this.fail("HOST_LOST", "the server is restarting");
  }

  private received(chunk: Buffer): void {
    const { socket } = this.parts;
    if (this.isFirstByte) {
      this.isFirstByte = false;
      // A browser's request, a TLS handshake, a port scan: no answer, because every answer is one to somebody who cannot have meant us.
      if (!mayBeJsonLines(chunk)) {
        socket.destroy();
        return;
      }
    }
    for (const framed of this.framing.push(chunk)) {
      if (framed.kind === "too_long") {
        this.lines = [];
        this.fail("TOO_LARGE", `a line has more than ${limits.lineBytes} bytes`);
        return;
      }
      this.lines.push(framed.bytes.slice());
      this.lineBytes += framed.bytes.length;
    }
    if (this.lineBytes > waitingBytes) socket.pause();
    void this.work();
  }

  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    for (let line = this.lines.shift(); line; line = this.lines.shift()) {
      this.lineBytes -= line.length;
      if (this.ending || this.parts.socket.destroyed) break;
      await this.take(line);
      if (this.lineBytes <= waitingBytes) this.parts.socket.resume();
    }
    this.isWorking = false;
  }

  private async take(line: Uint8Array): Promise<void> {
    const message = parseLine(line);
    if (!this.isAuthenticated && message === undefined) {
      this.parts.socket.destroy();
      return;
    }
    try {
      if (this.isAuthenticated) await this.act(message);
      else await this.begin(message);
    } catch (error) {
      this.refused(error);
    }
  }

  private async begin(message: unknown): Promise<void> {
    const { door, socket, clock, own } = this.parts;
    const asked = validate(authLineSchema, message, "line");
    if (asked.kind === "refused") {
      const { code, message: what } = asked.error;
      this.fail(code, `the first line must be {"type":"auth","token":…} (${what})`);
      return;
    }
    const actor = door.identify(asked.value.token, socket.remoteAddress ?? "");
    if (isRefusal(actor)) {
      this.failWith(actor);
      return;
    }
    this.deadline.dispose();
    this.isAuthenticated = true;
    this.parts.authenticated();
    const place = door.hold(actor, (reason) =>
      reason === "revoked"
        ? this.fail("UNAUTHENTICATED", "the token is revoked or expired")
        : this.leave(),
    );
    if (isRefusal(place)) {
      this.failWith(place);
      return;
    }
    this.owned.add(place);
    const host = door.host();
    if (!host) {
      this.fail("HOST_LOST", "the process that holds the terminals does not answer");
      return;
    }
    await this.open(asked.value, actor, { host, currentHost: () => door.host(), clock }, own);
  }

  private async open(
    line: AuthLine,
    actor: Actor,
    host: Pick<Parameters<typeof LineSession.open>[0], "host" | "currentHost" | "clock">,
    own: OwnSessions,
  ): Promise<void> {
    const { output } = this;
    let session: LineSession;
    try {
      session = await LineSession.open(
        {
          ...host,
          actor,
          output,
          events: {
            refused: (code, detail) => output.send(errorLine(code, detail)),
            exited: (code, signal) => {
              output.send({ type: "exit", code, signal });
              this.end();
            },
            ended: (code, detail) => this.fail(code, detail),
          },
        },
        line,
      );
    } catch (error) {
      this.refused(error);
      this.end();
      return;
    }
    this.session = session;
    if (session.origin === "own") own.add(session.info.id, actor);
    // Gone while it was made: the close came before there was anything to destroy.
    if (this.parts.socket.destroyed) {
      await this.destroySession();
      return;
    }
    const { id, name } = session.info;
    if (session.origin !== "own") output.send({ type: "session", id, name });
    await session.attach();
  }

  private async act(message: unknown): Promise<void> {
    if (message === undefined) {
      this.output.send(errorLine("BAD_REQUEST", "the line is not JSON"));
      return;
    }
    const line = validate(clientLineSchema, message, "line");
    if (line.kind === "refused") {
      this.output.send(errorLine(line.error.code, line.error.message));
      return;
    }
    const { session } = this;
    if (!session) return;
    if (line.value.type === "stdin") await session.type(line.value.data);
    else await session.resize({ cols: line.value.cols, rows: line.value.rows });
  }

  /** What the host said no to; the connection stays. */
  private refused(error: unknown): void {
    if (error instanceof TermError)
      this.output.send(errorLine(error.code, error.message, error.extra.retryAfterMs));
    else if (error instanceof ApiError && error.failure.kind === "refused") {
      const { code, detail, retry_after_ms } = error.failure.problem;
      this.output.send(errorLine(code, detail, retry_after_ms));
    } else if (error instanceof ApiError)
      this.fail("HOST_LOST", "the process that holds the terminals does not answer");
    else throw error;
  }

  private failWith({ code, detail, retryAfterMs }: LineRefusal): void {
    this.fail(code, detail, retryAfterMs);
  }

  private fail(code: ErrorCode, detail: string, retryAfterMs?: number): void {
    if (this.ending || this.parts.socket.destroyed) return;
    this.output.send(errorLine(code, detail, retryAfterMs));
    this.end();
  }

  /** Says goodbye; a client that does not read is cut. */
  private end(): void {
    const { socket, clock } = this.parts;
    if (this.ending) return;
    this.ending = Promise.resolve();
    this.owned.add(clock.after(limits.closeHandshakeMs, () => socket.destroy()));
    // What still comes in is thrown away, so that the last lines are not lost to a reset.
    socket.resume();
    socket.end();
  }

  private async finish(): Promise<void> {
    this.owned.dispose();
    this.lines = [];
    await this.destroySession();
  }

  private async destroySession(): Promise<void> {
    const { session } = this;
    this.session = null;
    if (!session) return;
    if (session.origin !== "own") {
      session.dispose();
      return;
    }
    try {
      await session.destroy();
    } catch (error) {
      // Gone already, or people keep it: nothing is left to be done by somebody who has left.
      if (!(error instanceof ApiError)) throw error;
    }
    this.parts.own.remove(session.info.id);
  }
}
