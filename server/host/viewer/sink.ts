// Where a viewer's frames go: a WebSocket in the product, memory in tests. The contract suite proves both.
import type { ServerMessage } from "#lib/protocol/attach.ts";

export interface Sink {
  send(message: ServerMessage): void;
  /** Borrowed: the sink copies or writes before it returns to the caller's loop; nobody changes the array later. */
  sendBytes(bytes: Uint8Array): void;
  /** Bytes handed over and not yet taken by the network. */
  readonly bufferedBytes: number;
  /** Ends the viewer with one of AT7's codes. */
  close(code: number, reason: string): void;
}
