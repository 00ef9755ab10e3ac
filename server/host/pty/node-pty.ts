// A real terminal on a native module (PT3-PT11). Mends what the module does not do: no byte is lost at the end of a process, input is
// bounded and never blocks, the whole process tree can be ended. Knows nothing of sessions beyond their COTTY_SESSION.
import type { Clock } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { ExitStatus, SignalName } from "#lib/protocol/session.ts";
import { withoutDescriptorGaps } from "./descriptor-gaps.ts";
import { ExitDrain } from "./exit-drain.ts";
import { exitStatus } from "./exit-status.ts";
import { readForeground } from "./foreground.ts";
import { type ProcessIdentity, readProcess, readProcessTable } from "./process-table.ts";
import type { Fence, Pause, Pty } from "./pty.ts";
import type { ModulePty, PtyModule } from "./pty-module.ts";
import { PtyWriter } from "./pty-writer.ts";
import { endSession, killSession } from "./reaper.ts";
import { findMembers, procDetails, type SessionTarget } from "./session-members.ts";
import type { SpawnSpec } from "./spawn-spec.ts";
import {
  closeMaster,
  holdSlave,
  inputOf,
  releaseSlave,
  takeOverExit,
} from "./terminal-descriptor.ts";

type Stage =
  | { kind: "running" }
  /** The program, or somebody for it, hung the terminal up: no output any more, the process goes on. */
  | { kind: "hungUp" }
  | { kind: "draining"; status: ExitStatus; drain: ExitDrain }
  | { kind: "over" };

/** Throws TermError PTY_SPAWN_FAILED; nothing is left behind then. */
export function spawnNodePty(module: PtyModule, spec: SpawnSpec, clock: Clock): Pty {
  let term: ModulePty;
  try {
    term = withoutDescriptorGaps(() =>
      module.spawn(spec.file, [...spec.args], {
        name: spec.term,
        ...spec.size,
        cwd: spec.cwd,
        env: { ...spec.env },
        encoding: null,
      }),
    );
  } catch (error) {
    if (error instanceof TermError) throw error;
    throw new TermError("PTY_SPAWN_FAILED", `no terminal could be made: ${messageOf(error)}`);
  }
  try {
    return new NodePty(term, spec.env.COTTY_SESSION ?? null, clock);
  } catch (error) {
    term.kill("SIGKILL");
    closeMaster(term);
    throw new TermError("PTY_SPAWN_FAILED", `the terminal is unusable: ${messageOf(error)}`);
  }
}

class NodePty implements Pty {
  readonly pid: number;
  readonly onData: Event<Uint8Array>;
  readonly onExit: Event<ExitStatus>;

  private readonly data = new Emitter<Uint8Array>();
  private readonly exit = new Emitter<ExitStatus>();
  private readonly writer: PtyWriter;
  private readonly leader: ProcessIdentity | null;
  /** Our own end of the slave: while it is open the kernel keeps the output of a process that has ended. Null off Unix. */
  private heldSlave: number | null;
  private stage: Stage = { kind: "running" };
  /** Members that were alive when the leader ended; its session number says nothing after that. */
  private survivors: readonly ProcessIdentity[] = [];
  private isPaused = false;
  /** The kernel keeps what nobody listens to yet. */
  private isHeard = false;

  constructor(
    private readonly term: ModulePty,
    private readonly session: string | null,
    private readonly clock: Clock,
  ) {
    this.pid = term.pid;
    this.heldSlave = holdSlave(term);
    const identity = readProcess(term.pid);
    this.leader = identity && { pid: identity.pid, startTime: identity.startTime };
    takeOverExit(term);
    term.pause();
    term.onData((chunk) => this.received(chunk as Buffer));
    term.onExit(({ exitCode, signal }) => this.ended(exitStatus(exitCode, signal)));
    term.on?.("error", () => this.hungUp());
    term.on?.("end", () => this.hungUp());
    this.writer = new PtyWriter(inputOf(term), clock);
    this.onData = this.heard(this.data.event);
    this.onExit = this.heard(this.exit.event);
  }

  get backlogBytes(): number {
    return this.writer.backlogBytes;
  }

  get tty(): string | null {
    return this.heldSlave === null ? null : (this.term.ptsName ?? null);
  }

