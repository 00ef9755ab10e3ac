// How a page opens a socket to the server that it came from.
import type { OpenSocket, SocketLike } from "#lib/client/socket-like.ts";

export function pageSocketUrl(): string {
  const { protocol, host } = window.location;
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}`;
}

export const openPageSocket: OpenSocket = (url, protocols) =>
  new WebSocket(url, protocols) as SocketLike;
