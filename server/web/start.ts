// Starts the web process's server and owns everything in it: gate, site, pipe, sockets, revocation. Disposable by design: it holds no
// session, so ending or killing it loses nothing (HO1, HO3).
import { rmSync } from "node:fs";
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { DisposableStore } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";
import {
  type CredentialStore,
  findToken,
  sweepCredentials,
  verifyLogin,
  verifyLoginCookie,
  verifyToken,
} from "#server/state/credential-store.ts";
import { writePrivateFile } from "#server/state/private-file.ts";
import { ownIdentity } from "#server/state/process-identity.ts";
import type { StateDir } from "#server/state/state-dir.ts";
import { LineServer } from "#server/tcp/line-server.ts";
import { OwnSessions } from "#server/tcp/own-sessions.ts";
import { AuditReports } from "./audit-reports.ts";
import { bindRefusal, isLoopback, listen } from "./bind.ts";
import { Doors } from "./doors.ts";
import type { Verifier } from "./gate/authentication.ts";
import { Gate } from "./gate/gate.ts";
import { HostAllowList } from "./gate/host-header.ts";
import { RouteTable } from "./gate/route-table.ts";
import { SocketCaps } from "./gate/socket-caps.ts";
import { Tickets } from "./gate/tickets.ts";
import { HostLink } from "./host-link.ts";
import { webLineDoor } from "./line-door.ts";
import { openListener, type TlsFiles, type WebTimeouts, wireListener } from "./listener.ts";
import { openNext } from "./next-bridge.ts";
import { closeCodes, OpenConnections } from "./open-connections.ts";
import { HostPipe } from "./pipe.ts";
import { Revocation } from "./revocation.ts";
import { StaticSite } from "./static-site.ts";
import { silentLog, type WebLog } from "./web-log.ts";

export interface WebOptions {
  readonly state: StateDir;
  /** Default 127.0.0.1. */
  readonly bind?: string;
  /** Left out: 7070, or the next free one. */
  readonly tcpPort?: number;
  /** Names under which browsers reach this server, beside the loopback ones. */
  readonly allowHosts?: readonly string[];
  readonly tls?: TlsFiles;
  readonly behindTls?: boolean;
  /** Port of the line service (TC1), on 127.0.0.1 wherever web itself listens; left out: off. */
  readonly linePort?: number;
  /** The exported dashboard; null or missing: a page that says so. */
  readonly siteFolder: string | null;
  /** Development: pages come from Next in this project folder. Loopback only. */
  readonly devFolder?: string;
  readonly log?: WebLog;
  readonly clock?: Clock;
  /** Shorter in tests. */
  readonly timeouts?: Partial<WebTimeouts>;
  /** For tests that count look-ups. */
  readonly wrapVerifier?: (verifier: Verifier) => Verifier;
}

export interface RunningWeb {
  /** How a browser on this machine (or through the proxy) reaches it; no slash at the end. */
  readonly url: string;
  readonly tcpPort: number;
  /** null: there is no line service. */
  readonly linePort: number | null;
  readonly server: Server;
  readonly connections: OpenConnections;
  /** Says goodbye to everybody (1012) and stops within 5 s; the terminals keep running. */
  close(): Promise<void>;
}

