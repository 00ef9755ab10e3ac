// A viewer's end of the wire in memory: keeps every frame. Double for the WebSocket sink (sink.contract.ts).
import { concatBytes } from "#lib/base/bytes.ts";
import { Emitter } from "#lib/base/emitter.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { Sink } from "#server/host/viewer/sink.ts";

export type SinkFrame =
  | { kind: "message"; message: ServerMessage }
  | { kind: "bytes"; bytes: Uint8Array }
  | { kind: "closed"; code: number; reason: string };

export class MemorySink implements Sink {
  readonly frames: SinkFrame[] = [];
  /** Set by a test to play a network that does not take what it is given. */
  bufferedBytes = 0;
  private readonly added = new Emitter<SinkFrame>();
  /** Fires with each frame as it comes. */
  readonly onFrame = this.added.event;

  send(message: ServerMessage): void {
    this.add({ kind: "message", message });
  }

  sendBytes(bytes: Uint8Array): void {
    this.add({ kind: "bytes", bytes });
  }

  close(code: number, reason: string): void {
    this.add({ kind: "closed", code, reason });
  }

  /** Messages of one type so far. */
  messages<T extends ServerMessage["type"]>(type: T): Extract<ServerMessage, { type: T }>[] {
    return this.frames.flatMap((frame) =>
      frame.kind === "message" && frame.message.type === type
        ? [frame.message as Extract<ServerMessage, { type: T }>]
        : [],
    );
  }

  /** Binary frames that followed no snapshot message, joined. */
  get liveBytes(): Uint8Array {
    return concatBytes(
      this.frames.flatMap((frame, index) => {
        const before = this.frames[index - 1];
        const isSnapshot = before?.kind === "message" && before.message.type === "snapshot";
        return frame.kind === "bytes" && !isSnapshot ? [frame.bytes] : [];
      }),
    );
  }

  get closed(): { code: number; reason: string } | null {
    const last = this.frames.at(-1);
    return last?.kind === "closed" ? last : null;
  }

  /** Resolves once `test` holds, asked at each frame. */
  until(test: () => boolean): Promise<void> {
    if (test()) return Promise.resolve();
    return new Promise((resolve) => {
      const subscription = this.onFrame(() => {
        if (!test()) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  private add(frame: SinkFrame): void {
    if (this.closed) return;
    this.frames.push(frame);
    this.added.fire(frame);
  }
}
