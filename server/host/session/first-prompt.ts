// The first prompt of a shell that was just opened (IN8). Before it the terminal shows what is typed and the shell shows it again, and nobody has asked
// for pastes in brackets yet: so batches of the API wait here, in their order, and for a bounded time. Decides nothing about who may type.
import type { Clock } from "#lib/base/clock.ts";
import type { Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { Held } from "#lib/protocol/input.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { ActivityApi, ActivityState } from "#server/host/activity/activity-api.ts";
import type { JournalApi } from "#server/host/journal/journal-api.ts";

export interface FirstPromptParts {
  /** It was started with our marks; of others nobody could tell when they are ready. */
  readonly isHooked: boolean;
  readonly journal: Pick<JournalApi, "state" | "onNews">;
  readonly activity: Pick<ActivityApi, "state" | "onChange" | "attend">;
  /** Something about who may type is new: to be asked again now. */
  readonly onTaken: Event<unknown>;
  readonly onAccess: Event<unknown>;
}

type Cause = Held["ended_by"];

interface Turn {
  readonly actorId: string;
  isForbidden: boolean;
}

const ctrlC = 0x03;

export class FirstPrompt implements Disposable {
  private readonly owned = new DisposableStore();
  private isAwaited: boolean;
  private waiting: ((cause: Cause) => void)[] = [];
  /** Those that wait, and those that were let go and have not typed yet. */
  private readonly turns = new Set<Turn>();
  private bytes = 0;
  private last: Promise<unknown> = Promise.resolve();
  /** From the first that waits on: those that come later wait for what is left of it. */
  private patience: Disposable | null = null;
  private attention: Disposable | null = null;
  private reads: Disposable | null = null;

  constructor(
    private readonly parts: FirstPromptParts,
    private readonly clock: Clock,
  ) {
    this.isAwaited = parts.isHooked;
    if (!this.isAwaited) return;
    const { owned } = this;
    owned.add(parts.journal.onNews(() => this.marked()));
    owned.add(parts.activity.onChange((state) => this.looked(state)));
    owned.add(parts.onTaken(() => this.letGo("person")));
    owned.add(parts.onAccess(() => this.letGo("person")));
  }

  /** Nobody has to wait, neither for the prompt nor for others who do. */
  get isOver(): boolean {
    return !this.isAwaited && this.turns.size === 0;
  }

  /** What may still be taken in. */
  get roomBytes(): number {
    return limits.inputBacklogBytes - this.bytes;
  }

  /** `type` in its turn: once the prompt is up or the wait for it is over, behind everybody who came before. `held` undefined: it did not wait. */
  async run<T>(actorId: string, unit: Uint8Array, type: (held?: Held) => Promise<T>): Promise<T> {
    const { last } = this;
    const own: Turn = { actorId, isForbidden: false };
    this.turns.add(own);
    this.bytes += unit.length;
    const turn = this.held(unit)
      .then(async (held) => {
        await last;
        if (own.isForbidden)
          throw new TermError(
            "UNAUTHENTICATED",
            "the credential ended meanwhile; nothing was typed",
          );
        return type(held);
      })
      .finally(() => {
        this.turns.delete(own);
        this.bytes -= unit.length;
      });
    this.last = turn.catch(() => {});
    return turn;
  }

  /** Its credential ended: what it sent before is not typed after that. */
  forbid(actorId: string): void {
    for (const turn of this.turns) if (turn.actorId === actorId) turn.isForbidden = true;
  }

  /** The program ended: there will be no prompt. */
  lifeMoved(): void {
    this.end("reading");
  }

  dispose(): void {
    this.end("reading");
  }

  private async held(unit: Uint8Array): Promise<Held | undefined> {
    // Who wants to stop what the start-up files do waits for no prompt, and neither does what was to be typed before it.
    if (unit.includes(ctrlC)) this.letGo("interrupt");
    else if (this.isAwaited) {
      const sinceMs = this.clock.monotonic();
      const cause = await new Promise<Cause>((resolve) => this.wait(resolve));
      return { waited_ms: Math.floor(this.clock.monotonic() - sinceMs), ended_by: cause };
    }
    return undefined;
  }

  private wait(resolve: (cause: Cause) => void): void {
    const { clock, parts } = this;
    this.waiting.push(resolve);
    // Once per session: after a wait in vain it is not known whether there will ever be a prompt of ours.
    this.patience ??= clock.after(limits.firstPromptMs, () => this.end("time"));
    this.attention ??= parts.activity.attend();
    this.looked(parts.activity.state);
  }

  private marked(): void {
    const { state } = this.parts.journal;
    if (state === "input" || state === "running") this.end("prompt");
  }

  /** Somebody reads: a shell of which our marks were taken, or a program that a start-up file runs. A prompt that comes is on its way to us then. */
  private looked({ phase }: ActivityState): void {
    const isReading = phase === "idle" || phase === "waiting_input";
    if (!isReading || this.waiting.length === 0) {
      this.reads?.dispose();
      this.reads = null;
      return;
    }
    const { clock } = this;
    const half = limits.waitUnmarkedPromptMs / 2;
    // Twice: on a busy machine a timer that is late comes before the output that is.
    this.reads ??= clock.after(half, () => {
      this.reads = clock.after(half, () => this.end("reading"));
    });
  }

  private letGo(cause: Cause): void {
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve(cause);
    for (const held of [this.attention, this.reads]) held?.dispose();
    this.attention = null;
    this.reads = null;
  }

  private end(cause: Cause): void {
    this.isAwaited = false;
    this.owned.dispose();
    this.patience?.dispose();
    this.letGo(cause);
  }
}
