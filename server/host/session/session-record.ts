// What is known about one session as such: names, tags, title, life; and how the wire shows it (OP1).
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { SessionId } from "#lib/protocol/ids.ts";
import type { ChangeSession, Phase, SessionInfo, SessionState } from "#lib/protocol/session.ts";
import type { Workplace } from "./foreground-watch.ts";
import { advance, exitOf, hasEnded, type Lifecycle } from "./lifecycle.ts";
import type { ShellStart } from "./session-journal.ts";

export interface SessionSeed {
  readonly id: SessionId;
  readonly name: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly tags: readonly string[];
  readonly profile?: string | undefined;
  readonly createdMs: number;
  /** Left out: with no integration of ours. */
  readonly shell?: ShellStart | undefined;
}

export class SessionRecord {
  private currentName: string;
  private tags: readonly string[];
  private life: Lifecycle = { state: "starting" };
  title = "";

  constructor(
    private readonly seed: SessionSeed,
    private readonly pid: number,
  ) {
    this.currentName = seed.name;
    this.tags = seed.tags;
  }

  get id(): SessionId {
    return this.seed.id;
  }

  get name(): string {
    return this.currentName;
  }

  get lifecycle(): Lifecycle {
    return this.life;
  }

  get hasEnded(): boolean {
    return hasEnded(this.life);
  }

  /** How the program ended, for those who want something of it; null: it runs. */
  get ending(): string | null {
    if (!this.hasEnded) return null;
    const status = exitOf(this.life)?.status;
    const how = status?.signal
      ? `was ended by ${status.signal}`
      : `exited with ${status?.exit_code}`;
    return `the program of session ${this.id} ${how}`;
  }

  /** True when that was a step forward. */
  advance(to: Lifecycle): boolean {
    const before = this.life;
    this.life = advance(before, to);
    return this.life !== before;
  }

  change(change: ChangeSession): void {
    if (change.name !== undefined) this.currentName = change.name;
    if (change.tags !== undefined) this.tags = [...new Set(change.tags)];
  }

  info(
    place: Workplace,
    size: GridSize,
    viewers: number,
    phase: Phase,
    state: SessionState,
  ): SessionInfo {
    const exit = exitOf(this.life);
    return {
      id: this.seed.id,
      name: this.currentName,
      pid: this.pid,
      command: [...this.seed.command],
      cwd: place.cwd,
      foreground: place.foreground,
      cols: size.cols,
      rows: size.rows,
      title: this.title,
      phase,
      exited: exit !== null,
      exit_code: exit?.status.exit_code ?? null,
      signal: exit?.status.signal ?? null,
      viewers,
      created_at: new Date(this.seed.createdMs).toISOString(),
      exited_at: exit ? new Date(exit.atMs).toISOString() : null,
      tags: [...this.tags],
      ...(this.seed.profile === undefined ? {} : { profile: this.seed.profile }),
      ...state,
    };
  }
}
