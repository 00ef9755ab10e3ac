// The terminal's settings as far as the activity needs them: asked once per wait that was seen, because each question starts a process.
import type { Clock } from "#lib/base/clock.ts";
import type { TtySettings } from "#server/host/pty/tty-settings.ts";
import { isShellName } from "./observation.ts";
import type { TtyRead } from "./tty-read.ts";

/** Between two questions about a program that polls (a line editor waits anew after each key, and its mode stays), and after one without an answer. */
const gapMs = 200;

export class SettingsWatch {
  current: TtySettings = { kind: "unknown", reason: "not asked yet" };
  private wait: string | null = null;
  private poller: string | null = null;
  private askedMs = Number.NEGATIVE_INFINITY;
  private pending: Promise<void> | null = null;

  constructor(
    private readonly read: () => Promise<TtySettings>,
    private readonly clock: Clock,
  ) {}

  /** What is known was asked during the wait that is seen now. */
  isFrom(read: TtyRead): boolean {
    return (read.kind === "reading" || read.kind === "hidden") && read.wait === this.wait;
  }

  /** Whole lines are read, by the wait that is seen now. */
  isCanonicalFor(read: TtyRead): boolean {
    return (
      read.kind === "reading" &&
      this.isFrom(read) &&
      this.current.kind === "known" &&
      this.current.canonical
    );
  }

  /** Null: nothing to wait for. */
  ask(read: TtyRead, need: "now" | "if_new" | "no"): Promise<void> | null {
    if (need === "no") return null;
    const isReader = read.kind === "reading" || read.kind === "hidden";
    const wait = isReader ? read.wait : null;
    const isAnswered = wait === this.wait && this.current.kind === "known";
    if (this.pending || (need === "if_new" && isAnswered)) return this.pending;
    const nowMs = this.clock.monotonic();
    const isTooSoon = nowMs - this.askedMs < gapMs;
    // No answer in time is none: a password prompt would never be known as one.
    if (need === "if_new" && wait === this.wait && isTooSoon) return null;
    const poller =
      read.kind === "reading" && read.call !== "read" ? `${read.pid} ${read.call}` : null;
    const isSame = poller !== null && poller === this.poller;
    if (isSame && isTooSoon && !this.mayHaveRun(read)) return null;
    this.askedMs = nowMs;
    this.pending = this.read().then((settings) => {
      this.pending = null;
      this.current = settings;
      this.wait = wait;
      this.poller = poller;
    });
    return this.pending;
  }

  /** A shell has another mode while a command runs: what was told of that says nothing about the prompt behind it. */
  private mayHaveRun(read: TtyRead): boolean {
    const { current } = this;
    const isOfCommand = current.kind === "known" && current.canonical;
    return isOfCommand && read.kind === "reading" && isShellName(read.program);
  }
}
