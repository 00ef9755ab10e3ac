// One wait, from its mark to its judgement: gathers what only it knows (its time, its command, its texts), asks the judge at every change and sets
// the clock for what silence decides. Knows no session, only what it looks at.
import type { Clock } from "#lib/base/clock.ts";
import type { Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { Cursor } from "#lib/protocol/cursor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { WaitMark } from "./new-output.ts";
import { type Patterns, type TextSource, TextWatch } from "./text-watch.ts";
import { type Judgement, judge, type WaitTerms } from "./wait-condition.ts";
import type { WaitFacts } from "./wait-facts.ts";

/** What a wait turns on, as of now; the activity with everything counted in that was typed. */
export type SourceFacts = Pick<
  WaitFacts,
  "isSealed" | "takenBy" | "needsPerson" | "mayType" | "exit" | "activity" | "integration" | "shell"
> & {
  /** The shell has told where lines are typed (B): it will again. */
  readonly marksInput: boolean;
  /** Clock time of the last output, and of the last change of what the screen shows. */
  readonly printedMs: number;
  readonly changedMs: number;
};

export type Stir = "printed" | "typed" | "other";

export interface WaitSource extends TextSource {
  readonly onStir: Event<Stir>;
  facts(start: WaitStart): SourceFacts;
  record(index: number): CommandRecord | undefined;
  /** The command began, and has printed something that is no blank. Looks at a few rows. */
  hasPrinted(index: number): boolean;
  /** Newest command that has ended, from that index on. */
  lastEnded(index: number): CommandRecord | undefined;
  /** Looks at once what the session does. */
  refresh(): Promise<void>;
  /** While it is held the session looks often by itself. */
  attend(): Disposable;
  /** Until what the session has printed by now is on the screen. */
  caughtUp(): Promise<void>;
  /** Somebody has to know when the screen looks different. */
  watchScreen(): Disposable;
  /** The shell announces its commands. */
  isMarked(): boolean;
  /** Something runs because a line was sent. */
  isBusy(): boolean;
}

/** Taken before anything is typed by the one who waits. */
export interface WaitStart {
  readonly atMs: number;
  readonly mark: WaitMark;
  readonly command: number;
  /** How often people had taken the keyboard. */
  readonly takings: number;
  /** Lines that the wait's own act types: with several, the last command counts. */
  readonly lines: number;
  /** It types one line, whole and with nothing behind it: whatever the command prints is then no echo. */
  readonly isOneLine: boolean;
}

export interface WaitEnd {
  readonly judgement: Judgement;
  readonly facts: WaitFacts;
  readonly elapsedMs: number;
  /** null: nothing but blanks, echo and the prompt was printed. */
  readonly firstOutputMs: number | null;
  /** Behind the match's line; null: the end of the output. */
  readonly next: Cursor | null;
}

/** When it is looked at what the session does, after something was typed or printed; later it tells by itself. */
const lookMs = [10, 20, 30, 40, 50, 50, 50, 50, 50, 50, 100, 200, 500, 1_000, 2_000] as const;
/** A shell that tells what it does mostly has by then: a look would only take its time from it. */
const markedLookMs = 40;

export class PendingWait implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly texts: TextWatch;
  private timer: Disposable | null = null;
  private look: Disposable | null = null;
  private lookAtMs = 0;
  private looks = 0;
  private isLooking = false;
  private isAttending = false;
  private isSettled = false;
  private firstOutputMs: number | null = null;
  /** Something was printed that nobody has looked at. */
  private areTextsOld = false;
  private wasBusy: boolean;
  private isOneLine: boolean;
  private endedMs: number | null = null;
  private isOver = false;

  constructor(
    private readonly source: WaitSource,
    private readonly start: WaitStart,
    private readonly terms: WaitTerms,
    patterns: Patterns,
    private readonly clock: Clock,
    private readonly settle: (end: WaitEnd | TermError) => void,
    /** That end was told before: it goes on waiting. */
    private readonly isTold: (end: WaitEnd) => boolean = () => false,
  ) {
    const { conditions } = terms;
    this.texts = new TextWatch(source, start.mark, conditions ?? [], patterns, () => this.judge());
    this.wasBusy = start.lines > 0 || source.isBusy();
    this.isOneLine = start.isOneLine;
    this.owned.add(source.onStir((stir) => this.stirred(stir)));
    if (conditions?.some((each) => "screen_stable_ms" in each))
      this.owned.add(source.watchScreen());
  }

  /** After whatever the one who waits types has been typed. */
  begin(): void {
    this.lookSoon();
    this.stirred("printed");
  }

  dispose(): void {
    this.isOver = true;
    this.timer?.dispose();
    this.look?.dispose();
    this.owned.dispose();
  }

  private stirred(stir: Stir): void {
    if (this.isOver) return;
    if (stir === "typed") this.isOneLine = false;
    if (stir !== "other") {
      this.isSettled = false;
      this.looks = 0;
      this.lookSoon();
    }
    if (stir === "printed") this.printed();
    this.judge();
  }

  /** Whether something new stands there costs a look at the whole screen, which a shell that announces its commands mostly spares. */
  private printed(): void {
    const { texts, source, start } = this;
    const elapsedMs = this.clock.monotonic() - start.atMs;
    if (texts.isLookedFor || !this.isOneLine || !source.isMarked()) this.lookAtTexts(elapsedMs);
    else {
      this.areTextsOld = true;
      if (this.firstOutputMs === null && source.hasPrinted(start.command))
        this.firstOutputMs = elapsedMs;
    }
  }

  private lookAtTexts(elapsedMs: number): void {
    this.areTextsOld = false;
    this.texts.look();
    if (this.texts.hasText) this.firstOutputMs ??= elapsedMs;
  }

  private judge(): void {
    if (this.isOver) return;
    if (this.texts.fault !== null) {
      const detail = `the regular expression was given up: ${this.texts.fault}`;
      this.finish(new TermError("BAD_PATTERN", detail));
      return;
    }
    const facts = this.facts();
    const judgement = judge(facts, this.terms);
    const end = judgement && {
      judgement,
      facts,
      elapsedMs: facts.elapsedMs,
      firstOutputMs: this.isSilent(facts) ? null : this.firstOutputMs,
      next: judgement.outcome === "matched" ? this.texts.next : null,
    };
    // A pattern may have matched before that, and is told first (WT5).
    if (end && this.texts.isTrying && isLaterThanMatch(end)) return;
    if (end && !this.isTold(end)) this.finish(end);
    else this.setTimer(facts);
  }

  private finish(end: WaitEnd | TermError): void {
    this.dispose();
    this.settle(end);
  }

  private facts(): WaitFacts & SourceFacts {
    const { source, start } = this;
    const now = this.clock.monotonic();
    const seen = source.facts(start);
    const { phase, confidence } = seen.activity;
    if (phase === "running" && confidence === "exact" && source.isBusy()) this.wasBusy = true;
    const ended = this.ended(seen);
    if (ended) this.endedMs ??= now;
    return {
      ...seen,
      elapsedMs: Math.floor(now - start.atMs),
      isSettled: this.isSettled && !this.isLooking,
      ended,
      isPromptBack: this.isPromptBack(seen, now),
      wasBusy: this.wasBusy,
      quietMs: now - Math.max(start.atMs, seen.printedMs),
      stableMs: now - Math.max(start.atMs, seen.changedMs),
      hits: this.texts.hits,
    };
  }

  /** What is typed before that finds no line editor, and a paste then no brackets: its tabs would complete names. */
  private isPromptBack(seen: SourceFacts, now: number): boolean {
    // Running: the next command has begun, so that there was a prompt.
    if (seen.shell === "input" || seen.shell === "running") return true;
    return this.endedMs !== null && now - this.endedMs >= promptMs(seen);
  }

  private ended(seen: SourceFacts): CommandRecord | null {
    const { source, start } = this;
    if (start.lines > 1) {
      // Further lines wait to be read: only when the shell waits for more are they all done.
      const isAllRead =
        this.isSettled &&
        !this.isLooking &&
        seen.activity.phase === "idle" &&
        seen.shell !== "running";
      return (isAllRead && source.lastEnded(start.command)) || null;
    }
    const record = source.record(start.command) ?? source.lastEnded(start.command);
    return record && !record.flags.includes("running") ? record : null;
  }

  private isSilent({ ended, activity, elapsedMs, quietMs }: WaitFacts): boolean {
    if (ended && ended.start === ended.end) return true;
    const isIdle = !ended && activity.phase === "idle";
    if (this.areTextsOld && (isIdle || this.firstOutputMs === null))
      this.lookAtTexts(Math.max(0, elapsedMs - quietMs));
    return isIdle && !this.texts.hasLines;
  }

  /** The next moment at which silence alone decides something. */
  private setTimer(facts: WaitFacts & Pick<SourceFacts, "marksInput">): void {
    this.timer?.dispose();
    const { conditions, timeoutMs } = this.terms;
    const waits = [timeoutMs - facts.elapsedMs];
    if (!conditions) waits.push(limits.waitSettleMs - facts.quietMs);
    if (facts.ended && this.endedMs !== null)
      waits.push(promptMs(facts) - (this.clock.monotonic() - this.endedMs));
    for (const condition of conditions ?? []) {
      if ("quiet_ms" in condition) waits.push(condition.quiet_ms - facts.quietMs);
      if ("screen_stable_ms" in condition) waits.push(condition.screen_stable_ms - facts.stableMs);
    }
    const next = Math.min(...waits.filter((ms) => ms > 0), limits.waitTimerMs);
    this.timer = this.clock.after(next, () => this.judge());
  }

  private lookSoon(): void {
    if (!this.needsActivity || this.isLooking) return;
    const least = this.source.isMarked() ? markedLookMs : 0;
    const ms = Math.max(least, lookMs[Math.min(this.looks, lookMs.length - 1)] as number);
    const atMs = this.clock.monotonic() + ms;
    if (this.look && this.lookAtMs <= atMs) return;
    this.look?.dispose();
    this.lookAtMs = atMs;
    this.look = this.clock.after(ms, () => void this.lookNow());
  }

  private async lookNow(): Promise<void> {
    this.look = null;
    this.isLooking = true;
    // Only now: what ends before its first look needs none.
    if (!this.isAttending) {
      this.isAttending = true;
      this.owned.add(this.source.attend());
    }
    this.looks += 1;
    this.isSettled = true;
    await this.source.refresh();
    // A prompt is printed before it is waited at, and read by us after it was looked.
    await this.source.caughtUp();
    if (this.isSettled) await this.source.refresh();
    this.isLooking = false;
    if (this.isOver) return;
    this.judge();
    if (!this.isOver) this.lookSoon();
  }

  private get needsActivity(): boolean {
    return (
      this.terms.conditions?.some(
        (each) => "phase" in each || "prompt" in each || "command_done" in each,
      ) ?? true
    );
  }
}

function isLaterThanMatch({ judgement: { outcome }, facts: { exit } }: WaitEnd): boolean {
  if (exit === "closed") return false;
  return outcome === "exited" || outcome === "command_done" || outcome === "settled";
}

function promptMs({ marksInput }: Pick<SourceFacts, "marksInput">): number {
  return marksInput ? limits.waitPromptMs : limits.waitUnmarkedPromptMs;
}
