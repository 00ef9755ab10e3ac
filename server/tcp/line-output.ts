// What goes out to one client (TC1): bytes of the terminal become text without a character ever being cut, prompts are told behind the output
// that shows them, and the terminal's window moves on only as the socket drains, so a client that does not read holds a bounded amount.
import type { Socket } from "node:net";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { AttachTarget } from "#lib/client/attach-target.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import { lineOf } from "./framing.ts";
import type { ServerLine } from "./line-messages.ts";
import { PromptScan } from "./prompt-scan.ts";

/** Wipes what a client's terminal shows (RIS): a screen that is drawn anew follows. */
const wipe = "\x1bc";

export class LineOutput implements AttachTarget, Disposable {
  private decoder = newDecoder();
  private readonly scan = new PromptScan();
  private quiet: Disposable | null = null;
  private toldCandidate: string | null = null;
  /** Called when everything written so far has left for the client. */
  private waiting: (() => void)[] = [];
  private hasShown = false;

  constructor(
    private readonly socket: Socket,
    private readonly clock: Clock,
  ) {
    socket.on("drain", () => this.drained());
    // Nothing will drain any more: whoever waits for it must not wait for ever.
    socket.on("close", () => this.drained());
  }

  send(line: ServerLine): void {
    if (this.socket.writable) this.socket.write(lineOf(line));
  }

  /** Resolves when the client has taken what it was sent. */
  whenDrained(): Promise<void> {
    return new Promise((resolve) => this.afterDrain(resolve));
  }

  /** Shown with its history a moment later; sending it twice would print it twice. */
  showScreen(): void {}

  showSnapshot(
    _size: GridSize,
    history: readonly Uint8Array[],
    screen: Uint8Array,
    drawn: () => void,
  ): void {
    this.decoder = newDecoder();
    this.scan.reset();
    const text = [...history, screen]
      .map((bytes) => this.decoder.decode(bytes, streaming))
      .join("");
    // The first one of a connection begins on a terminal of which nothing is known but that it is the client's own.
    if (this.hasShown) this.send({ type: "output", data: wipe + text, reset: true });
    else if (text !== "") this.send({ type: "output", data: text });
    this.hasShown = true;
    this.look(text);
    this.afterDrain(drawn);
  }

  write(bytes: Uint8Array, drawn: () => void): void {
    this.hasShown = true;
    const text = this.decoder.decode(bytes, streaming);
    if (text !== "") {
      this.send({ type: "output", data: text });
      this.look(text);
    }
    this.afterDrain(drawn);
  }

  /** The session's size is told by no line: programs draw for it, and clients asked for it. */
  resize(): void {}

  /** A character that was never finished. */
  flush(): void {
    const rest = this.decoder.decode();
    if (rest !== "") this.send({ type: "output", data: rest });
  }

  dispose(): void {
    this.quiet?.dispose();
    this.quiet = null;
  }

  private look(text: string): void {
    for (const prompt of this.scan.push(text)) this.send({ type: "prompt", data: prompt });
    this.quiet?.dispose();
    this.quiet = null;
    const { candidate } = this.scan;
    if (text.includes("\n")) this.toldCandidate = null;
    if (candidate === null || candidate === this.toldCandidate) return;
    this.quiet = this.clock.after(limits.promptQuietMs, () => {
      this.toldCandidate = candidate;
      this.send({ type: "prompt", data: candidate });
    });
  }

  private afterDrain(then: () => void): void {
    if (this.socket.writableNeedDrain) this.waiting.push(then);
    else then();
  }

  private drained(): void {
    for (const then of this.waiting.splice(0)) then();
  }
}

const streaming = { stream: true } as const;

function newDecoder(): TextDecoder {
  return new TextDecoder("utf-8", { ignoreBOM: true });
}
