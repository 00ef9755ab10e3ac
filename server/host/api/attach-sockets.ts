// All attach sockets of the host: judges upgrades, opens sockets, ends them by actor (T50-T59). The only user of the ws library here.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { requestIdHeader } from "#lib/protocol/actor.ts";
import { attachProtocol } from "#lib/protocol/attach.ts";
import { type Problem, TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { AttachOptions } from "../session/attachment-api.ts";
import { type AttachRequest, readAttachRequest } from "./attach-request.ts";
import { AttachSocket } from "./attach-socket.ts";
import { type CallerCheck, requestIdOf } from "./caller.ts";
import type { HostCore } from "./host-core.ts";
import { PeerWatch } from "./peer-watch.ts";
import { type ApiLog, problemHeaders, problemOf } from "./problem.ts";

export interface AttachSocketsOptions {
  readonly core: HostCore;
  readonly caller: CallerCheck;
  readonly clock: Clock;
  readonly log: ApiLog;
}

export class AttachSockets implements Disposable {
  private readonly sockets = new Set<AttachSocket>();
  private readonly watch: PeerWatch;
  private readonly server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.frameBytes,
    maxFragments: limits.messageFragments,
    maxBufferedChunks: limits.bufferedChunks,
    maxPendingAutoPongs: limits.pendingPongs,
    closeTimeout: limits.closeHandshakeMs,
    skipUTF8Validation: false,
    // A ticket may be offered beside it and is never echoed (T53).
    handleProtocols: () => attachProtocol,
  } as ConstructorParameters<typeof WebSocketServer>[0]);
  private accepting = true;

  constructor(private readonly options: AttachSocketsOptions) {
    this.watch = new PeerWatch(options.clock);
  }

  get count(): number {
    return this.sockets.size;
  }

  /** For the http server's `upgrade` event; every upgrade is answered or destroyed, none is left open. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const header = (name: string) => {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(",") : value;
    };
    const requestId = requestIdOf(header);
    try {
      this.attach(request, socket, head, header, requestId);
    } catch (error) {
      refuse(socket, problemOf(error, requestId, this.options.log), requestId);
    }
  }

  /** Closes the actor's sockets with 4401 and says how many there were. */
  disconnect(actorId: string): number {
    const theirs = [...this.sockets].filter(({ actor }) => actor.id === actorId);
    for (const socket of theirs) socket.close(4401, "the credential was revoked");
    return theirs.length;
  }

  /** Takes no more sockets and ends those that are open. */
  closeAll(code: number, reason: string): void {
    this.accepting = false;
    for (const socket of [...this.sockets]) socket.close(code, reason);
  }

  dispose(): void {
    this.accepting = false;
    for (const socket of [...this.sockets]) socket.dispose();
    this.watch.dispose();
    this.server.close();
  }

  private attach(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    header: (name: string) => string | undefined,
    requestId: string,
  ): void {
    const { core, caller, clock, log } = this.options;
    const actor = caller.actor(header);
    const asked = readAttachRequest(request);
    if (!this.accepting) throw new TermError("HOST_LOST", "the terminal host is going away");
    this.checkRoom(actor.id);
    const readonly = asked.readonly || actor.role === "viewer";
    const port = core.port(actor, asked.session, {
      readonly,
      request: requestId,
      act: "attach",
    });

    const viewer = new AttachSocket(actor, requestId, clock, log, (closed) => {
      this.sockets.delete(closed);
      this.watch.remove(closed);
    });
    // Attached before the handshake, so that a refusal is still a plain HTTP answer; ws answers within this turn.
    viewer.adopt(port.attach(viewer, attachOptions(asked, readonly)));
    this.sockets.add(viewer);
    let opened = false;
    this.server.handleUpgrade(request, socket, head, (ws) => {
      opened = true;
      viewer.open(ws, () => request.socket.bytesRead);
      this.watch.add(viewer);
    });
    if (!opened) viewer.dispose();
  }

  private checkRoom(actorId: string): void {
    if (this.sockets.size >= limits.socketsTotal) {
      throw new TermError("TOO_MANY_SOCKETS", `${limits.socketsTotal} sockets are open already`);
    }
    let theirs = 0;
    for (const { actor } of this.sockets) if (actor.id === actorId) theirs += 1;
    if (theirs >= limits.socketsPerPrincipal) {
      throw new TermError("TOO_MANY_SOCKETS", `this credential has ${theirs} sockets open already`);
    }
  }
}

function attachOptions(asked: AttachRequest, readonly: boolean): AttachOptions {
  const { since, render, idleMs } = asked;
  return {
    readonly,
    ...(since === undefined ? {} : { since }),
    ...(render ? { render } : {}),
    ...(idleMs === undefined ? {} : { idleMs }),
  };
}

/** A whole HTTP answer on a socket that is no longer the http server's. */
function refuse(socket: Duplex, problem: Problem, requestId: string): void {
  const body = JSON.stringify(problem);
  const headers = {
    ...problemHeaders(problem),
    [requestIdHeader]: requestId,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${problem.status} ${problem.title}\r\n${lines.join("")}\r\n`;
  // The other side may go on sending and never read: it has no say in how long this lasts.
  socket.end(head + body, () => socket.destroy());
}
