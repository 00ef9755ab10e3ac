// What this library needs of a WebSocket; the browser's and the `ws` package's both fit.

export interface SocketLike {
  binaryType: string;
  readonly readyState: number;
  readonly bufferedAmount: number;
  send(data: string | Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "message", listener: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { code: number }) => void): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
}

export type OpenSocket = (url: string, protocols: string[]) => SocketLike;

export const socketOpen = 1;
