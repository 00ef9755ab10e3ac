// How often viewers are told of the keyboard while somebody types.
import { describe, expect, it } from "vitest";
import { agent, person, sessionRig } from "#server/testing/session-rig.ts";

describe("news of the keyboard", () => {
  it("[LS1] a person who types on is told as such twice a second, with the right time at the end; who takes it, at once", async () => {
    const rig = sessionRig();
    const { port, dump, view } = await rig.create();
    const sink = dump();
    const { attachment } = view();
    const leases = () => sink.messages("lease").map(({ lease }) => lease);
    attachment.typed(Buffer.from("k"));
    await rig.settle(0);
    expect(leases().map(({ actor }) => actor)).toEqual([person.name]);

    const before = leases().length;
    for (let n = 0; n < 40; n++) {
      await rig.settle(50);
      attachment.typed(Buffer.from("k"));
    }
    expect(leases().length - before).toBeLessThanOrEqual(6);
    expect(leases().length - before).toBeGreaterThanOrEqual(3);

    const until = port().lease().until;
    await rig.settle(600);
    expect(leases().at(-1)?.until).toBe(until);

    port().keyboard("hand_back");
    await rig.settle(0);
    expect(leases().at(-1)?.holder).toBe("agent");
    expect(port(agent).info().lease.holder).toBe("agent");
  });
});
