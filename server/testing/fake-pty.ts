// A terminal without a process, scripted by a test: it prints, exits, reads or is stuck when told to. Passes pty.contract.ts.
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ExitStatus, SignalName } from "#lib/protocol/session.ts";
import type { Fence, Pause, Pty, PtyAvailability, PtyFactory } from "#server/host/pty/pty.ts";
import { PtyWriter } from "#server/host/pty/pty-writer.ts";
import type { SpawnSpec } from "#server/host/pty/spawn-spec.ts";

/** What a program that does not read leaves room for, roughly as in the kernel. */
const stuckRoomBytes = 4_096;

export class FakePty implements Pty {
  readonly onData: Event<Uint8Array>;
  readonly onExit: Event<ExitStatus>;
  /** Accepted by `write`, in order; those that were discarded later are in it too. */
  readonly units: Uint8Array[] = [];
  readonly sizes: GridSize[];
  readonly foregroundSignals: SignalName[] = [];
  readonly endSignals: SignalName[] = [];
  isPaused = false;
  isDisposed = false;
  /** What the program does with input that reached it; by default nothing. */
  onInput: (bytes: Uint8Array) => void = () => {};

  private readonly data = new Emitter<Uint8Array>();
  private readonly exitEmitter = new Emitter<ExitStatus>();
  private readonly writer: PtyWriter;
  private readonly takenParts: Uint8Array[] = [];
  private readonly pending: Uint8Array[] = [];
  private pendingExit: ExitStatus | null = null;
  private room = Number.POSITIVE_INFINITY;
  private isHeard = false;
  private isOver = false;

  constructor(
    readonly spec: SpawnSpec,
    readonly pid: number,
    clock: Clock = systemClock,
  ) {
    this.sizes = [spec.size];
    this.writer = new PtyWriter((bytes) => this.take(bytes), clock);
    this.onData = this.heard(this.data.event);
    this.onExit = this.heard(this.exitEmitter.event);
  }

  // What the test does.

  /** The program prints; kept while the reader is paused, or nobody listens yet. */
  print(output: Uint8Array | string): void {
    if (this.pendingExit) throw new Error("a program that has exited prints nothing");
    this.pending.push(typeof output === "string" ? utf8(output) : output);
    this.deliver();
  }

  /** The program ends; told after everything it printed. */
  exit(status: Partial<ExitStatus> = {}): void {
    if (this.pendingExit || this.isOver) return;
    this.writer.dispose();
    const isSignalled = status.signal !== undefined && status.signal !== null;
    this.pendingExit = {
      exit_code: isSignalled ? null : (status.exit_code ?? 0),
      signal: status.signal ?? null,
    };
    this.deliver();
  }

  /** The program stops reading (the kernel still takes a little), or reads again. */
  stick(isStuck = true): void {
    this.room = isStuck ? stuckRoomBytes : Number.POSITIVE_INFINITY;
  }

  /** Everything the program has received, as one piece. */
  get taken(): Uint8Array {
    return concatBytes(this.takenParts);
  }

  get takenText(): string {
    return Buffer.from(this.taken).toString();
  }

  // What the host does.

  get backlogBytes(): number {
    return this.writer.backlogBytes;
  }

  get tty(): string | null {
    return this.isOver || this.pendingExit ? null : `/dev/fake/${this.pid}`;
  }

  write(unit: Uint8Array, pauses?: readonly Pause[], fence?: Fence): boolean {
    if (this.isOver || this.pendingExit) {
      fence?.began("discarded");
      return true;
    }
    const isTaken = this.writer.write(unit, pauses, fence);
    if (isTaken) this.units.push(unit);
    return isTaken;
  }

  dropStale(): void {
    this.writer.dropStale();
  }

  skipPauses(): void {
    this.writer.skipPauses();
  }

  discardQueued(): number {
    return this.writer.discardQueued();
  }

  resize(size: GridSize): void {
    if (!this.isOver && !this.pendingExit) this.sizes.push(size);
  }

  pause(): void {
    this.isPaused = true;
  }

  resume(): void {
    this.isPaused = false;
    this.deliver();
  }

  /** INT, TERM, HUP, QUIT and KILL end the program. */
  signalForeground(signal: SignalName): void {
    if (this.isOver || this.pendingExit) return;
    this.foregroundSignals.push(signal);
    if (signal !== "USR1" && signal !== "USR2") this.exit({ signal: `SIG${signal}` });
  }

  async end(signal: SignalName): Promise<void> {
    this.endSignals.push(signal);
    this.exit({ signal: `SIG${signal}` });
  }

  dispose(): void {
    this.isOver = true;
    this.isDisposed = true;
    this.writer.dispose();
    this.data.dispose();
    this.exitEmitter.dispose();
  }

  private take(bytes: Uint8Array): number {
    const count = Math.min(bytes.length, this.room);
    if (count === 0) return 0;
    this.room -= count;
    const part = bytes.slice(0, count);
    this.takenParts.push(part);
    this.onInput(part);
    return count;
  }

  private heard<T>(event: Event<T>): Event<T> {
    return (listener) => {
      const subscription = event(listener);
      if (!this.isHeard) {
        this.isHeard = true;
        // As with a real terminal: never inside the subscribing call.
        queueMicrotask(() => this.deliver());
      }
      return subscription;
    };
  }

  private deliver(): void {
    if (!this.isHeard) return;
    while (!this.isPaused && !this.isOver) {
      const next = this.pending.shift();
      if (next) this.data.fire(next);
      else if (this.pendingExit) {
        this.isOver = true;
        this.exitEmitter.fire(this.pendingExit);
      } else return;
    }
  }
}

export class FakePtyFactory implements PtyFactory {
  availability: PtyAvailability = { state: "ready" };
  /** All that were spawned, in order. */
  readonly ptys: FakePty[] = [];
  /** When set, the next spawn throws it. */
  failure: Error | null = null;
  /** Called with each new terminal before the host has it. */
  onSpawn: (pty: FakePty) => void = () => {};

  /** Pids far above the kernel's: nothing real can be meant by mistake. */
  private nextPid = 0x7000_0000;

  constructor(private readonly clock: Clock = systemClock) {}

  get last(): FakePty {
    const pty = this.ptys.at(-1);
    if (!pty) throw new Error("nothing was spawned yet");
    return pty;
  }

  async spawn(spec: SpawnSpec): Promise<FakePty> {
    const { failure } = this;
    this.failure = null;
    if (failure) throw failure;
    const pty = new FakePty(spec, this.nextPid++, this.clock);
    this.ptys.push(pty);
    this.onSpawn(pty);
    return pty;
  }
}
