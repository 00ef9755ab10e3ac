// The part of a session's activity that has a clock: it gathers the observation, at a pace that costs little, and tells what follows from it. The
// rules themselves are pure: phase.ts, credential.ts.
import type { Clock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { Explanation } from "#lib/protocol/wait.ts";
import type { ActivityApi, ActivityState } from "./activity-api.ts";
import type { ActivityParts, CursorLineView } from "./activity-parts.ts";
import {
  type CredentialInput,
  type CredentialState,
  nextCredential,
  noCredential,
} from "./credential.ts";
import { explanation } from "./explanation.ts";
import { type FishLine, nextFishLine, noFishLine } from "./fish-line.ts";
import { LookPace } from "./look-pace.ts";
import type { Observation, ShellView } from "./observation.ts";
import { phaseOf } from "./phase.ts";
import { ReadFreshness } from "./read-freshness.ts";
import { SettingsWatch } from "./settings-watch.ts";
import { nextShellLine, noShellLine, type ShellLine, sentShellLine } from "./shell-line.ts";
import type { TerminalLook, TtyRead } from "./tty-read.ts";
import { effectOf, linesIn } from "./typed-bytes.ts";

/** A shell has answered a line by then, or it was a key that it swallows. */
const answerMs = 300;

export class Activity implements ActivityApi, Disposable {
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<ActivityState>());
  private readonly pace: LookPace;
  private readonly freshness = new ReadFreshness();
  private readonly settings: SettingsWatch;
  private readonly startedMs: number;
  private last: TerminalLook = {
    foreground: null,
    read: { kind: "unknown", because: "not looked yet" },
  };
  private isReadFresh = true;
  private printedMs: number;
  private wroteMs: number | null = null;
  /** When the last line was sent to a shell that announces what it does. */
  private unansweredMs: number | null = null;
  private isLineUntouched = true;
  private fishLine: FishLine = noFishLine;
  private shellLine: ShellLine = noShellLine;
  private credential: CredentialState = noCredential;
  private prompts = 0;
  private current: ActivityState;
  private isOver = false;

  readonly onChange = this.changes.event;

  constructor(
    private readonly parts: ActivityParts,
    private readonly clock: Clock,
  ) {
    this.startedMs = clock.monotonic();
    this.printedMs = this.startedMs;
    this.pace = this.owned.add(new LookPace(() => void this.refresh(), clock));
    this.settings = new SettingsWatch(() => parts.settings(), clock);
    this.current = this.derive(this.observe());
    this.pace.stir();
  }

  get state(): ActivityState {
    return this.current;
  }

  /** Since when a password is asked for, in monotonic time; null: none is. */
  get credentialSinceMs(): number | null {
    const { credential } = this;
    return credential.kind === "asked" || credential.kind === "answered"
      ? credential.sinceMs
      : null;
  }

  /** Times that a password was asked for; a retry is a time of its own. */
  get promptCount(): number {
    return this.prompts;
  }

  /** Who reads now gets whole lines of which the terminal shows nothing. False where that is not known. */
  get hidesTyping(): boolean {
    const { current } = this.settings;
    const isHiding = current.kind === "known" && current.canonical && !current.echo;
    return isHiding && this.settings.isFrom(this.last.read);
  }

  /** Who has the terminal, as last looked at. */
  get terminal(): TerminalLook {
    return this.last;
  }

  attend(): Disposable {
    return this.pace.attend();
  }

  /** The program printed something; it need not be on the screen yet. */
  printed(): void {
    this.printedMs = this.clock.monotonic();
    this.pace.stir();
  }

  /** Bytes were queued for the program. `isTyping` false: what a terminal says by itself. */
  typed(bytes: Uint8Array, isTyping: boolean): void {
    if (this.isOver) return;
    const nowMs = this.clock.monotonic();
    const { isSubmit, leavesText } = effectOf(bytes);
    this.wroteMs = nowMs;
    if (isTyping) this.isLineUntouched = isSubmit && !leavesText;
    const isHeld = !isSubmit && this.settings.isCanonicalFor(this.last.read);
    // A part of a line does not end the read of a whole one.
    if (!isHeld) {
      const now = this.pace.take() ? this.look() : null;
      const isQueued = this.parts.backlogBytes() > 0;
      this.freshness.wrote(bytes, this.last.read, now?.read ?? null, isQueued, nowMs);
      if (now) this.last = now;
      this.isReadFresh = false;
    }
    if (isSubmit && isTyping) {
      if (isAnnouncing(this.parts.shell())) this.unansweredMs = nowMs;
      this.shellLine = sentShellLine(this.shellLine, linesIn(bytes));
      this.step({ kind: "submitted" });
    }
    this.evaluate();
    this.pace.stir();
  }

  /** The process was started, ended or closed. */
  lifeMoved(): void {
    const { lifecycle } = this.observe();
    if (lifecycle === "exited" || lifecycle === "closed") this.end();
    this.evaluate();
  }

  async refresh(): Promise<ActivityState> {
    if (this.isOver) return this.current;
    this.last = this.look();
    const nowMs = this.clock.monotonic();
    this.isReadFresh = this.freshness.looked(this.last.read, this.parts.backlogBytes() > 0, nowMs);
    const asked = this.settings.ask(this.last.read, this.needsSettings());
    // What is known without the settings is told at once: there are none where nobody reads.
    if (asked) {
      // The answer may take a second on a busy machine: who reads meanwhile is looked at all the same.
      this.pace.looked(this.isSteady());
      await asked;
      if (!this.isOver) this.evaluate();
    } else {
      this.evaluate();
      this.pace.looked(this.isSteady());
    }
    return this.current;
  }

  async explain(): Promise<Explanation> {
    await this.refresh();
    const seen = this.observe();
    return explanation(seen, phaseOf(seen));
  }

  treatAsSecret(): void {
    this.step({ kind: "treat_as_secret", seen: this.observe() });
    this.evaluate();
    this.pace.stir();
  }

  notAPassword(): void {
    this.step({ kind: "not_a_password", seen: this.observe() });
    this.evaluate();
    this.pace.stir();
  }

  dispose(): void {
    this.end();
    this.owned.dispose();
  }

  private end(): void {
    this.isOver = true;
    this.pace.dispose();
    this.credential = noCredential;
  }

  private isSteady(): boolean {
    return this.current.phase === "waiting_input" || this.current.phase === "idle";
  }

  private look(): TerminalLook {
    return this.parts.look();
  }

  /** At a prompt that the shell announced nothing is asked: it costs a process each time. */
  private needsSettings(): "now" | "if_new" | "no" {
    if (this.credential.kind === "answered") return "now";
    const { foreground, read } = this.last;
    const shell = this.parts.shell();
    if (foreground?.isShell && isAnnouncing(shell)) return "no";
    return read.kind === "reading" || read.kind === "hidden" ? "if_new" : "no";
  }

  private step(input: CredentialInput): void {
    const { credential } = this;
    this.credential = nextCredential(credential, input, this.clock.monotonic());
    if (isAskedAnew(credential, this.credential)) this.prompts += 1;
  }

  private evaluate(): void {
    let seen = this.observe();
    const { credential, fishLine } = this;
    this.fishLine = nextFishLine(fishLine, seen);
    if (this.fishLine.isOther !== fishLine.isOther) seen = this.observe();
    if (!this.isOver) this.step({ kind: "looked", seen });
    if (this.credential !== credential) seen = this.observe();
    if (this.remembersShell(seen)) seen = this.observe();
    const before = this.current;
    this.current = this.derive(seen);
    if (!isSame(before, this.current)) this.changes.fire(this.current);
  }

  /** True: what it is at is seen otherwise now. */
  private remembersShell(seen: Observation): boolean {
    if (seen.shell !== "unknown" || !seen.foreground) return false;
    const { shellLine } = this;
    const isIdle = seen.foreground.isShell && phaseOf(seen).phase === "idle";
    this.shellLine = nextShellLine(shellLine, seen, isIdle);
    return this.shellLine !== shellLine;
  }

  private derive(seen: Observation): ActivityState {
    const { phase, confidence, because } = phaseOf(seen);
    const { credential } = this;
    const isHeld = credential.kind === "asked" || credential.kind === "answered";
    return {
      phase,
      confidence,
      atPrompt: phase === "idle",
      isContinued: phase === "idle" && seen.shellLine.isContinued,
      credential: isHeld ? credential.source : null,
      because,
    };
  }

  private observe(): Observation {
    const nowMs = this.clock.monotonic();
    const { credential, last, wroteMs } = this;
    let shown: CursorLineView | null = null;
    // Most rungs decide without it, and this is asked at each key and each look.
    const line = () => {
      shown ??= this.parts.line();
      return shown;
    };
    return {
      lifecycle: this.parts.lifecycle(),
      ageMs: nowMs - this.startedMs,
      shell: this.parts.shell(),
      foreground: last.foreground,
      read: last.read,
      isReadFresh: this.isReadFresh,
      settings: this.settings.current,
      areSettingsOfRead: this.settings.isFrom(last.read),
      quietMs: nowMs - this.printedMs,
      sinceWriteMs: wroteMs === null ? null : nowMs - wroteMs,
      isLineUnanswered: this.isLineUnanswered(last.read, nowMs),
      get cursorLine() {
        return line().text;
      },
      get isCursorAtEnd() {
        return line().isAtEnd;
      },
      title: this.parts.title(),
      isOtherLine: this.fishLine.isOther,
      shellLine: this.shellLine.group === last.foreground?.pgid ? this.shellLine : noShellLine,
      get altScreen() {
        return line().altScreen;
      },
      isLineUntouched: this.isLineUntouched,
      credential:
        credential.kind === "asked" || credential.kind === "answered"
          ? { source: credential.source, isAsked: credential.kind === "asked" }
          : null,
    };
  }

  private isLineUnanswered(read: TtyRead, nowMs: number): boolean {
    // That a command runs is an answer. At the next prompt a second line, typed at the same time, may still be unread.
    if (this.unansweredMs === null || !isAnnouncing(this.parts.shell())) return false;
    const isPassed = nowMs - this.unansweredMs >= answerMs && this.parts.backlogBytes() === 0;
    return !(isPassed && read.kind !== "not_reading");
  }
}

function isAskedAnew(before: CredentialState, now: CredentialState): boolean {
  if (now.kind !== "asked") return false;
  return before.kind !== "asked" || before.sinceMs !== now.sinceMs;
}

function isAnnouncing(shell: ShellView): boolean {
  return shell === "prompt" || shell === "input" || shell === "idle";
}

function isSame(a: ActivityState, b: ActivityState): boolean {
  return (
    a.phase === b.phase &&
    a.confidence === b.confidence &&
    a.atPrompt === b.atPrompt &&
    a.isContinued === b.isContinued &&
    a.credential === b.credential
  );
}
