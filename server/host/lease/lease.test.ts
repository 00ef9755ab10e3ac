import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Actor } from "#lib/protocol/actor.ts";
import { type Access, type Politeness, politenessSchema } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type ActKind, decide } from "#server/host/session/decide.ts";
import {
  deadlineOf,
  decideLease,
  freshLease,
  type LeaseFact,
  type LeaseState,
  leaseOf,
} from "./lease.ts";

const ada = { id: "ada", name: "Ada" };
const bob = { id: "bob", name: "Bob" };
const idleMs = limits.leaseIdleMs.default;
const bot: Actor = { kind: "agent", id: "bot", name: "Bot", role: "agent" };

/** A machine that is driven by facts at times; answers are whether the fact was taken. */
function machine() {
  let state: LeaseState = freshLease;
  return {
    at(atMs: number, fact: LeaseFact): boolean {
      const decision = decideLease(state, fact, atMs);
      state = decision.state;
      return decision.isTaken;
    },
    get state() {
      return state;
    },
    wire: (atMs: number) => leaseOf(state, atMs, 1_000_000 + atMs, null),
    agentAt: (atMs: number, ifDraft?: "clear" | "keep") => code(state, atMs, "type", ifDraft),
  };
}

function code(before: LeaseState, atMs: number, act: ActKind, ifDraft?: "clear" | "keep") {
  const lease = decideLease(before, { kind: "passed" }, atMs).state;
  const facts = { isReader: false, access: "collaborate" as const, ended: null, nowMs: atMs };
  return decide(act, { actor: bot, lease, ifDraft, ...facts })?.code ?? "may";
}

const typed = (
  who = ada,
  idle: number | null = idleMs,
  politeness: Politeness = "polite",
): LeaseFact => ({ kind: "typed", who, idleMs: idle, politeness });
const take = (who = ada, politeness: Politeness = "polite"): LeaseFact => ({
  kind: "take_over",
  who,
  politeness,
});
const hold = (who = ada, politeness: Politeness = "polite"): LeaseFact => ({
  kind: "hold",
  who,
  politeness,
});

