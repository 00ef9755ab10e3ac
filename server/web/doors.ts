// The one request listener and the one upgrade listener of web (T31): the gate judges, then exactly one of our own operations, the
// site, Next (development) or the host answers. Nothing here decides who may do what.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { assertNever } from "#lib/base/assert.ts";
import type { Clock } from "#lib/base/clock.ts";
import { randomId } from "#lib/protocol/ids.ts";
import { type Answerable, refuseSocket, sendJson, sendRefusal } from "./answer.ts";
import { prefersMarkdown, sendDocument } from "./documents.ts";
import { actorOf, type Caller, type Gate, type GateVerdict } from "./gate/gate.ts";
import { type RequestFacts, requestFacts } from "./gate/request-facts.ts";
import type { SocketCaps } from "./gate/socket-caps.ts";
import type { HostLink } from "./host-link.ts";
import type { NextBridge } from "./next-bridge.ts";
import type { OpenConnections } from "./open-connections.ts";
import { answerOwn, type OwnParts } from "./own-operations.ts";
import type { HostPipe } from "./pipe.ts";
import { refusedAct } from "./refused-act.ts";
import type { StaticSite } from "./static-site.ts";
import { forwardUpgrade } from "./upgrade.ts";
import type { WebLog } from "./web-log.ts";

export interface DoorParts {
  readonly gate: Gate;
  readonly caps: SocketCaps<Socket>;
  readonly own: OwnParts;
  readonly site: StaticSite;
  readonly pipe: HostPipe;
  readonly link: HostLink;
  readonly connections: OpenConnections;
  readonly next: NextBridge | null;
  readonly log: WebLog;
  readonly clock: Clock;
}

type Passed = Extract<GateVerdict, { pass: true }>;

export class Doors {
  constructor(private readonly parts: DoorParts) {}

  /** `expectsContinue`: the client waits for a 100 before it sends its body. */
  request(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    const requestId = randomId(16);
    const { parts } = this;
    parts.caps.heard(request.socket);
    const refuse = (refused: Answerable) =>
      sendRefusal(request, response, refused, requestId, parts.clock);
    const facts = requestFacts("request", request);
    const verdict = parts.gate.judge(facts);
    if (!verdict.pass) {
      this.report(verdict, facts, requestId);
      const page = verdict.refusal.code === "NOT_FOUND" ? this.pageInstead(request) : null;
      if (page === null) refuse(verdict.refusal);
      else
        parts.site
          .serve(page, request, response, parts.clock)
          .catch((error: unknown) => this.failed(error, request, response, requestId));
      return;
    }
    if (verdict.caller.via !== "nobody") parts.caps.authenticated(request.socket);
    if (expectsContinue) response.writeContinue();
    this.answer(verdict, request, response, requestId).then(
      (refused) => refused && refuse(refused),
      (error: unknown) => this.failed(error, request, response, requestId),
    );
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const requestId = randomId(16);
    try {
      this.judgeUpgrade(request, socket, head, requestId);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.parts.log("error", "an upgrade failed", { request_id: requestId, message });
      refuseSocket(socket, { code: "INTERNAL", detail: "something failed" }, requestId);
    }
  }

  private judgeUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    requestId: string,
  ): void {
    const { gate, caps, next, link, connections, clock } = this.parts;
    socket.on("error", () => socket.destroy());
    caps.heard(request.socket);
    const facts = requestFacts("upgrade", request);
    const verdict = gate.judge(facts);
    if (!verdict.pass) {
      this.report(verdict, facts, requestId);
      refuseSocket(socket, verdict.refusal, requestId);
    } else if (verdict.route.kind === "next" && next) next.upgrade(request, socket, head);
    else if (verdict.route.kind === "attach" && verdict.caller.via !== "nobody") {
      caps.authenticated(request.socket);
      const { actor, via } = verdict.caller;
      forwardUpgrade({ request, socket, head, actor, via, requestId }, link, connections, clock);
    } else socket.destroy();
  }

  private report(
    verdict: Extract<GateVerdict, { pass: false }>,
    facts: RequestFacts,
    requestId: string,
  ): void {
    const act = refusedAct(verdict, facts, requestId);
    if (act) this.parts.own.audit.refused(act);
  }

  /** A person who follows a wrong link gets a page; programs get the problem document. */
  private pageInstead(request: IncomingMessage): string | null {
    const wantsPage =
      request.method === "GET" && /\btext\/html\b/.test(request.headers.accept ?? "");
    return wantsPage && !request.url?.startsWith("/api") ? this.parts.site.notFoundPage : null;
  }

  private async answer(
    verdict: Passed,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<Answerable | null> {
    const { route, caller, pathname } = verdict;
    const { parts } = this;
    switch (route.kind) {
      case "health":
        sendJson(response, 200, { ok: true });
        return null;
      case "document":
        sendDocument(pathname, request, response, this.originOf(request));
        return null;
      case "asset":
        if (pathname === "/" && prefersMarkdown(request.headers.accept)) {
          sendDocument(pathname, request, response, this.originOf(request));
          return null;
        }
        await parts.site.serve(pathname, request, response, parts.clock);
        return null;
      case "next":
        await parts.next?.handle(request, response);
        return null;
      case "mcp":
        this.toHost(caller, request, response, requestId, false);
        return null;
      case "attach":
        throw new Error("invariant: a socket's route passed as a request");
      case "operation":
        if (route.operation.by === "web") {
          const peer = request.socket.remoteAddress ?? "";
          return answerOwn(
            route.operation.name,
            { request, response, caller, peer, pathname, requestId },
            parts.own,
          );
        }
        this.toHost(caller, request, response, requestId, route.operation.streams ?? false);
        return null;
      default:
        return assertNever(route);
    }
  }

  /** As the caller named this server; the gate let this Host pass. */
  private originOf(request: IncomingMessage): string {
    return `${this.parts.own.scheme}://${request.headers.host}`;
  }

  private toHost(
    caller: Caller,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    isStream: boolean,
  ): void {
    const actor = actorOf(caller);
    if (!actor || caller.via === "nobody")
      throw new Error("invariant: a public operation was to be piped to the host");
    // A running reply (a wait, a stream) ends with its credential too.
    const place = this.parts.connections.add(
      { via: caller.via, id: actor.id },
      {
        kind: isStream ? "stream" : "reply",
        // A stream has no whole that a cut could be missing from: it ends politely, and is cut where that does not help. Its
        // connection goes with it: nobody should wait for one that is only kept.
        end: () => {
          if (isStream && !response.writableEnded) response.end(() => request.socket.end());
          else response.destroy();
        },
      },
    );
    response.once("close", () => place.dispose());
    this.parts.pipe.forward(request, response, { actor, requestId });
  }

  private failed(
    error: unknown,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): void {
    if (request.destroyed && !request.complete) {
      // The client went away while its body was read: there is nobody to answer.
      response.destroy();
      return;
    }
    const message = error instanceof Error ? error.message : String(error);
    this.parts.log("error", "a request failed", { request_id: requestId, message });
    if (response.headersSent) response.destroy();
    else
      sendRefusal(request, response, { code: "INTERNAL", detail: "something failed" }, requestId);
  }
}