  write(unit: Uint8Array, pauses?: readonly Pause[], fence?: Fence): boolean {
    return this.writer.write(unit, pauses, fence);
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
    if (this.stage.kind !== "running") return;
    try {
      this.term.resize(size.cols, size.rows);
    } catch {
      // The module throws when its descriptor went away under it (B004); the exit follows.
    }
  }

  pause(): void {
    if (this.isPaused || this.stage.kind === "over") return;
    this.isPaused = true;
    this.term.pause();
    if (this.stage.kind === "draining") this.stage.drain.pause();
  }

  resume(): void {
    if (!this.isPaused || this.stage.kind === "over") return;
    this.isPaused = false;
    this.read();
  }

  signalForeground(signal: SignalName): void {
    if (this.stage.kind !== "running" && this.stage.kind !== "hungUp") return;
    // A leader that was collected already has no foreground; its pid may be another process's by now.
    if (this.leader && readProcess(this.pid)?.startTime !== this.leader.startTime) return;
    const group = readForeground(this.pid)?.pgid ?? this.pid;
    try {
      process.kill(-group, `SIG${signal}`);
    } catch {
      // The group ended meanwhile, or belongs to another user (then only the terminal itself can interrupt it).
    }
  }

  async end(signal: SignalName): Promise<void> {
    await endSession(this.target(), signal, this.clock);
  }

  dispose(): void {
    if (this.stage.kind !== "over") {
      killSession(this.target());
      this.release();
    }
    this.data.dispose();
    this.exit.dispose();
  }

  private target(): SessionTarget {
    return { leader: this.leader, known: this.survivors, session: this.session, tty: this.tty };
  }

  private heard<T>(event: Event<T>): Event<T> {
    return (listener) => {
      const subscription = event(listener);
      if (!this.isHeard) {
        this.isHeard = true;
        this.read();
      }
      return subscription;
    };
  }

  private read(): void {
    if (!this.isHeard || this.isPaused || this.stage.kind === "over") return;
    this.term.resume();
    if (this.stage.kind === "draining") this.stage.drain.resume();
  }

  private received(chunk: Uint8Array): void {
    const { stage } = this;
    if (stage.kind === "running") this.data.fire(chunk);
    else if (stage.kind === "draining") {
      const { bytes, isDone } = stage.drain.push(chunk);
      if (bytes.length > 0) this.data.fire(bytes);
      if (isDone) this.finish();
    }
  }

  /** The module has closed the master, or is about to: its number must not be used again (B013). */
  private hungUp(): void {
    this.writer.dispose();
    if (this.stage.kind === "running") this.stage = { kind: "hungUp" };
    else this.finish();
  }

  /** The process is gone; what it wrote may still be in the terminal. */
  private ended(status: ExitStatus): void {
    const { stage } = this;
    if (stage.kind !== "running" && stage.kind !== "hungUp") return;
    this.writer.dispose();
    this.survivors = this.findSurvivors();
    const drain = new ExitDrain(this.heldSlave, () => this.finish(), this.clock);
    this.stage = { kind: "draining", status, drain };
    if (this.heldSlave === null || stage.kind === "hungUp") this.finish();
    else this.read();
  }

  private findSurvivors(): readonly ProcessIdentity[] {
    const { leader } = this;
    if (!leader) return [];
    const table = readProcessTable();
    // The number of the session was ours until this moment: whoever carries it now belongs to it.
    const anchors = [...table.values()].filter((entry) => entry.sessionId === leader.pid);
    const target = { ...this.target(), session: null, known: anchors };
    const survivors = findMembers(table, target, procDetails, process.pid);
    return survivors.map(({ pid, startTime }) => ({ pid, startTime }));
  }

  private finish(): void {
    const { stage } = this;
    if (stage.kind !== "draining") return;
    const rest = stage.drain.flush();
    this.release();
    if (rest.length > 0) this.data.fire(rest);
    this.exit.fire(stage.status);
  }

  private release(): void {
    if (this.stage.kind === "draining") this.stage.drain.dispose();
    this.stage = { kind: "over" };
    this.writer.dispose();
    if (this.heldSlave !== null) releaseSlave(this.term, this.heldSlave);
    this.heldSlave = null;
    closeMaster(this.term);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
