// The person's own terminal: raw while a session is drawn on it, and as it was after any end of this process that lets it do something:
// a detach, an exit, a signal, an error nobody caught.
import { writeSync } from "node:fs";
import { Emitter } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { begun } from "./restore.ts";

const signals = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const;

export class LocalTerminal implements Disposable {
  private readonly store = new DisposableStore();
  private readonly bytes = this.store.add(new Emitter<Uint8Array>());
  private readonly sizes = this.store.add(new Emitter<GridSize>());
  private readonly closings = this.store.add(new Emitter<void>());
  private readonly ends = this.store.add(new Emitter<number>());
  private readonly returns = this.store.add(new Emitter<void>());
  private isEntered = false;

  readonly onBytes = this.bytes.event;
  readonly onResize = this.sizes.event;
  /** Nothing will be typed any more. */
  readonly onClosed = this.closings.event;
  /** A signal asked this process to end; its exit code. */
  readonly onSignal = this.ends.event;
  /** Stopped and continued: the shell has had the terminal meanwhile. */
  readonly onContinued = this.returns.event;

  /** `atEnd`: what puts the screen right, asked once, at the latest when the process ends. */
  constructor(
    private readonly atEnd: () => string,
    private readonly input: NodeJS.ReadStream = process.stdin,
    private readonly output: NodeJS.WriteStream = process.stdout,
  ) {}

  get size(): GridSize {
    return { cols: this.output.columns || 80, rows: this.output.rows || 24 };
  }

  enter(): void {
    this.isEntered = true;
    const { input, output } = this;
    this.listen(process, "exit", () => this.dispose());
    this.listen(process, "uncaughtException", (error: Error) => {
      this.dispose();
      process.stderr.write(`cotty: ${error.stack ?? error.message}\n`);
      process.exit(1);
    });
    for (const [name, code] of Object.entries(signals))
      this.listen(process, name, () => this.ends.fire(code));
    this.listen(process, "SIGCONT", () => this.again());
    this.listen(output, "resize", () => this.sizes.fire(this.size));
    this.listen(output, "error", () => this.closings.fire());
    this.listen(input, "data", (chunk: Buffer) => this.bytes.fire(chunk));
    for (const end of ["end", "close", "error"])
      this.listen(input, end, () => this.closings.fire());
    this.setRaw(true);
    output.write(begun());
    input.resume();
  }

  /** `done` once the terminal has it. */
  write(data: string | Uint8Array, done?: () => void): void {
    if (this.isEntered) this.output.write(data, () => done?.());
  }

  /** Idempotent, and at once: the process may be ending. */
  dispose(): void {
    if (!this.isEntered) return;
    this.isEntered = false;
    this.store.dispose();
    this.input.pause();
    writeAll((this.output as { fd?: number }).fd ?? 1, this.atEnd());
    this.setRaw(false);
  }

  private again(): void {
    this.setRaw(false);
    this.setRaw(true);
    this.returns.fire();
  }

  private setRaw(isRaw: boolean): void {
    try {
      if (this.input.isTTY) this.input.setRawMode(isRaw);
    } catch {
      // The terminal is gone (EIO): there is nothing left to set.
    }
  }

  private listen(
    source: NodeJS.EventEmitter,
    name: string,
    listener: (...facts: never[]) => void,
  ): void {
    source.on(name, listener as (...facts: unknown[]) => void);
    this.store.add(toDisposable(() => source.off(name, listener as (...facts: unknown[]) => void)));
  }
}

function writeAll(fd: number, text: string): void {
  let left = Buffer.from(text);
  for (let tries = 0; left.length > 0 && tries < 1_000; tries++) {
    try {
      left = left.subarray(writeSync(fd, left));
    } catch (error) {
      // A terminal that is full takes more in a moment; one that is gone takes nothing.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
    }
  }
}