describe("the lease machine", () => {
  it("[LS1] [LS4] [LS5] a keystroke takes the keyboard from agents, and silence gives it back", () => {
    const lease = machine();
    expect(lease.wire(0)).toMatchObject({ holder: "agent", cause: null, epoch: 0, until: null });
    expect(lease.at(1_000, typed())).toBe(true);
    expect(lease.wire(2_000)).toMatchObject({
      holder: "human",
      cause: "typing",
      actor: "Ada",
      actor_id: "ada",
      remaining_ms: 3_000,
      until: new Date(1_005_000).toISOString(),
      epoch: 1,
    });
    lease.at(3_000, typed());
    expect(lease.agentAt(6_999)).toBe("LEASE_DENIED");
    expect(lease.agentAt(7_000)).toBe("may");
    expect(lease.wire(7_000)).toMatchObject({ holder: "agent", epoch: 2 });
  });

  it("[LS5] as long as the person said, or never", () => {
    const lease = machine();
    lease.at(0, typed(ada, 600_000));
    expect(deadlineOf(lease.state)).toBe(600_000);
    lease.at(1, typed(ada, null));
    expect(deadlineOf(lease.state)).toBeNull();
    expect(lease.agentAt(1e12)).toBe("LEASE_DENIED");
    lease.at(2, { kind: "hand_back" });
    expect(lease.agentAt(3)).toBe("may");
  });

  it("[LS6] take_over holds until hand_back; hold pins what typing took, and the epoch stays", () => {
    const lease = machine();
    lease.at(0, take());
    expect(lease.agentAt(1e9)).toBe("LEASE_DENIED");
    lease.at(1e9, { kind: "hand_back" });
    lease.at(1e9, typed());
    const { epoch } = lease.state;
    lease.at(1e9 + 1, hold());
    expect(lease.wire(2e9)).toMatchObject({ cause: "hold", until: null, epoch });
    // Typing under a hold is typing, and changes nothing.
    lease.at(2e9, typed());
    expect(lease.wire(3e9)).toMatchObject({ cause: "hold" });
  });

  it("[LS5] [LS8] [T65] 2 s after the last socket of its holder it is free, unless they are back", () => {
    for (const mine of [typed(ada, null), take()]) {
      const lease = machine();
      lease.at(0, mine);
      lease.at(100, { kind: "left", id: "bob" });
      lease.at(1_000, { kind: "left", id: "ada" });
      lease.at(2_500, { kind: "came", id: "ada" });
      expect(lease.agentAt(9_000)).toBe("LEASE_DENIED");
      lease.at(10_000, { kind: "left", id: "ada" });
      expect(lease.agentAt(10_000 + limits.leaseGoneMs - 1)).toBe("LEASE_DENIED");
      expect(lease.agentAt(10_000 + limits.leaseGoneMs)).toBe("may");
    }
  });

  it("[LS8] the exit frees it for good", () => {
    const lease = machine();
    lease.at(0, hold());
    lease.at(1, { kind: "exited" });
    lease.at(2, typed());
    lease.at(3, { kind: "credential", isAsked: true });
    expect(lease.wire(4)).toMatchObject({ holder: "agent", cause: null, epoch: 2 });
  });

  it("[LS9] another person's first key is swallowed, the second within 2 s takes over; later ones begin anew", () => {
    const lease = machine();
    lease.at(0, typed());
    expect(lease.at(100, typed(bob))).toBe(false);
    expect(lease.wire(101)).toMatchObject({ actor: "Ada" });
    expect(lease.at(100 + limits.leaseInsistMs + 1, typed(bob))).toBe(false);
    lease.at(2_500, typed());
    expect(lease.at(3_000, typed(bob))).toBe(true);
    expect(lease.wire(3_000)).toMatchObject({ actor: "Bob", cause: "typing", epoch: 2 });
    expect(lease.at(3_001, typed())).toBe(false);
  });

  it("[LM] [LS9] of more people who knock at once than are remembered the first has to knock again", () => {
    const knock = (others: number) => {
      const lease = machine();
      lease.at(0, typed());
      lease.at(1, typed(bob));
      for (let n = 0; n < others; n++) lease.at(2, typed({ id: `guest ${n}`, name: "Guest" }));
      return lease.at(3, typed(bob));
    };
    expect(knock(limits.leaseKnocks - 1)).toBe(true);
    expect(knock(limits.leaseKnocks)).toBe(false);
  });

  it("[LS9] immediate: the first key takes it and is typed, from who types and from who holds", () => {
    for (const mine of [
      typed(ada, null, "immediate"),
      take(ada, "immediate"),
      hold(ada, "immediate"),
    ]) {
      const lease = machine();
      lease.at(0, mine);
      expect(lease.wire(1)).toMatchObject({ actor: "Ada", politeness: "immediate" });
      expect(lease.at(2, typed(bob))).toBe(true);
      expect(lease.wire(3)).toMatchObject({ actor: "Bob", cause: "typing", politeness: "polite" });
      // What Ada chose protects Ada. Bob is as polite as Bob said.
      expect(lease.at(4, typed(ada, null, "immediate"))).toBe(false);
    }
  });

  it("[LS9] [LS3] ask: no key takes it, however often; taking it over does, and so do keys when it is free", () => {
    for (const mine of [typed(ada, null, "ask"), take(ada, "ask"), hold(ada, "ask")]) {
      const lease = machine();
      lease.at(0, mine);
      for (let at = 1; at < 10; at += 1) expect(lease.at(at, typed(bob))).toBe(false);
      expect(lease.wire(10)).toMatchObject({ actor: "Ada", epoch: 1, politeness: "ask" });
      lease.at(11, take(bob));
      expect(lease.wire(12)).toMatchObject({ actor: "Bob", cause: "takeover", epoch: 2 });
      lease.at(13, mine);
      lease.at(14, { kind: "hand_back" });
      expect(lease.at(15, typed(bob))).toBe(true);
    }
  });

  it("[LS9] the holder's choice counts from when it is made, also behind a password; nobody else's does", () => {
    const lease = machine();
    const prefers = (id: string, politeness: Politeness): LeaseFact => ({
      kind: "prefers",
      id,
      politeness,
    });
    lease.at(0, hold());
    expect(lease.at(1, typed(bob))).toBe(false);
    lease.at(2, prefers("bob", "immediate"));
    lease.at(3, prefers("ada", "ask"));
    // The second of two keys, but Ada was faster.
    expect(lease.at(4, typed(bob))).toBe(false);
    lease.at(5, { kind: "credential", isAsked: true });
    expect(lease.wire(5)).toMatchObject({ cause: "credential", politeness: null });
    expect(lease.at(6, typed(bob))).toBe(true);
    lease.at(7, prefers("ada", "immediate"));
    lease.at(8, { kind: "credential", isAsked: false });
    expect(lease.wire(8)).toMatchObject({ actor: "Ada", cause: "hold", politeness: "immediate" });
    expect(lease.at(9, typed(bob))).toBe(true);
    lease.at(10, { kind: "hand_back" });
    lease.at(11, prefers("bob", "ask"));
    expect(lease.wire(12)).toMatchObject({ holder: "agent", politeness: null });
  });

  it("[CR2] while a password is asked for people hold the keyboard, and agents go on by themselves", () => {
    const lease = machine();
    lease.at(0, { kind: "credential", isAsked: true });
    expect(lease.wire(0)).toMatchObject({ holder: "human", cause: "credential", actor: null });
    expect(lease.agentAt(1e9)).toBe("HUMAN_REQUIRED");
    lease.at(1, { kind: "hand_back" });
    expect(lease.at(2, typed())).toBe(true);
    // A password of two people's keys is nobody's business here.
    expect(lease.at(3, typed(bob))).toBe(true);
    lease.at(4, { kind: "left", id: "bob" });
    expect(lease.agentAt(1e9)).toBe("HUMAN_REQUIRED");
    lease.at(1e9, { kind: "credential", isAsked: false });
    expect(lease.agentAt(1e9)).toBe("may");
  });

  it("[CR2] who held the keyboard before a password holds it after", () => {
    const lease = machine();
    lease.at(0, hold());
    lease.at(1, { kind: "credential", isAsked: true });
    lease.at(2, { kind: "credential", isAsked: false });
    expect(lease.wire(3)).toMatchObject({ cause: "hold", actor: "Ada" });
  });

  it("[DR1] [DR2] a draft stops the countdown for a minute, and then the agent has to say what becomes of it", () => {
    const lease = machine();
    lease.at(0, typed());
    lease.at(0, { kind: "draft", touchedMs: 0 });
    expect(lease.wire(5_000)).toMatchObject({
      holder: "human",
      until: null,
      remaining_ms: null,
      draft: { age_ms: 5_000 },
    });
    expect(lease.agentAt(5_000)).toBe("DRAFT_PENDING");
    expect(lease.agentAt(5_000, "keep")).toBe("DRAFT_PENDING");
    expect(lease.agentAt(limits.draftMs)).toBe("DRAFT_PENDING");
    expect(lease.wire(limits.draftMs)).toMatchObject({ holder: "agent" });
    expect(lease.agentAt(limits.draftMs, "keep")).toBe("may");
    lease.at(limits.draftMs, { kind: "draft", touchedMs: null });
    expect(lease.agentAt(limits.draftMs)).toBe("may");
  });
});

