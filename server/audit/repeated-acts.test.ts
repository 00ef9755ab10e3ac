import { describe, expect, it } from "vitest";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { RepeatedActs } from "./repeated-acts.ts";

const refused = (what: string): AuditAct => ({
  act: "look",
  actor: null,
  session: null,
  outcome: "FORBIDDEN",
  what,
  request: null,
});

function rig() {
  const told: AuditAct[] = [];
  const clock = new FakeClock();
  const repeated = new RepeatedActs({ record: (act) => told.push(act) }, clock);
  return { told, clock, repeated };
}

describe("refusals that repeat", () => {
  it("[AU1] [LM] are told at once and then counted for a minute", () => {
    const { told, clock, repeated } = rig();
    for (let n = 0; n < 5; n++) repeated.record(refused("the same"));
    expect(told).toEqual([refused("the same")]);
    clock.advance(limits.auditRepeatMs);
    expect(told).toEqual([refused("the same"), { ...refused("the same"), times: 4 }]);
    repeated.record(refused("the same"));
    expect(told).toHaveLength(3);
  });

  it("[AU1] [LM] of more kinds than are told apart all further ones are one kind", () => {
    const { told, clock, repeated } = rig();
    for (let n = 0; n < limits.auditRepeats + 100; n++) repeated.record(refused(`name ${n}`));
    // The first of the further ones is news of its own.
    expect(told).toHaveLength(limits.auditRepeats + 1);
    clock.advance(limits.auditRepeatMs);
    expect(told.at(-1)).toMatchObject({ what: `name ${limits.auditRepeats + 99}`, times: 99 });
    repeated.record(refused("later"));
    expect(told.at(-1)).toEqual(refused("later"));
  });
});
