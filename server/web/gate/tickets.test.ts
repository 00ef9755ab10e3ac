import { describe, expect, it } from "vitest";
import { newSessionId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { Tickets } from "./tickets.ts";

const grant = (id = "a".repeat(16)) => ({
  principal: { via: "token" as const, id },
  session: newSessionId(),
  readonly: false,
  origin: null,
});

describe("Tickets", () => {
  it("[T44] of two uses exactly one is granted, a thousand times", async () => {
    const tickets = new Tickets(new FakeClock());
    for (let round = 0; round < 1_000; round += 1) {
      const made = grant();
      const ticket = tickets.issue(made) ?? "";
      const uses = await Promise.all([0, 1].map(async () => tickets.redeem(ticket)));
      expect(uses.filter((use) => use !== null)).toEqual([made]);
    }
    expect(tickets.size).toBe(0);
  });

  it("[T44] a ticket is good for 30 s", () => {
    const clock = new FakeClock();
    const tickets = new Tickets(clock);
    const [first, second] = [tickets.issue(grant()), tickets.issue(grant())];
    clock.advance(limits.ticketMs - 1);
    expect(tickets.redeem(first ?? "")).not.toBeNull();
    clock.advance(1);
    expect(tickets.redeem(second ?? "")).toBeNull();
  });

  it("[LM] unused tickets are bounded per principal, and expire to make room", () => {
    const clock = new FakeClock();
    const tickets = new Tickets(clock);
    for (let at = 0; at < limits.ticketsPerPrincipal; at += 1)
      expect(tickets.issue(grant())).not.toBeNull();
    expect(tickets.issue(grant())).toBeNull();
    expect(tickets.issue(grant("b".repeat(16)))).not.toBeNull();
    clock.advance(limits.ticketMs);
    expect(tickets.issue(grant())).not.toBeNull();
    expect(tickets.size).toBe(1);
  });

  it("[LM] unused tickets are bounded in all, and one that is used makes room", () => {
    const tickets = new Tickets(new FakeClock());
    const id = (at: number) => String(at % 100).padStart(16, "b");
    const first = tickets.issue(grant(id(0)));
    for (let at = 1; at < limits.ticketsTotal; at += 1)
      if (tickets.issue(grant(id(at))) === null) expect.fail(`the ${at}th was refused`);
    expect(tickets.issue(grant())).toBeNull();
    expect(tickets.redeem(first ?? "")).not.toBeNull();
    expect(tickets.issue(grant())).not.toBeNull();
  });
});
