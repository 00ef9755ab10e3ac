// What the waits of one session look at, kept up to date for all of them: where lines were typed, when something was printed or looked different, who
// took the keyboard. Judges nothing (host/wait does) and holds no wait.
import { type Clock, sleep } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { type Cursor, parseCursor } from "#lib/protocol/cursor.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import type { Access } from "#lib/protocol/lease.ts";
import type { ActivityApi } from "#server/host/activity/activity-api.ts";
import { effectOf } from "#server/host/activity/typed-bytes.ts";
import type { JournalApi } from "#server/host/journal/journal-api.ts";
import type { Arbiter } from "#server/host/lease/arbiter.ts";
import type { OutputLog } from "#server/host/output/output-log.ts";
import type { Pump } from "#server/host/output/pump.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import type { Region } from "#server/host/wait/echo.ts";
import { markOf } from "#server/host/wait/new-output.ts";
import type { SourceFacts, Stir, WaitSource, WaitStart } from "#server/host/wait/pending-wait.ts";
import { charsBefore } from "#server/host/wait/placed-text.ts";
import { TypedLines } from "#server/host/wait/typed-lines.ts";
import { exitOf } from "./lifecycle.ts";
import type { SessionRecord } from "./session-record.ts";
import type { Written } from "./written.ts";

export interface WaitedParts {
  readonly record: SessionRecord;
  readonly screen: ScreenApi;
  readonly log: OutputLog;
  readonly pump: Pump;
  readonly journal: JournalApi;
  readonly activity: ActivityApi;
  readonly arbiter: Pick<Arbiter, "current" | "isCredential" | "onTaken" | "onChange">;
  readonly wrote: Event<Written>;
  readonly onAccess: Event<Access>;
  access(): Access;
}

interface StartGiven {
  readonly since?: Cursor | null;
  readonly command?: number;
  readonly lines?: number;
  readonly isOneLine?: boolean;
}

/** Enough to see that it is not blank. */
const glanceBytes = 256;
/** Between a program's write and our reading of it, on a busy machine. */
const takenMs = 20;
/** Places of typed lines that a wait may still have to tell from output. */
const keptInputs = 32;