describe("laws of the lease", () => {
  const people = [ada, bob];
  const who = fc.constantFrom(...people);
  const politeness = fc.constantFrom(...politenessSchema.options);
  const fact: fc.Arbitrary<LeaseFact | { kind: "access"; access: Access }> = fc.oneof(
    fc.record({
      kind: fc.constant("typed" as const),
      who,
      idleMs: fc.constantFrom(null, 1_000, 4_000),
      politeness,
    }),
    fc.record({ kind: fc.constantFrom("take_over" as const, "hold" as const), who, politeness }),
    fc.record({
      kind: fc.constant("prefers" as const),
      id: fc.constantFrom("ada", "bob"),
      politeness,
    }),
    fc.constant({ kind: "hand_back" as const }),
    fc.record({
      kind: fc.constantFrom("left" as const, "came" as const),
      id: fc.constantFrom("ada", "bob"),
    }),
    fc.record({ kind: fc.constant("credential" as const), isAsked: fc.boolean() }),
    fc.record({
      kind: fc.constant("draft" as const),
      touchedMs: fc.constantFrom(null, 0),
    }),
    fc.constant({ kind: "passed" as const }),
    fc.record({
      kind: fc.constant("access" as const),
      access: fc.constantFrom<Access>("collaborate", "observe", "sealed"),
    }),
  );
  const story = fc.array(fc.tuple(fact, fc.integer({ min: 0, max: 3_000 })), { maxLength: 60 });
  const acts: ActKind[] = ["look", "type", "point", "drive", "end", "label", "ask"];

  it("[LS1] [LS3] [LS4] [AC1] [CR2] hold in every story", () => {
    fc.assert(
      fc.property(story, fc.boolean(), (steps, doesExit) => {
        let state: LeaseState = freshLease;
        let access: Access = "collaborate";
        let atMs = 0;
        let swallowed: { id: string; atMs: number } | null = null;
        const all = doesExit ? [...steps, [{ kind: "exited" }, 0] as const] : steps;
        for (const [step, afterMs] of all) {
          atMs += afterMs;
          const before = decideLease(state, { kind: "passed" }, atMs).state;
          if (step.kind === "access") access = step.access;
          else {
            const fact =
              step.kind === "draft" && step.touchedMs !== null
                ? { ...step, touchedMs: atMs }
                : step;
            const { state: after, isTaken } = decideLease(state, fact as LeaseFact, atMs);
            // A key is swallowed only against another person's hands, and then as that person said: each one, one of two, or none.
            if (!isTaken && fact.kind === "typed") {
              const { hands } = before;
              if (hands.by !== "human" || hands.cause === "credential")
                throw new Error("swallowed, though nobody's hands were on the keyboard");
              expect(hands.who.id).not.toBe(fact.who.id);
              expect(hands.politeness).not.toBe("immediate");
              const isAgain = hands.politeness === "polite" && swallowed?.id === fact.who.id;
              expect(isAgain && atMs - (swallowed?.atMs ?? 0) <= limits.leaseInsistMs).toBe(false);
            }
            const wasPolite = isPolite(before);
            swallowed =
              !isTaken && fact.kind === "typed" && wasPolite ? { id: fact.who.id, atMs } : null;
            // Taking it over by name always works (LS3).
            if ((fact.kind === "take_over" || fact.kind === "hold") && !after.isOver) {
              const { hands } = after;
              const holding =
                hands.by === "human" && hands.cause === "credential" ? hands.behind : hands;
              expect(holding).toMatchObject({ by: "human", who: fact.who });
            }
            if (isTaken && fact.kind === "typed" && !after.isOver)
              expect(after.hands).toMatchObject({ by: "human", who: fact.who });
            state = after;
          }
          // The epoch never falls, and rises exactly when the holder is another.
          const nowHolder = holder(state);
          if (step.kind !== "access") {
            expect(state.epoch >= before.epoch).toBe(true);
            expect(state.epoch > before.epoch).toBe(holder(before) !== nowHolder);
          }
          for (const act of acts) {
            const facts = {
              isReader: false,
              ended: state.isOver ? "over" : null,
              access,
              lease: state,
              nowMs: atMs,
            };
            for (const ifDraft of [undefined, "clear", "keep"] as const) {
              const verdict = decide(act, { ...facts, actor: bot, ifDraft });
              // After sealing nothing is answered; to a looker nothing but looks.
              if (access === "sealed") expect(verdict?.code).toBe("SEALED");
              if (access === "observe" && !["look", "ask"].includes(act))
                expect(verdict?.code).toBe("READ_ONLY");
              // An agent never writes while a person holds.
              if (["type", "point", "drive"].includes(act) && state.hands.by === "human")
                expect(verdict).not.toBeNull();
            }
            // A person is never refused on a session that runs, in any access level.
            const person: Actor = { kind: "human", id: "ada", name: "Ada", role: "owner" };
            if (!state.isOver) expect(decide(act, { ...facts, actor: person })).toBeNull();
          }
        }
        // Nobody is locked out (LS8): without people and passwords the keyboard is the agents' in the end.
        state = decideLease(state, { kind: "credential", isAsked: false }, atMs).state;
        for (const { id } of people) state = decideLease(state, { kind: "left", id }, atMs).state;
        expect(
          decideLease(state, { kind: "passed" }, atMs + limits.leaseGoneMs).state.hands.by,
        ).toBe("agent");
      }),
      { numRuns: 1_000 },
    );
  });

  function isPolite({ hands }: LeaseState): boolean {
    return hands.by === "human" && hands.cause !== "credential" && hands.politeness === "polite";
  }

  function holder({ hands }: LeaseState): string {
    return hands.by === "agent" ? "agents" : `person ${hands.who?.id ?? ""}`;
  }
});
