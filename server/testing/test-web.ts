// A whole web process's server in the test's process, in front of a host that the test chose, with credentials of every kind.
import { connect } from "node:net";
import WebSocket, { type ClientOptions } from "ws";
import { pageKeyHeader } from "#lib/protocol/actor.ts";
import { attachProtocol } from "#lib/protocol/attach.ts";
import { apiBase } from "#lib/protocol/operations/operation.ts";
import type { Role } from "#lib/protocol/roles.ts";
import {
  type CredentialStore,
  createLoginCode,
  createToken,
} from "#server/state/credential-store.ts";
import type { StateDir } from "#server/state/state-dir.ts";
import { type RunningWeb, startWeb, type WebOptions } from "#server/web/start.ts";
import { type RawAnswer, rawHttp, rawRequest } from "./raw-http.ts";

/** What a signed-in page holds. */
export interface TestLogin {
  readonly cookie: string;
  readonly key: string;
  /** Headers of a call that the page makes. */
  readonly headers: Record<string, string>;
}

export interface TestWeb {
  readonly web: RunningWeb;
  readonly url: string;
  readonly tcpPort: number;
  /** `127.0.0.1:PORT` */
  readonly host: string;
  readonly origin: string;
  readonly store: CredentialStore;
  readonly ownerToken: string;
  readonly agentToken: string;
  readonly log: readonly string[];
  token(wish: { role: Role; sessions?: readonly string[]; ttlMs?: number }): string;
  /** A browser's way in: a code, traded for cookie and key. */
  login(): Promise<TestLogin>;
  /** Below `/api/v1`, with a bearer token or other headers. */
  call(
    method: string,
    path: string,
    options?: { token?: string; headers?: Record<string, string>; body?: unknown },
  ): Promise<Response>;
  /** One request by hand; Host is added unless a header line names it. */
  raw(
    method: string,
    target: string,
    headers?: readonly string[],
    body?: string,
  ): Promise<RawAnswer>;
  ticket(login: TestLogin, session: string, more?: { readonly: boolean }): Promise<string>;
  /** An attach socket with a bearer token. */
  attach(session: string, token: string | null, query?: string): WebSocket;
  /** An attach socket as a page opens it. */
  attachPage(session: string, login: TestLogin, ticket: string, options?: ClientOptions): WebSocket;
  dispose(): Promise<void>;
}

export async function startTestWeb(
  options: { host: { readonly dir: StateDir } } & Partial<WebOptions>,
): Promise<TestWeb> {
  const { host, ...rest } = options;
  const log: string[] = [];
  const web = await startWeb({
    state: host.dir,
    siteFolder: null,
    tcpPort: 0,
    log: (level, event, facts) => log.push(JSON.stringify({ level, event, ...facts })),
    ...rest,
  });
  const { tcpPort } = web;
  const store: CredentialStore = {
    folder: host.dir.credentials,
    clock: options.clock ?? (await import("#lib/base/clock.ts")).systemClock,
  };
  const address = `127.0.0.1:${tcpPort}`;
  const origin = `http://${address}`;
  const sockets: WebSocket[] = [];
  const token: TestWeb["token"] = (wish) =>
    createToken(store, { name: `test ${wish.role}`, ...wish }).token;
  const kept = (socket: WebSocket) => {
    socket.on("error", () => {});
    sockets.push(socket);
    return socket;
  };
  const attachUrl = (session: string, query = "") =>
    `ws://${address}${apiBase}/sessions/${session}/attach${query}`;

  const test: TestWeb = {
    web,
    url: web.url,
    tcpPort,
    host: address,
    origin,
    store,
    ownerToken: token({ role: "owner" }),
    agentToken: token({ role: "agent" }),
    log,
    token,
    async login() {
      const { code } = createLoginCode(store, { name: "Olga" });
      const reply = await fetch(`${origin}${apiBase}/login`, {
        method: "POST",
        headers: { "content-type": "application/json", origin },
        body: JSON.stringify({ code }),
      });
      if (reply.status !== 200) throw new Error(`login answered ${reply.status}`);
      const { key } = (await reply.json()) as { key: string };
      const cookie = (reply.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
      return { cookie, key, headers: { cookie, [pageKeyHeader]: key, origin } };
    },
    call(method, path, { token: bearer, headers = {}, body } = {}) {
      return fetch(`${origin}${apiBase}${path}`, {
        method,
        redirect: "manual",
        headers: {
          ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    },
    raw(method, target, headers = [], body = "") {
      const named = headers.some((line) => /^host:/i.test(line));
      const lines = named ? headers : [`Host: ${address}`, ...headers];
      return rawHttp(tcpPort, rawRequest(method, target, lines, body));
    },
    async ticket(login, session, more) {
      const reply = await test.call("POST", "/ticket", {
        headers: login.headers,
        body: { session, ...more },
      });
      if (reply.status !== 200) throw new Error(`ticket answered ${reply.status}`);
      return ((await reply.json()) as { ticket: string }).ticket;
    },
    attach: (session, bearer, query) =>
      kept(
        new WebSocket(attachUrl(session, query), [attachProtocol], {
          headers: bearer === null ? {} : { authorization: `Bearer ${bearer}` },
        }),
      ),
    attachPage: (session, login, ticket, more = {}) =>
      kept(
        new WebSocket(attachUrl(session), [attachProtocol, ticket], {
          origin,
          headers: { cookie: login.cookie },
          ...more,
        }),
      ),
    async dispose() {
      for (const socket of sockets) socket.terminate();
      await web.close();
    },
  };
  return test;
}

/** Resolves with the status of a refused upgrade, or 101. */
export function upgradeStatus(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => {
    socket.once("open", () => resolve(101));
    socket.once("unexpected-response", (_request, reply) => {
      reply.resume();
      resolve(reply.statusCode ?? 0);
    });
    socket.once("error", () => resolve(0));
  });
}

export function closedWith(socket: WebSocket): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) => {
    socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
  });
}

/** Whether anything listens there. */
export function isListening(tcpPort: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port: tcpPort });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