export class SessionWaits implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly stirs = this.owned.add(new Emitter<Stir>());
  private readonly typed = new TypedLines();
  private inputs: readonly Region[] = [];
  private printedMs = Number.NEGATIVE_INFINITY;
  private changedMs = Number.NEGATIVE_INFINITY;
  private taken = { count: 0, by: "" };
  private phases = 0;
  /** Something may run because a line was sent; half a line at a prompt starts nothing. */
  private wasSent = false;
  private screenWatchers = 0;
  private shown = "";

  constructor(
    private readonly parts: WaitedParts,
    private readonly clock: Clock,
  ) {
    const { owned } = this;
    const { pump, journal, activity, arbiter, wrote, onAccess } = parts;
    owned.add(wrote((written) => this.wasTyped(written)));
    owned.add(pump.onApplied(() => this.printed()));
    owned.add(
      journal.onNews((news) => {
        if (news.kind === "began" && journal.lastInput)
          this.inputs = [...this.inputs.slice(1 - keptInputs), journal.lastInput];
      }),
    );
    let { phase } = activity.state;
    owned.add(
      activity.onChange((state) => {
        if (state.phase !== phase) this.phases += 1;
        phase = state.phase;
        this.stirs.fire("other");
      }),
    );
    owned.add(
      arbiter.onTaken((person) => {
        if (person) this.taken = { count: this.taken.count + 1, by: person.name };
        this.stirs.fire("other");
      }),
    );
    owned.add(
      arbiter.onChange(() => {
        // Its first keys may have come before anybody knew.
        if (arbiter.isCredential) this.typed.forgetOpen();
        this.stirs.fire("other");
      }),
    );
    owned.add(onAccess(() => this.stirs.fire("other")));
  }

  /** Changes of the phase so far: two waits that end for the same one see the same number. */
  get phaseCount(): number {
    return this.phases;
  }

  /** The session ended or was closed. */
  lifeMoved(): void {
    this.stirs.fire("other");
  }

  /** Everything that a wait needs of the time before it: to be taken before the one who waits types anything. */
  start(given: StartGiven = {}): WaitStart {
    const { screen } = this.parts;
    const { since = null, lines = 0, isOneLine = false } = given;
    const at = since && screen.locate(since).at;
    return {
      atMs: this.clock.monotonic(),
      mark: markOf(screen.printedRows((at ?? screen.position()).seq), at),
      command: given.command ?? this.commandIndex(),
      takings: this.taken.count,
      lines,
      isOneLine,
    };
  }

  /** As `actor` sees it: people's keyboards and seals end the waits of agents alone. */
  sourceFor(actor: Actor): WaitSource {
    const { parts } = this;
    const { screen, journal, activity } = parts;
    const inputs = () => this.inputs;
    return {
      onStir: this.stirs.event,
      typed: this.typed,
      get inputs() {
        return inputs();
      },
      printed: (fromSeq) => screen.printedRows(fromSeq),
      locate: (cursor) => screen.locate(cursor).at,
      facts: (start) => this.factsFor(actor, start),
      record: (index) => journal.record(index),
      hasPrinted: (index) => this.hasPrinted(index),
      lastEnded: (index) => this.lastEnded(index),
      refresh: async () => {
        await activity.refresh();
      },
      attend: () => activity.attend(),
      caughtUp: () => this.caughtUp(),
      watchScreen: () => this.watchScreen(),
      isMarked: () => journal.state !== "unknown",
      isBusy: () =>
        journal.state === "running" || (this.wasSent && activity.state.phase === "running"),
    };
  }

  dispose(): void {
    this.stirs.fire("other");
    this.owned.dispose();
  }

  private factsFor(actor: Actor, start: WaitStart): SourceFacts {
    const { record, journal, activity, arbiter } = this.parts;
    const isAgent = actor.kind === "agent";
    const { lifecycle } = record;
    const { hands } = arbiter.current();
    const access = this.parts.access();
    return {
      isSealed: isAgent && access === "sealed",
      takenBy: isAgent && this.taken.count > start.takings ? this.taken.by : null,
      needsPerson: isAgent && arbiter.isCredential,
      mayType: !isAgent || (hands.by === "agent" && access === "collaborate"),
      exit: lifecycle.state === "closed" ? "closed" : (exitOf(lifecycle)?.status ?? null),
      activity: activity.state,
      integration: journal.integration,
      shell: journal.state,
      marksInput: this.inputs.length > 0,
      printedMs: this.printedMs,
      changedMs: this.changedMs,
    };
  }

  /** Of the command that runs, or else of the next one. */
  commandIndex(): number {
    const { journal } = this.parts;
    return journal.state === "running" ? journal.nextIndex - 1 : journal.nextIndex;
  }

  /** What lies in the terminal's buffer is taken by then; and then it has to be parsed. */
  private async caughtUp(): Promise<void> {
    const { pump, log } = this.parts;
    await sleep(this.clock, takenMs);
    // Timers come before reading in a turn of the event loop, and a starved process is late with both.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
    await pump.whenApplied(log.end, log.entryCount);
  }

  private hasPrinted(index: number): boolean {
    const { journal, screen } = this.parts;
    const record = journal.record(index);
    if (!record) return false;
    const to = record.ended_at === null ? screen.position() : parseCursor(record.end);
    const from = screen.locate(parseCursor(record.start)).at;
    return screen.lineText(from, screen.locate(to).at, glanceBytes).trim() !== "";
  }

  private lastEnded(from: number): CommandRecord | undefined {
    const { journal } = this.parts;
    for (let index = journal.nextIndex - 1; index >= Math.max(from, journal.oldestIndex); index--) {
      const record = journal.record(index);
      if (record && !record.flags.includes("running")) return record;
    }
    return undefined;
  }

  private wasTyped({ cause, bytes, isSecret }: Written): void {
    if (cause !== "keys" && cause !== "input") return;
    const { screen, activity } = this.parts;
    // The activity is told of it after us: this is what was typed at.
    if (effectOf(bytes).isSubmit) this.wasSent = true;
    else if (activity.state.phase === "idle") this.wasSent = false;
    // A password has no echo, and is nothing to keep.
    if (!isSecret && !screen.isAlternate) {
      const at = screen.position();
      this.typed.typed(bytes, at, () => this.before(at));
    }
    this.stirs.fire("typed");
  }

  /** What stands left of the cursor, wrapped rows not joined. */
  private before(at: Cursor): string {
    const { rows } = this.parts.screen.printedRows(at.seq);
    const row = rows.find(({ seq }) => seq === at.seq);
    return row ? row.text.slice(0, charsBefore(row, at.col)).padEnd(at.col) : "";
  }

  private printed(): void {
    this.printedMs = this.clock.monotonic();
    if (this.screenWatchers > 0) this.compare();
    this.stirs.fire("printed");
  }

  private watchScreen(): Disposable {
    this.screenWatchers += 1;
    this.compare();
    return toDisposable(() => {
      this.screenWatchers -= 1;
    });
  }

  private compare(): void {
    const { screen } = this.parts;
    const { rows, cursor, isAlternate } = screen.printedRows(Number.POSITIVE_INFINITY);
    const shown = JSON.stringify([isAlternate, cursor, rows.map(({ text }) => text)]);
    if (shown === this.shown) return;
    this.shown = shown;
    this.changedMs = this.clock.monotonic();
  }
}
