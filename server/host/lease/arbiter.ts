// The lease machine with its clock and its facts: who typed, whose sockets are there, what stands on the line. Decides nothing about
// acts (session/decide.ts does) and tells when something changed.
import type { Clock } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { Lease, Politeness } from "#lib/protocol/lease.ts";
import {
  deadlineOf,
  decideLease,
  freshLease,
  isHeldBy,
  type LeaseFact,
  type LeaseState,
  leaseOf,
  type Person,
} from "./lease.ts";
import { type Front, hasRows, type Sight, standsThere } from "./line-sight.ts";
import { UnsentLine } from "./unsent-line.ts";

/** What the shell and the screen say about the line that is being typed. Asked when it matters: a look at the screen costs. */
export interface LineFacts {
  /** There is a line on which typed text may stand: no full-screen program. */
  isThere(): boolean;
  /** At a prompt that the shell announced: text stands behind it. null: no such prompt. */
  hasText(): boolean | null;
  /** How many rows of text there are behind such a prompt, not counting those that the width made. null: no such prompt. */
  rows(): number | null;
  sight(): Sight;
  front(): Front;
}

/** How others may take the keyboard from a person (LS9): as they said where they act, null: nothing; otherwise as the server is set. */
export interface Manners {
  readonly said: Politeness | null;
  readonly otherwise: Politeness;
}

export interface ArbiterParts {
  readonly line: LineFacts;
}

/** An echo needs a moment to be on the screen; then the line is looked at again. */
const lookMs = 60;
/** Until then a screen that shows nothing of what was typed may be one that does not show it yet. */
const echoMs = 1_000;

export class Arbiter implements Disposable {
  private state: LeaseState = freshLease;
  private readonly unsent = new UnsentLine();
  /** Open sockets by person. */
  private readonly sockets = new Map<string, number>();
  private readonly owned = new DisposableStore();
  private readonly changes = this.owned.add(new Emitter<void>());
  private readonly takings = this.owned.add(new Emitter<Person | null>());
  private wake: Disposable | null = null;
  private look: Disposable | null = null;
  private told: string;
  /** The last print named an agent that left text on the line. */
  private isLeftTold = false;

  /** Anything that the wire shows of the lease but the passing of time. */
  readonly onChange: Event<void> = this.changes.event;
  /** A person took the keyboard from the agents, or a password prompt did (null): what agents have queued is void. */
  readonly onTaken: Event<Person | null> = this.takings.event;

  constructor(
    private readonly parts: ArbiterParts,
    private readonly clock: Clock,
  ) {
    this.told = this.print();
  }

  get epoch(): number {
    return this.current().epoch;
  }

  /** The state now: whatever has run out by now has. */
  current(): LeaseState {
    this.apply({ kind: "passed" });
    return this.state;
  }

  lease(): Lease {
    const state = this.current();
    return leaseOf(state, this.clock.monotonic(), this.clock.now(), this.leftBy());
  }

  /** A password is asked for. */
  get isCredential(): boolean {
    const { hands } = this.current();
    return hands.by === "human" && hands.cause === "credential";
  }

  holds(id: string): boolean {
    return isHeldBy(this.current(), id);
  }

  /** A person's keystroke is about to be typed. False: it was swallowed, because another person holds the keyboard (LS9). */
  typing(who: Person, idleMs: number | null, manners: Manners): boolean {
    return this.apply({ kind: "typed", who, idleMs, politeness: this.politenessOf(who, manners) });
  }

  takeOver(who: Person, manners: Manners): void {
    this.apply({ kind: "take_over", who, politeness: this.politenessOf(who, manners) });
  }

  hold(who: Person, manners: Manners): void {
    this.apply({ kind: "hold", who, politeness: this.politenessOf(who, manners) });
  }

  /** Counts at once where this person has the keyboard. */
  prefers(id: string, politeness: Politeness): void {
    this.apply({ kind: "prefers", id, politeness });
  }

  handBack(): void {
    this.apply({ kind: "hand_back" });
  }

  /** A password is asked for, or no more (CR2). */
  credential(isAsked: boolean): void {
    this.apply({ kind: "credential", isAsked });
  }

  exited(): void {
    this.unsent.forget();
    this.apply({ kind: "exited" });
  }

  joined(id: string): void {
    this.sockets.set(id, (this.sockets.get(id) ?? 0) + 1);
    this.apply({ kind: "came", id });
  }

  left(id: string): void {
    const count = (this.sockets.get(id) ?? 1) - 1;
    if (count > 0) this.sockets.set(id, count);
    else {
      this.sockets.delete(id);
      this.apply({ kind: "left", id });
    }
  }

  /** Told before the program can have answered: the screen shows what was there before these keys. */
  personTyped(bytes: Uint8Array): void {
    this.begin();
    this.unsent.personTyped(bytes, this.clock.monotonic());
    this.lineChanged();
  }

  /** As `personTyped`. */
  agentTyped(name: string, bytes: Uint8Array): void {
    this.begin();
    this.unsent.agentTyped(name, bytes, this.clock.monotonic());
    this.lineChanged();
  }

