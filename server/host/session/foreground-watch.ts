// The foreground program and its directory, looked at no more than once a second and only when somebody asks or something was printed.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Foreground } from "#server/host/pty/foreground.ts";
import type { Hide } from "./typed-text.ts";

export interface Workplace {
  /** Program in front when it is not the session's own process; else null. */
  readonly foreground: string | null;
  readonly cwd: string;
}

const periodMs = 1_000;

export class ForegroundWatch implements Disposable {
  private place: Workplace;
  private lookedMs = Number.NEGATIVE_INFINITY;
  private timer: Disposable | null = null;
  private isOver = false;

  constructor(
    cwd: string,
    private readonly look: () => Foreground | null,
    private readonly onChange: () => void,
    private readonly clock: Clock,
    /** The directory that the shell tells, on this machine; null: it tells none. Believed only where the system says nothing. */
    private readonly told: () => string | null = () => null,
    /** The text without what must not be read (SX1): folders and programs may be named by a secret. */
    private readonly hide: Hide = (text) => text,
  ) {
    this.place = { foreground: null, cwd };
  }

  /** At most a second old. */
  current(): Workplace {
    if (!this.isOver && this.clock.monotonic() - this.lookedMs >= periodMs) this.refresh();
    return this.shown();
  }

  /** As it is now: for moments that are told as such. */
  fresh(): Workplace {
    if (!this.isOver) this.refresh();
    return this.shown();
  }

  /** Something was printed: the program in front may be another one soon. */
  printed(): void {
    if (this.isOver) return;
    this.timer ??= this.clock.after(periodMs, () => {
      this.timer = null;
      this.refresh();
    });
  }

  /** The process ended: nothing is in front, the last directory stays. */
  end(): void {
    this.dispose();
    this.place = { foreground: null, cwd: this.place.cwd };
  }

  dispose(): void {
    this.isOver = true;
    this.timer?.dispose();
    this.timer = null;
  }

  private shown(): Workplace {
    const { foreground, cwd } = this.place;
    return { foreground: foreground && this.hide(foreground), cwd: this.hide(cwd) };
  }

  /** Whoever caused the look: what it found is told to all, or one who asks would take the news from the others. */
  private refresh(): void {
    const isFirst = this.lookedMs === Number.NEGATIVE_INFINITY;
    this.lookedMs = this.clock.monotonic();
    const found = this.look();
    const before = this.place;
    this.place = {
      foreground: !found ? before.foreground : found.isSessionLeader ? null : found.name,
      cwd: found?.cwd ?? this.told() ?? before.cwd,
    };
    const isNew = before.cwd !== this.place.cwd || before.foreground !== this.place.foreground;
    if (isNew && !isFirst) this.onChange();
  }
}