export async function startWeb(options: WebOptions): Promise<RunningWeb> {
  const { state, clock = systemClock, log = silentLog, allowHosts = [] } = options;
  const wish = {
    bind: options.bind ?? "127.0.0.1",
    tcpPort: options.tcpPort,
    allowHosts,
    hasTls: options.tls !== undefined,
    behindTls: options.behindTls ?? false,
  };
  const refused = bindRefusal(wish);
  if (refused) throw new Error(refused);
  if (options.devFolder !== undefined && !isLoopback(wish.bind))
    throw new Error("the development server listens on this machine only");

  const store: CredentialStore = { folder: state.credentials, clock };
  const isDev = options.devFolder !== undefined;
  const site = isDev ? StaticSite.empty() : StaticSite.open(options.siteFolder);
  const caps = new SocketCaps<Socket>();
  const sockets = new Set<Socket>();
  const connections = new OpenConnections();
  const tickets = new Tickets(clock);
  const link = new HostLink(state, log);
  const owned = new DisposableStore();
  let doors: Doors | null = null;

  const server = openListener(options.tls ?? null, options.timeouts);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  wireListener(server, caps, () => doors);
  const tcpPort = await listen(server, wish);

  const scheme = wish.hasTls || wish.behindTls ? "https" : "http";
  const verifier = verifierOf(store, tickets);
  const gate = new Gate({
    hosts: new HostAllowList(allowHosts, { tcpPort, scheme }),
    routes: new RouteTable(site, { dev: isDev }),
    verifier: options.wrapVerifier?.(verifier) ?? verifier,
    sockets: connections,
    tcpPort,
    scheme,
    clock,
  });
  const revocation = owned.add(new Revocation(store, connections, link, log, clock));
  const pipe = owned.add(new HostPipe(link, clock));
  const next =
    options.devFolder === undefined
      ? null
      : await openNext({ projectFolder: options.devFolder, hostname: wish.bind, tcpPort });
  const { cookieName, limiter } = gate;
  const audit = new AuditReports(link, state.audit, clock, log);
  const own = { store, tickets, limiter, revocation, cookieName, scheme, audit, log } as const;
  doors = new Doors({ gate, caps, own, site, pipe, link, connections, next, log, clock });
  revocation.start();
  sweepCredentials(store);
  const lineDoor = webLineDoor({ verifier, limiter, connections, link, audit });
  let lines: LineServer | null = null;
  try {
    lines =
      options.linePort === undefined
        ? await sweepLines(state, link)
        : await LineServer.listen({
            tcpPort: options.linePort,
            door: lineDoor,
            ownSessionsFile: state.lineSessions,
            clock,
          });
  } catch (error) {
    owned.dispose();
    server.close();
    throw error;
  }
  owned.add(clock.every(3_600_000, () => sweepCredentials(store)));

  const url = urlOf(wish, tcpPort, scheme);
  writePrivateFile(
    state.webRecord,
    `${JSON.stringify({ ...ownIdentity(), url, port: tcpPort })}\n`,
  );
  log("info", "web is listening", { url, built: site.isBuilt });
  const close = async () => {
    // The record goes first: nobody should find a server that is leaving.
    rmSync(state.webRecord, { force: true });
    await Promise.all([lines?.close(), stop(server, caps, sockets, connections, clock)]);
    owned.dispose();
    await audit.close();
    await next?.close();
  };
  let closing: Promise<void> | null = null;
  return {
    url,
    tcpPort,
    linePort: lines?.tcpPort ?? null,
    server,
    connections,
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/** Also without a line service: one that was killed may have left sessions of its connections behind. */
async function sweepLines(state: StateDir, link: HostLink): Promise<null> {
  await new OwnSessions(state.lineSessions).sweep(link.current());
  return null;
}

function verifierOf(store: CredentialStore, tickets: Tickets): Verifier {
  return {
    token: (presented) => verifyToken(store, presented),
    login: (cookie, key) => verifyLogin(store, cookie, key),
    loginCookie: (cookie) => verifyLoginCookie(store, cookie),
    tokenById: (id) => findToken(store, id),
    ticket: (presented) => tickets.redeem(presented),
  };
}

/** The loopback address rather than its name: something else may listen where the name leads first. */
function urlOf(
  wish: { bind: string; allowHosts: readonly string[]; behindTls: boolean },
  tcpPort: number,
  scheme: string,
): string {
  const name = wish.allowHosts[0];
  if (wish.behindTls && name !== undefined) return `${scheme}://${name}`;
  if (name !== undefined && !isLoopback(wish.bind))
    return `${scheme}://${name.includes(":") ? name : `${name}:${tcpPort}`}`;
  const loopback = wish.bind === "::1" ? "[::1]" : wish.bind;
  return `${scheme}://${loopback}:${tcpPort}`;
}

async function stop(
  server: Server,
  caps: SocketCaps<Socket>,
  sockets: ReadonlySet<Socket>,
  connections: OpenConnections,
  clock: Clock,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  caps.dropSilent();
  for (const connection of connections.all())
    if (connection.kind !== "reply")
      connection.end(closeCodes.restarting, "the server is restarting");
  const timer = clock.after(limits.webCloseMs, () => {
    for (const connection of connections.all()) connection.end(closeCodes.restarting, "");
    for (const socket of sockets) socket.destroy();
  });
  await closed;
  timer.dispose();
}
