// Where web listens (SE1, T08, T09): what a bind beyond this machine needs, and which port. Says no before anything is opened.
import type { Server } from "node:http";
import { isIP } from "node:net";

export interface BindWish {
  /** Address or name to bind. */
  readonly bind: string;
  /** undefined: the first free one from the usual port on. */
  readonly tcpPort: number | undefined;
  readonly allowHosts: readonly string[];
  readonly hasTls: boolean;
  readonly behindTls: boolean;
}

const usualPort = 7070;
const portsTried = 21;

export function isLoopback(address: string): boolean {
  if (address === "localhost" || address === "::1") return true;
  return isIP(address) === 4 && address.startsWith("127.");
}

/** Why web must not listen like this, naming the missing flags; null when it may. */
export function bindRefusal(wish: BindWish): string | null {
  if (wish.hasTls && wish.behindTls) return "give either --tls-cert/--tls-key or --behind-tls";
  if (isLoopback(wish.bind)) return null;
  const missing: string[] = [];
  if (wish.allowHosts.length === 0) missing.push("--allow-host NAME");
  if (!wish.hasTls && !wish.behindTls)
    missing.push("--tls-cert FILE with --tls-key FILE, or --behind-tls");
  if (missing.length === 0) return null;
  return (
    `--host ${wish.bind} can be reached from other machines and shows terminals; ` +
    `it needs --allow-host and TLS (--tls-cert/--tls-key or --behind-tls). Missing: ${missing.join("; ")}`
  );
}

/** Resolves with the port. An explicit port that is taken is an error; the usual one gives way to the next free one. */
export async function listen(server: Server, wish: BindWish): Promise<number> {
  if (wish.tcpPort !== undefined) return listenOn(server, wish.bind, wish.tcpPort);
  for (let tcpPort = usualPort; ; tcpPort += 1) {
    try {
      return await listenOn(server, wish.bind, tcpPort);
    } catch (error) {
      const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
      if (!isTaken) throw error;
      if (tcpPort === usualPort + portsTried - 1) {
        throw new Error(`the ports ${usualPort} to ${tcpPort} on ${wish.bind} are all taken`);
      }
    }
  }
}

function listenOn(server: Server, bind: string, tcpPort: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      server.off("listening", listening);
      const message =
        error.code === "EADDRINUSE"
          ? `port ${tcpPort} on ${bind} is taken; choose another --port, or leave it out`
          : `cannot listen on ${bind} port ${tcpPort}: ${error.message}`;
      reject(Object.assign(new Error(message), { code: error.code }));
    };
    const listening = () => {
      server.off("error", failed);
      const address = server.address();
      resolve(typeof address === "object" && address ? address.port : tcpPort);
    };
    server.once("error", failed);
    server.once("listening", listening);
    server.listen({ host: bind, port: tcpPort, exclusive: true });
  });
}
