// One actor's hand on one session's keyboard: judged, queued behind a fence, and told to everybody who lives on what was typed (LS7).
// Ports (HTTP, MCP) and attachments (sockets) type through it, so that no door can leave a check out.
import { assertNever } from "#lib/base/assert.ts";
import { concatBytes } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { Lease, LeaseAction, Politeness } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import { clearLine } from "#server/host/input/clear-line.ts";
import { owedAfter } from "#server/host/input/cut-unit.ts";
import type { Manners } from "#server/host/lease/arbiter.ts";
import type { Fence, Pause } from "#server/host/pty/pty.ts";
import { codeOf, type TriedTyping } from "./audit-trail.ts";
import { termError } from "./decide.ts";
import { textBehindCursor } from "./line-facts.ts";
import type { Permission } from "./permission.ts";
import type { Session } from "./session.ts";
import type { Written } from "./written.ts";

export interface Typing {
  readonly cause: Written["cause"];
  readonly unit: Uint8Array;
  readonly pauses?: readonly Pause[];
  /** Of each item, where it ends in the unit. */
  readonly ends?: readonly number[];
  readonly ifDraft?: "clear" | "keep" | undefined;
  readonly note?: string | undefined;
  readonly request?: string | undefined;
  /** Of a person: silence after which the keyboard goes back; left out: as the server is set. */
  readonly idleMs?: number | null;
}

/** Of a line of several rows C-u takes one. The shell needs a moment before it reads again. */
const droppedLine = { bytes: Uint8Array.of(0x03), pauses: [{ at: 1, ms: 150 }] };

export class Hand {
  /** How others may take the keyboard from this person (LS9); null: nothing was said here. */
  politeness: Politeness | null = null;
  private readonly actor: Actor;

  constructor(
    private readonly session: Session,
    private readonly permission: Permission,
    private readonly clock: Clock,
  ) {
    this.actor = permission.actor;
  }

  /**
   * Queued before it returns. Throws at once what decide.ts refuses, HUMAN_BUSY for a person's first key against another's, and
   * INPUT_BACKLOG; the promise, which is an agent's to wait for, refuses what was dropped on its way, with what had been typed of it.
   */
  type(typing: Typing): Promise<void> {
    try {
      if (this.actor.kind === "agent") return this.typeAsAgent(typing);
      this.typeAsPerson(typing);
      return Promise.resolve();
    } catch (error) {
      this.refused(typing, codeOf(error));
      throw error;
    }
  }

  /** For the records alone: it was not typed. */
  refused(typing: Typing, code: string): void {
    this.session.traces.trail.typed(this.tried(typing, typing.unit), code);
  }

  /** The same for what may be a password, asked for or not. */
  refusedSecret(typing: Typing, code: string): void {
    this.session.traces.trail.typed({ ...this.tried(typing, typing.unit), isSecret: true }, code);
  }

  private typeAsPerson(typing: Typing): void {
    const { session, actor } = this;
    const { cause, unit, pauses } = typing;
    this.demand(typing);
    if (cause === "keys" || cause === "input") {
      const { idleMs = session.idleMs } = typing;
      if (!session.arbiter.typing(personOf(actor), idleMs, this.manners))
        throw busy(session.arbiter.lease());
    }
    if (!session.keyboard.write(unit, pauses)) throw backlog(unit);
    this.tell(typing, unit, session.arbiter.epoch);
  }

  private typeAsAgent(typing: Typing): Promise<void> {
    const { session, actor } = this;
    this.demand(typing);
    const { cause } = typing;
    const { epoch } = session.arbiter;
    const isDrafted = session.arbiter.current().draft !== null;
    const isCleared = cause === "input" && typing.ifDraft === "clear" && isDrafted;
    const clearing = isCleared ? this.lineClearing() : null;
    const unit = clearing ? concatBytes([clearing.bytes, typing.unit]) : typing.unit;
    const shift = unit.length - typing.unit.length;
    const pauses = [
      ...(clearing?.pauses ?? []),
      ...(typing.pauses ?? []).map(({ at, ms }) => ({ at: at + shift, ms })),
    ];
    /** Where it was dropped: `unit.length` when all of it was typed; null: it waits. */
    let end: number | null = null;
    let settle: () => void = () => {};
    const over = (at: number) => {
      end = at;
      settle();
    };
    const owed = (at: number) =>
      owedAfter(unit, at, {
        isSecret: session.isSecret,
        takesPastes: session.screen.modes.bracketed_paste,
      });
    const fence: Fence = {
      mayWrite: () => session.arbiter.epoch === epoch && session.access === "collaborate",
      owed,
      // What becomes of the rest is told by the lease: nobody waits for the gaps in what they sent.
      paused: () => over(unit.length),
      ended: () => over(unit.length),
      began: (told) => {
        // Only what reaches the program was typed.
        if (told === "written") {
          this.tell(typing, unit, epoch);
          const { note } = typing;
          session.agentNews.did("typed", actor.name, note && session.words.hide(note));
        } else {
          this.refused(typing, told === "stale" ? this.lost(typing, 0).code : "DISCARDED");
          over(told === "stale" ? 0 : unit.length);
        }
      },
      // The Enter behind the text, say: then the text stands there.
      cut: (at) => {
        const isStale = !fence.mayWrite();
        const typed = concatBytes([unit.subarray(0, at), owed(at)]);
        if (cause !== "mouse") session.arbiter.agentTyped(actor.name, typed);
        const rest = unit.subarray(at);
        this.refused({ ...typing, unit: rest }, isStale ? this.lost(typing, at).code : "DISCARDED");
        over(isStale ? at : unit.length);
      },
    };
    if (!session.keyboard.write(unit, pauses, fence)) throw backlog(unit);
    return new Promise((resolve, reject) => {
      const answer = (at: number) =>
        at === unit.length ? resolve() : reject(this.lost(typing, Math.max(0, at - shift)));
      if (end !== null) return answer(end);
      const patience = this.clock.after(limits.inputAnswerMs, resolve);
      settle = () => {
        patience.dispose();
        answer(end ?? 0);
      };
    });
  }

