// Development only: Next's pages and hot reload behind our gate. Next adds an upgrade listener of its own to the server it is given and
// would end our sockets with it (measured with 16.4.6), so it gets a server that never listens, and what is Next's is passed by hand.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { devCsp } from "./csp.ts";
import { securityHeaders } from "./security-headers.ts";

export interface NextBridge {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
}

/** What is used of Next; its own types do not fit an import from an ES module. */
interface NextModule {
  default(options: {
    dev: true;
    dir: string;
    hostname: string;
    port: number;
    httpServer: Server;
  }): {
    prepare(): Promise<void>;
    getRequestHandler(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    close(): Promise<void>;
  };
}

export async function openNext(options: {
  readonly projectFolder: string;
  readonly hostname: string;
  readonly tcpPort: number;
}): Promise<NextBridge> {
  const { default: next } = (await import("next")) as unknown as NextModule;
  const silent = createServer();
  const app = next({
    dev: true,
    dir: options.projectFolder,
    hostname: options.hostname,
    port: options.tcpPort,
    httpServer: silent,
  });
  await app.prepare();
  const handle = app.getRequestHandler();
  return {
    async handle(request, response) {
      for (const [name, value] of Object.entries(securityHeaders(devCsp)))
        response.setHeader(name, value);
      await handle(request, response);
    },
    upgrade(request, socket, head) {
      // Nobody listens before the first page view: an ignored socket would hang.
      if (!silent.emit("upgrade", request, socket, head)) socket.destroy();
    },
    close: () => app.close(),
  };
}
