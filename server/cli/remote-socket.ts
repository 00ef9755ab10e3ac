// The attach socket of a command's server. Apart from remote.ts, because most commands open none, and the library takes its time to load.
import { connect } from "node:net";
import WebSocket from "ws";
import type { OpenSocket, SocketLike } from "#lib/client/socket-like.ts";
import type { Remote } from "./remote.ts";

export function openSocketOf({ route }: Remote): OpenSocket {
  return (url, protocols) => {
    const { socketPath, headers } = route();
    const socket = new WebSocket(url, protocols, {
      headers,
      followRedirects: false,
      ...(socketPath === undefined ? {} : { createConnection: () => connect(socketPath) }),
    });
    return socket as unknown as SocketLike;
  };
}
