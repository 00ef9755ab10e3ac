// Whose size a session has (SZ1, SZ2; docs/architecture.md "Size"). A pure machine: facts in, the new state and the size to take out.
import { assertNever } from "#lib/base/assert.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";

export type SizeOwner =
  | { by: "nobody" }
  | { by: "api" }
  /** A person's viewer, by attachment id. */
  | { by: "viewer"; id: string };

export interface SizeState {
  readonly owner: SizeOwner;
  /** Attached people who may type, with their last proposal; readers and agents are never in here. */
  readonly people: ReadonlyMap<string, GridSize | null>;
}

export type SizeFact =
  | { kind: "joined"; id: string }
  | { kind: "left"; id: string }
  | { kind: "proposed"; id: string; size: GridSize }
  | { kind: "typed"; id: string }
  /** "Use my size." */
  | { kind: "took"; id: string; size: GridSize }
  /** By the API. */
  | { kind: "set"; size: GridSize };

export interface SizeDecision {
  readonly state: SizeState;
  /** The size to take now; null: it stays. */
  readonly take: GridSize | null;
}

export function decideSize(state: SizeState, fact: SizeFact): SizeDecision {
  switch (fact.kind) {
    case "joined":
      return stay({ ...state, people: new Map(state.people).set(fact.id, null) });
    case "left": {
      const people = new Map(state.people);
      people.delete(fact.id);
      return stay({ owner: owns(state, fact.id) ? { by: "nobody" } : state.owner, people });
    }
    case "proposed": {
      if (!state.people.has(fact.id)) return stay(state);
      const people = new Map(state.people).set(fact.id, fact.size);
      // The first viewer leads until another person types (SZ1); of several newcomers none does.
      const leads =
        owns(state, fact.id) || (state.owner.by === "nobody" && state.people.size === 1);
      return leads ? follow(fact.id, people, fact.size) : stay({ ...state, people });
    }
    case "typed": {
      // A viewer that never proposed (a narrow client) types at the size there is.
      const proposal = state.people.get(fact.id);
      if (!proposal || owns(state, fact.id)) return stay(state);
      return follow(fact.id, state.people, proposal);
    }
    case "took":
      if (!state.people.has(fact.id)) return stay(state);
      return follow(fact.id, new Map(state.people).set(fact.id, fact.size), fact.size);
    case "set":
      return { state: { ...state, owner: { by: "api" } }, take: fact.size };
    default:
      return assertNever(fact);
  }
}

/** The attachment that the session follows, for the wire. */
export function sizeOwnerId(owner: SizeOwner): string | null {
  return owner.by === "viewer" ? owner.id : null;
}

function owns(state: SizeState, id: string): boolean {
  return state.owner.by === "viewer" && state.owner.id === id;
}

function stay(state: SizeState): SizeDecision {
  return { state, take: null };
}

function follow(id: string, people: SizeState["people"], size: GridSize): SizeDecision {
  return { state: { owner: { by: "viewer", id }, people }, take: size };
}