  /** What a person does with the keyboard besides typing. */
  act(action: LeaseAction["action"]): void {
    const { session, actor } = this;
    const { arbiter } = session;
    const who = personOf(actor);
    switch (action) {
      case "take_over":
        arbiter.takeOver(who, this.manners);
        break;
      case "hold":
        arbiter.hold(who, this.manners);
        break;
      case "hand_back":
        arbiter.handBack();
        break;
      case "clear_line":
        this.typeAsPerson({ cause: "keys", unit: this.lineClearing().bytes });
        break;
      case "dismiss":
        session.needs.clear();
        break;
      case "ask":
        session.fanout.notice({ type: "asked", id: actor.id, name: actor.name });
        break;
      case "treat_as_secret":
      case "not_a_password":
        session.correctCredential(action);
        break;
      default:
        assertNever(action);
    }
  }

  private lineClearing(): { bytes: Uint8Array; pauses: readonly Pause[] } {
    const { arbiter, screen } = this.session;
    if (arbiter.hasSeveralRows) return droppedLine;
    const { app_cursor_keys: appCursorKeys, app_keypad: appKeypad } = screen.modes;
    const behind = textBehindCursor(screen);
    return { bytes: clearLine(behind, { appCursorKeys, appKeypad }), pauses: [] };
  }

  private get manners(): Manners {
    return { said: this.politeness, otherwise: this.session.politeness };
  }

  private demand({ cause, ifDraft }: Typing): void {
    this.permission.demand(cause === "mouse" || cause === "report" ? "point" : "type", ifDraft);
  }

  /** The refusal that holds now; or the keyboard came back already, and the agent must look first. */
  private lost({ cause, unit, ends = [] }: Typing, at: number): TermError {
    const { session } = this;
    const thing = cause === "mouse" ? "event" : "input";
    const delivered = { items: ends.filter((end) => end <= at).length, bytes: at };
    const how =
      at === 0
        ? `nothing of this ${thing} was typed`
        : `${at} of the ${unit.length} bytes of this ${thing} had been typed, and the rest was dropped`;
    if (session.access !== "collaborate" || session.isSecret) {
      const refusal = this.permission.refusal("type");
      const detail = `${refusal?.detail}; ${how}`;
      const members = { ...refusal?.members, delivered };
      if (refusal) return termError({ ...refusal, detail, members });
    }
    return new TermError(
      "LEASE_LOST",
      `a person took the keyboard before all of this ${thing} reached the program; ${how}`,
      { members: { epoch: session.arbiter.epoch, delivered } },
    );
  }

  private tell(typing: Typing, bytes: Uint8Array, epoch: number): void {
    this.session.wrote.fire({ ...this.tried(typing, bytes), epoch });
  }

  private tried({ cause, note, request }: Typing, bytes: Uint8Array): TriedTyping {
    const { actor, session } = this;
    return { actor, cause, bytes, note, request: request ?? null, isSecret: session.isSecret };
  }
}

export function personOf({ id, name }: Actor): { id: string; name: string } {
  return { id, name };
}

function busy({ actor, cause, politeness }: Lease): TermError {
  const has = cause === "typing" ? `${actor} is typing` : `${actor} holds the keyboard`;
  return new TermError(
    "HUMAN_BUSY",
    politeness === "ask"
      ? `${has} and wants to be asked: send the action ask, or take_over to take it all the same`
      : `${has}; press again to take the keyboard`,
  );
}

export function backlog(unit: Uint8Array): TermError {
  return new TermError(
    "INPUT_BACKLOG",
    `${unit.length} bytes do not fit behind what the program has not read yet (${limits.inputBacklogBytes} bytes are kept)`,
    { retryAfterMs: 1_000 },
  );
}
