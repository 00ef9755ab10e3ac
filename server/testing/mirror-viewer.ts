// A viewer with a terminal of its own: draws what it is sent as a browser would, and acknowledges what it has drawn.

import type { Terminal } from "@xterm/headless";
import { concatBytes } from "#lib/base/bytes.ts";
import type { ServerMessage, SnapshotMessage } from "#lib/protocol/attach.ts";
import { resizeInPlace } from "#lib/terminal/resize-in-place.ts";
import { createEmulator, scrollbackFor } from "#server/host/screen/emulator.ts";
import type { Sink } from "#server/host/viewer/sink.ts";

export class MirrorViewer implements Sink {
  /** Everything but `bytes`, in order. */
  readonly messages: ServerMessage[] = [];
  readonly bufferedBytes = 0;
  closed: { code: number; reason: string } | null = null;
  /** Offset up to which this terminal is drawn; -1 before the first position. */
  drawn = -1;
  terminal: Terminal = createEmulator({ cols: 80, rows: 24 }, 5_000);
  /** Called with the offset when something is drawn. */
  acknowledge: (at: number) => void = () => {};

  private snapshot: { head: SnapshotMessage; screen: Uint8Array; history: Uint8Array[] } | null =
    null;
  private awaited: SnapshotMessage | null = null;
  /** One frame after the other: an emulator draws asynchronously, and a resize belongs between two writes. */
  private work = Promise.resolve();
  private waiters: { at: number; resolve: () => void }[] = [];

  send(message: ServerMessage): void {
    this.messages.push(message);
    if (message.type === "snapshot") this.awaited = message;
    else if (message.type === "resume") this.enqueue(async () => this.drew(message.at));
    else if (message.type === "resized")
      this.enqueue(async () => resizeInPlace(this.terminal, message.size));
  }

  sendBytes(bytes: Uint8Array): void {
    const piece = this.awaited;
    this.awaited = null;
    if (!piece) {
      this.enqueue(async () => {
        await this.write(bytes);
        this.drew(this.drawn + bytes.length);
      });
      return;
    }
    if (piece.part === "screen") this.snapshot = { head: piece, screen: bytes, history: [] };
    else this.snapshot?.history.push(bytes);
    const whole = this.snapshot;
    if (piece.last && whole) this.enqueue(() => this.restore(whole));
  }

  close(code: number, reason: string): void {
    this.closed ??= { code, reason };
  }

  /** Resolves when everything before `at` is drawn. */
  async drawnTo(at: number): Promise<void> {
    if (this.drawn < at) await new Promise<void>((resolve) => this.waiters.push({ at, resolve }));
    await this.work;
  }

  /** Every row of the active buffer, scrollback first, right-trimmed. */
  rows(): string[] {
    const buffer = this.terminal.buffer.active;
    return Array.from(
      { length: buffer.length },
      (_, row) => buffer.getLine(row)?.translateToString(true) ?? "",
    );
  }

  private async restore(whole: NonNullable<MirrorViewer["snapshot"]>): Promise<void> {
    const { at, cols, rows } = whole.head;
    this.terminal.dispose();
    this.terminal = createEmulator({ cols, rows }, scrollbackFor({ cols, rows }, 5_000));
    await this.write(concatBytes([...whole.history, whole.screen]));
    this.drew(at);
  }

  private write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.terminal.write(bytes, resolve));
  }

  private enqueue(step: () => Promise<void>): void {
    this.work = this.work.then(step);
  }

  private drew(at: number): void {
    this.drawn = at;
    this.acknowledge(at);
    const ready = this.waiters.filter((waiter) => waiter.at <= at);
    this.waiters = this.waiters.filter((waiter) => waiter.at > at);
    for (const waiter of ready) waiter.resolve();
  }
}
