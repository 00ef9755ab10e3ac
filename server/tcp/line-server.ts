// The line service's listener (TC1): this machine only, whatever web listens on, and few connections that have shown no token.
import { createServer, type Server, type Socket } from "node:net";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { LineConnection } from "./line-connection.ts";
import type { LineDoor } from "./line-door.ts";
import { OwnSessions } from "./own-sessions.ts";

export interface LineServerOptions {
  /** 0: any free one. */
  readonly tcpPort: number;
  readonly door: LineDoor;
  /** Where the sessions that live only with a connection are written down. */
  readonly ownSessionsFile: string;
  readonly clock?: Clock;
}

/** Not a setting: lines are neither encrypted nor meant for other machines. */
const address = "127.0.0.1";

export class LineServer {
  private readonly connections = new Map<Socket, LineConnection>();
  /** Those that have shown no token yet, oldest first. */
  private readonly unknown = new Set<Socket>();
  private readonly own: OwnSessions;

  private constructor(
    private readonly server: Server,
    private readonly options: LineServerOptions,
  ) {
    this.own = new OwnSessions(options.ownSessionsFile);
    server.on("connection", (socket) => this.opened(socket));
  }

  static async listen(options: LineServerOptions): Promise<LineServer> {
    const server = createServer({ noDelay: true });
    server.maxConnections = limits.connections;
    const lines = new LineServer(server, options);
    await lines.own.sweep(options.door.host());
    await new Promise<void>((resolve, reject) => {
      server.once("error", (error: NodeJS.ErrnoException) => {
        const reason =
          error.code === "EADDRINUSE"
            ? "is taken; choose another --tcp"
            : `is not to be had: ${error.message}`;
        reject(new Error(`port ${options.tcpPort} on ${address} ${reason}`));
      });
      server.listen({ host: address, port: options.tcpPort, exclusive: true }, resolve);
    });
    return lines;
  }

  get tcpPort(): number {
    const bound = this.server.address();
    return typeof bound === "object" && bound ? bound.port : this.options.tcpPort;
  }

  get count(): number {
    return this.connections.size;
  }

  /** Tells everybody, and destroys the sessions that lived with their connections. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    const all = [...this.connections.values()];
    for (const connection of all) connection.leave();
    const { clock = systemClock } = this.options;
    const cut = clock.after(limits.webCloseMs, () => {
      for (const socket of this.connections.keys()) socket.destroy();
    });
    await Promise.all(all.map((connection) => connection.whenOver()));
    cut.dispose();
    await closed;
  }

  private opened(socket: Socket): void {
    if (this.unknown.size >= limits.unauthenticatedSockets) {
      // The oldest silent one makes room: a crowd of them must not keep others out.
      const [oldest] = this.unknown;
      oldest?.destroy();
    }
    this.unknown.add(socket);
    const { door, clock = systemClock } = this.options;
    const connection = new LineConnection({
      socket,
      door,
      clock,
      own: this.own,
      authenticated: () => this.unknown.delete(socket),
    });
    this.connections.set(socket, connection);
    socket.once("close", () => this.unknown.delete(socket));
    void connection.whenOver().then(() => this.connections.delete(socket));
  }
}
