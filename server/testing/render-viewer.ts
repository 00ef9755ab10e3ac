// A viewer of `view=render` with a terminal of its own: paints each frame as it comes and, unless told to be slow, acknowledges it.
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { AttachmentApi } from "#server/host/session/attachment-api.ts";
import type { Sink } from "#server/host/viewer/sink.ts";
import { Viewer } from "./screen-dsl.ts";

export class RenderViewer implements Sink {
  readonly messages: ServerMessage[] = [];
  readonly screen: Viewer;
  bufferedBytes = 0;
  isSlow = false;
  /** Bytes of frames. */
  received = 0;
  /** The text that a person would see after each frame, right-trimmed rows. */
  readonly pictures: string[][] = [];
  lastFrame = "";
  closed: { code: number; reason: string } | null = null;
  attachment: AttachmentApi | null = null;
  private due: number | null = null;
  private readonly waiters: { until: () => boolean; resolve: () => void }[] = [];

  constructor(size: GridSize) {
    this.screen = new Viewer(size);
  }

  get frames(): number {
    return this.pictures.length;
  }

  get rows(): string[] {
    return this.pictures.at(-1) ?? [];
  }

  send(message: ServerMessage): void {
    this.messages.push(message);
    if (message.type === "frame") this.due = message.at;
    this.settle();
  }

  sendBytes(bytes: Uint8Array): void {
    const at = this.due;
    this.due = null;
    if (at === null) throw new Error("a binary frame that no message announced");
    this.received += bytes.length;
    this.lastFrame = new TextDecoder().decode(bytes);
    this.screen.write(bytes);
    const { terminal } = this.screen;
    this.pictures.push(
      Array.from(
        { length: terminal.rows },
        (_, y) => terminal.buffer.active.getLine(y)?.translateToString().trimEnd() ?? "",
      ),
    );
    if (!this.isSlow) queueMicrotask(() => this.attachment?.acknowledge(at));
    this.settle();
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
    this.settle();
  }

  /** The person makes their terminal another size. */
  resize(size: GridSize): void {
    this.screen.terminal.resize(size.cols, size.rows);
    this.attachment?.propose(size);
  }

  /** Everything received so far is painted. */
  acknowledge(): void {
    const last = this.messages.filter((message) => message.type === "frame").at(-1);
    if (last?.type === "frame") this.attachment?.acknowledge(last.at);
  }

  types(): string[] {
    return this.messages.map(({ type }) => type);
  }

  /** Resolves once `until` holds, asked at each message and frame. */
  when(until: () => boolean): Promise<void> {
    if (until()) return Promise.resolve();
    return new Promise((resolve) => this.waiters.push({ until, resolve }));
  }

  private settle(): void {
    for (const waiter of [...this.waiters]) {
      if (!waiter.until()) continue;
      this.waiters.splice(this.waiters.indexOf(waiter), 1);
      waiter.resolve();
    }
  }
}
