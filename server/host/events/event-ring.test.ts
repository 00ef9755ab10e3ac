import { describe, expect, it } from "vitest";
import { formatEventId, lifeOf, parseEventId } from "./event-id.ts";
import { EventRing } from "./event-ring.ts";

const session = "a".repeat(26);
const ringOf = (events: number, bytes = 1_000_000) => new EventRing("000000001", { events, bytes });
const bells = (ring: EventRing, count: number) =>
  Array.from({ length: count }, () => ring.append({ type: "bell", session }, 0));

describe("EventRing", () => {
  it("[EV1] ids rise as strings, and each is where it says", () => {
    const ring = ringOf(1_000);
    const ids = bells(ring, 250).map(({ id }) => id);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(250);
    for (const id of ids) expect(ring.at(ring.sequenceOf(id) ?? -1)?.id).toBe(id);
  });

  it("[EV1] [LM] keeps the newest, however many came", () => {
    const ring = ringOf(10);
    bells(ring, 1_003);
    expect([ring.oldest, ring.last]).toEqual([994, 1_003]);
    expect(ring.at(993)).toBeUndefined();
    expect(ring.at(1_004)).toBeUndefined();
    expect([994, 1_003].map((at) => ring.at(at)?.sequence)).toEqual([994, 1_003]);
  });

  it("[LM] is bounded in bytes too, and always keeps the newest", () => {
    const ring = ringOf(10_000, 10_000);
    const title = "x".repeat(900);
    for (let i = 0; i < 500; i++) ring.append({ type: "title", session, title }, 0);
    expect(ring.last - ring.oldest + 1).toBeLessThanOrEqual(10);
    ring.append({ type: "title", session, title: "y".repeat(50_000) }, 0);
    expect(ring.oldest).toBe(ring.last);
    bells(ring, 5);
    expect(ring.at(ring.last)?.type).toBe("bell");
    expect(ring.last - ring.oldest).toBeLessThanOrEqual(5);
  });

  it("[EV1] tells ids of another life, of the future and of nobody from its own", () => {
    const ring = ringOf(10);
    bells(ring, 3);
    const other = formatEventId({ life: lifeOf(Date.UTC(2026, 0, 1)), sequence: 2 });
    for (const id of [other, ring.idOf(4), "", "x", `${ring.idOf(2)} `, "000000001-2"])
      expect(ring.sequenceOf(id)).toBeUndefined();
    expect(ring.sequenceOf(ring.idOf(0))).toBe(0);
    expect(parseEventId(other)).toEqual({ life: lifeOf(Date.UTC(2026, 0, 1)), sequence: 2 });
    expect(lifeOf(1) < lifeOf(Date.UTC(2300, 0, 1))).toBe(true);
  });
});
