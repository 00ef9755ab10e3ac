import { expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { Waiters } from "./waiters.ts";

it("[WT6] [T5B] each actor has its own places, a wait over many takes one for each, and all are given back", () => {
  const waiters = new Waiters();
  const many = waiters.enter("a", limits.waitsPerActor - 1);
  const one = waiters.enter("a");
  expect(() => waiters.enter("a")).toThrowError(/4096 waits pending/);
  waiters.enter("b").dispose();
  one.dispose();
  one.dispose();
  waiters.enter("a").dispose();
  many.dispose();
  expect([waiters.count("a"), waiters.count("b")]).toEqual([0, 0]);
});
