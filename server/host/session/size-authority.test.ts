import { describe, expect, it } from "vitest";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { decideSize, type SizeFact, type SizeOwner, sizeOwnerId } from "./size-authority.ts";

const size = (cols: number): GridSize => ({ cols, rows: 24 });
const joined = (id: string): SizeFact => ({ kind: "joined", id });
const left = (id: string): SizeFact => ({ kind: "left", id });
const proposed = (id: string, cols: number): SizeFact => ({
  kind: "proposed",
  id,
  size: size(cols),
});
const typed = (id: string): SizeFact => ({ kind: "typed", id });
const took = (id: string, cols: number): SizeFact => ({ kind: "took", id, size: size(cols) });
const set = (cols: number): SizeFact => ({ kind: "set", size: size(cols) });

/** Sizes taken, in order, and the owner at the end. */
function run(facts: readonly SizeFact[], owner: SizeOwner = { by: "nobody" }) {
  let state = {
    owner,
    people: new Map<string, GridSize | null>() as ReadonlyMap<string, GridSize | null>,
  };
  const taken: number[] = [];
  for (const fact of facts) {
    const decision = decideSize(state, fact);
    state = decision.state;
    if (decision.take) taken.push(decision.take.cols);
  }
  return { taken, owner: state.owner.by === "api" ? "api" : sizeOwnerId(state.owner) };
}

describe("size authority", () => {
  const table: [string, SizeFact[], { taken: number[]; owner: string | null }, SizeOwner?][] = [
    [
      "[SZ1] the only person's proposal is taken, and they lead",
      [joined("a"), proposed("a", 90), proposed("a", 95)],
      { taken: [90, 95], owner: "a" },
    ],
    [
      "[SZ1] the first viewer leads on while a second only looks",
      [joined("a"), proposed("a", 90), joined("b"), proposed("b", 60), proposed("a", 91)],
      { taken: [90, 91], owner: "a" },
    ],
    [
      "[SZ1] typing leads, with the last proposal",
      [
        joined("a"),
        proposed("a", 90),
        joined("b"),
        proposed("b", 60),
        proposed("b", 61),
        typed("b"),
        proposed("a", 92),
      ],
      { taken: [90, 61], owner: "b" },
    ],
    [
      "[SZ1] typing on takes nothing anew",
      [joined("a"), proposed("a", 90), typed("a"), typed("a")],
      { taken: [90], owner: "a" },
    ],
    [
      "[SZ1] of several newcomers without an owner none leads until one types",
      [joined("a"), joined("b"), proposed("a", 90), proposed("b", 60), typed("b")],
      { taken: [60], owner: "b" },
    ],
    [
      "[SZ1] use my size leads at once",
      [joined("a"), proposed("a", 90), joined("b"), took("b", 50)],
      { taken: [90, 50], owner: "b" },
    ],
    [
      "[SZ1] [B058] the size stays when its owner leaves",
      [joined("a"), proposed("a", 90), joined("b"), proposed("b", 60), left("a")],
      { taken: [90], owner: null },
    ],
    [
      "[SZ1] after the owner left, the one who stayed may lead",
      [joined("a"), proposed("a", 90), joined("b"), left("a"), proposed("b", 60)],
      { taken: [90, 60], owner: "b" },
    ],
    [
      "[SZ1] a viewer that left is not remembered",
      [joined("a"), proposed("a", 90), left("a"), proposed("a", 70), typed("a"), took("a", 71)],
      { taken: [90], owner: null },
    ],
    [
      "[SZ1] a viewer that never proposed types at the size there is",
      [joined("a"), typed("a")],
      { taken: [], owner: null },
    ],
    [
      "[SZ2] readers and agents never joined: what they propose or take is ignored",
      [proposed("r", 40), typed("r"), took("r", 41)],
      { taken: [], owner: null },
    ],
    [
      "[SZ2] a reader beside a person keeps nobody from leading",
      [proposed("r", 40), joined("a"), proposed("a", 90)],
      { taken: [90], owner: "a" },
    ],
    [
      "[SZ2] the API's size holds against proposals",
      [joined("a"), proposed("a", 90), set(120), proposed("a", 91)],
      { taken: [90, 120], owner: "api" },
    ],
    [
      "[SZ2] the API's size holds until a person types",
      [joined("a"), proposed("a", 90), set(120), typed("a")],
      { taken: [90, 120, 90], owner: "a" },
    ],
    [
      "[SZ2] [B058] a size given at create survives a viewer that comes and goes",
      [joined("a"), proposed("a", 40), left("a")],
      { taken: [], owner: "api" },
      { by: "api" },
    ],
    [
      "[SZ2] the API takes the size from a person who typed",
      [joined("a"), proposed("a", 90), typed("a"), set(100), set(101)],
      { taken: [90, 100, 101], owner: "api" },
    ],
  ];
  for (const [title, facts, expected, owner] of table) {
    it(title, () => expect(run(facts, owner)).toEqual(expected));
  }

  it("[B057] two viewers of different size, one reloading twice, change nothing", () => {
    const reload = (id: string, cols: number) => [left(id), joined(id), proposed(id, cols)];
    const facts = [joined("a"), proposed("a", 80), joined("b"), proposed("b", 120)];
    expect(run([...facts, ...reload("b", 120), ...reload("b", 120)]).taken).toEqual([80]);
    expect(run([...facts, ...reload("a", 80), ...reload("a", 80)]).taken).toEqual([80]);
  });
});
