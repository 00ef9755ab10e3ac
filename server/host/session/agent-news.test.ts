import { describe, expect, it } from "vitest";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { AgentNews } from "./agent-news.ts";

function rig() {
  const clock = new FakeClock();
  const told: string[] = [];
  let changes = 0;
  const news = new AgentNews(
    clock,
    ({ did, name }) => told.push(`${name} ${did}`),
    () => {
      changes += 1;
    },
  );
  return { clock, told, news, changes: () => changes };
}

describe("what agents do", () => {
  it("a thousand writes are two changes for lists, and four frames a second for viewers", () => {
    const { clock, told, news, changes } = rig();
    expect(news.acting).toBeNull();
    for (let i = 0; i < 1_000; i++) {
      news.did("typed", "claude");
      clock.advance(1);
    }
    expect(news.acting).toEqual({ name: "claude", typing: true });
    expect(told.length).toBeLessThanOrEqual(5);
    clock.advance(2_999);
    expect(news.acting).toEqual({ name: "claude", typing: false });
    expect(changes()).toBe(2);
  });

  it("looking alone is no typing, and of two agents at once each is shown for a while", () => {
    const { clock, news, changes } = rig();
    news.did("looked", "one");
    expect(news.acting).toEqual({ name: "one", typing: false });
    for (let i = 0; i < 100; i++) {
      news.did("looked", "two");
      news.did("looked", "one");
      clock.advance(29);
    }
    expect(changes()).toBe(1);
    clock.advance(200);
    news.did("waits", "two");
    expect(news.acting).toEqual({ name: "two", typing: false });
    news.dispose();
    expect(clock.pending).toBe(0);
  });
});