  /** The shell began a command: the line was sent. */
  lineSent(): void {
    this.unsent.sent();
    this.lineChanged();
  }

  /** The unsent line has more rows than the one that can be cut. */
  get hasSeveralRows(): boolean {
    const { line } = this.parts;
    if (!line.isThere()) return false;
    const rows = line.rows();
    if (rows === null) return hasRows(this.unsent, line.sight(), line.front());
    // The last row may be empty yet.
    return rows > 1 || (rows === 1 && this.unsent.enters + this.unsent.breaks > 0);
  }

  /** Something was printed: it may be the echo that shows what stands on the line. */
  printed(): void {
    if (this.unsent.touchedMs !== null || this.unsent.leftBy !== null) this.lookSoon();
  }

  dispose(): void {
    this.wake?.dispose();
    this.look?.dispose();
    this.owned.dispose();
  }

  /** Who says nothing, as the API's callers, keeps what they said elsewhere. */
  private politenessOf(who: Person, { said, otherwise }: Manners): Politeness {
    if (said !== null) return said;
    const { hands } = this.current();
    const own = hands.by === "human" && hands.cause === "credential" ? hands.behind : hands;
    return own.by === "human" && own.who.id === who.id ? own.politeness : otherwise;
  }

  private lineChanged(): void {
    this.apply({ kind: "passed" });
    this.lookSoon();
  }

  private lookSoon(): void {
    if (this.owned.isDisposed) return;
    this.look ??= this.clock.after(this.isEchoDue() ? echoMs : lookMs, () => {
      this.look = null;
      this.apply({ kind: "passed" });
      if (this.isEchoDue()) this.lookSoon();
    });
  }

  /** The keys decide without a look: the screen may not show them yet. */
  private isEchoDue(): boolean {
    const { isOpen, typedMs } = this.unsent;
    return isOpen && this.clock.monotonic() - typedMs < echoMs;
  }

  /** A key comes: is it the first one of another line? One that comes close behind an Enter may be read by the same command. */
  private begin(): void {
    const { unsent } = this;
    const { line } = this.parts;
    if (unsent.isOpen || !line.isThere() || this.stands()) return;
    if (this.clock.monotonic() - unsent.typedMs < echoMs) unsent.disown();
    else unsent.begin(line.hasText() === null ? line.sight() : null);
  }

  /** Something that was typed stands unsent on the line. */
  private stands(): boolean {
    const { line } = this.parts;
    if (!line.isThere()) return false;
    if (this.isEchoDue()) return true;
    const hasText = line.hasText();
    if (hasText === null) return standsThere(this.unsent, line.sight(), line.front());
    if (hasText) return true;
    // A search that is open in the rows below takes what is typed, whatever the line shows; C-u leaves the rows that it is not in.
    const { isOpen, lastEnd } = this.unsent;
    return (isOpen || lastEnd === "cut") && line.sight().hasBelow;
  }

  private apply(fact: LeaseFact): boolean {
    const atMs = this.clock.monotonic();
    const before = this.state;
    // What stands on the line decides whether time has run out: it is looked at first.
    const drafted = decideLease(before, { kind: "draft", touchedMs: this.draftMs() }, atMs).state;
    const { state, isTaken } = decideLease(drafted, fact, atMs);
    this.state = state;
    // Asked a dozen times for each key and each line of output, and mostly nothing is new.
    const mayBeLeft = state.hands.by === "human" && this.unsent.leftBy !== null;
    const isSame = state === before && !mayBeLeft && !this.isLeftTold;
    if (isSame && (this.wake || deadlineOf(state) === null)) return isTaken;
    this.rearm(atMs);
    const print = this.print();
    if (print === this.told) return isTaken;
    this.told = print;
    if (before.hands.by === "agent" && state.hands.by === "human")
      this.takings.fire(state.hands.who);
    this.changes.fire();
    return isTaken;
  }

  private draftMs(): number | null {
    const { touchedMs } = this.unsent;
    return touchedMs !== null && this.stands() ? touchedMs : null;
  }

  private leftBy(): string | null {
    const { leftBy } = this.unsent;
    return leftBy !== null && this.stands() ? leftBy : null;
  }

  private rearm(atMs: number): void {
    this.wake?.dispose();
    this.wake = null;
    const deadline = deadlineOf(this.state);
    if (deadline === null || this.owned.isDisposed) return;
    this.wake = this.clock.after(Math.max(0, deadline - atMs), () => {
      this.wake = null;
      this.apply({ kind: "passed" });
    });
  }

  /** What a change is: everything but how long it still lasts. */
  private print(): string {
    const { hands, epoch, draft, isOver } = this.state;
    this.isLeftTold = false;
    // Who types a password is told, and nothing of how it is typed (CR3).
    if (hands.by === "human" && hands.cause === "credential")
      return JSON.stringify([hands.cause, hands.who, epoch, isOver]);
    const leftBy = hands.by === "human" ? this.leftBy() : null;
    this.isLeftTold = leftBy !== null;
    return JSON.stringify([hands, epoch, draft !== null, isOver, leftBy]);
  }
}
