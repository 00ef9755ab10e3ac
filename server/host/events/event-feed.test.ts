import { afterEach, describe, expect, it } from "vitest";
import { SseParser } from "#lib/client/sse-parser.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { newsOfField, type StreamEvent, streamEventSchema } from "#lib/protocol/events.ts";
import { limits } from "#lib/protocol/limits.ts";
import { sessionInfoSchema } from "#lib/protocol/session.ts";
import { agent, person, sessionRig } from "#server/testing/session-rig.ts";
import { EventFeed } from "./event-feed.ts";
import type { EventWish } from "./event-reader.ts";

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const owned: { dispose(): void }[] = [];
afterEach(() => {
  for (const item of owned.splice(0)) item.dispose();
});

function rig(bounds?: { events: number; bytes: number }) {
  const sessions = sessionRig();
  const feed = new EventFeed(
    (listener) => sessions.registry.subscribe(listener),
    sessions.clock,
    bounds,
  );
  owned.push(feed);

  /** A client of the stream; `isStuck`: it takes nothing after the first bytes. */
  function open(actor: Actor = person, wish: EventWish = {}, isStuck = false) {
    const reader = feed.stream(feed.open(actor, wish)).getReader();
    const parser = new SseParser();
    const events: StreamEvent[] = [];
    const client = {
      events,
      reader,
      parser,
      bytes: 0,
      isOver: false,
      types: () => events.map(({ type }) => type),
    };
    const pull = async () => {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        client.bytes += value.length;
        for (const { data, id, type } of parser.push(value)) {
          const event = streamEventSchema.parse(JSON.parse(data));
          expect([event.id, event.type]).toEqual([id, type]);
          events.push(event);
        }
      }
      client.isOver = true;
    };
    if (!isStuck) void pull();
    return client;
  }
  return { ...sessions, feed, open };
}

describe("EventFeed", () => {
  it("[EV1] tells the life of a session from its making to its end, each fact once", async () => {
    const { create, open, settle } = rig();
    const all = open();
    const { id, pty, port, view } = await create({ name: "one" });
    pty.print("hello\x07\x1b]2;vim a.c\x07");
    await settle(2_000);
    port().change({ name: "two", tags: ["ci"] });
    port().resize({ cols: 100, rows: 30 });
    const { attachment } = view();
    await settle(2_000);
    attachment.dispose();
    await settle(2_000);
    pty.exit({ exit_code: 3 });
    await settle(2_000);
    await port().close("HUP");
    await settle(2_000);
    expect(all.types().filter((type) => type !== "foreground")).toEqual([
      "session_created",
      "phase",
      "bell",
      "title",
      "renamed",
      "tagged",
      "resized",
      "viewers",
      "viewers",
      "phase",
      "exited",
      "closed",
    ]);
    const said = (type: string) => all.events.find((event) => event.type === type);
    expect(said("session_created")).toMatchObject({ session: id, info: { name: "one" } });
    expect(said("title")).toMatchObject({ title: "vim a.c" });
    expect(said("resized")).toMatchObject({ cols: 100, rows: 30 });
    expect(said("exited")).toMatchObject({ exit_code: 3, signal: null });
    const ids = all.events.map((event) => event.id);
    expect([...ids].sort()).toEqual(ids);
  });

  it("[EV1] [LM] a title or a bell without end costs an event a second, and the last title is told", async () => {
    const { create, open, settle } = rig();
    const { pty } = await create();
    const all = open(person, { types: new Set(["title", "bell"]) });
    for (let i = 1; i <= 100; i++) {
      pty.print(`\x1b]2;spin ${i}\x07\x07`);
      await settle(50);
    }
    await settle(3_000);
    const titles = all.events.filter(({ type }) => type === "title");
    expect(titles.length).toBeGreaterThan(3);
    expect(titles.length).toBeLessThan(9);
    expect(titles.at(-1)).toMatchObject({ title: "spin 100" });
    expect(all.events.length - titles.length).toBeLessThan(9);
  });

  it("[EV1] a client that comes back by id misses nothing and gets nothing twice", async () => {
    const { create, open, settle } = rig();
    const all = open();
    await turn();
    const start = all.parser.lastEventId;
    const { port } = await create();
    const got: string[] = [];
    let after = start;
    for (let round = 0; round < 100; round++) {
      port().change({ name: `name ${round}` });
      await settle(60);
      const part = open(person, { after });
      await turn();
      got.push(...part.events.map(({ id }) => id));
      after = part.parser.lastEventId;
      await part.reader.cancel();
    }
    await turn();
    expect(got.length).toBeGreaterThan(100);
    expect(got).toEqual(all.events.map(({ id }) => id));
  });

  it("[EV1] says once what is not kept any more, and goes on with what is", async () => {
    const { create, open, feed, settle, clock } = rig({ events: 5, bytes: 1_000_000 });
    const first = feed.position;
    const { port } = await create();
    for (let i = 0; i < 20; i++) {
      port().change({ name: `n${i}` });
      await settle(60);
    }
    const foreign = sessionRig();
    foreign.clock.advance(1);
    const otherLife = new EventFeed(
      (listener) => foreign.registry.subscribe(listener),
      foreign.clock,
    );
    owned.push(otherLife);
    for (const after of [first, otherLife.position, "garbage", `${feed.position.slice(0, -1)}~`]) {
      const late = open(person, { after });
      await turn();
      expect(late.events.map(({ type }) => type)).toEqual(["gap", ...Array(5).fill("renamed")]);
      const [gap, next] = late.events;
      expect(gap).toMatchObject({ from: after, to: gap?.id });
      expect((gap?.id ?? "") < (next?.id ?? "")).toBe(true);
      expect(late.events.at(-1)).toMatchObject({ name: "n19" });
      // The id of the gap is one to come back with.
      const again = open(person, { after: gap?.id });
      await turn();
      expect(again.types()).toEqual(Array(5).fill("renamed"));
    }
    expect(clock.now()).toBeGreaterThan(0);
  });

  it("[EV1] [T58] sends only what the actor may see and the client asked for", async () => {
    const { create, open, settle } = rig();
    const mine = await create();
    const other = await create();
    const limited = open({ ...agent, sessions: [mine.id] });
    const ofOne = open(person, { session: other.id });
    const renames = open(person, { types: new Set(["renamed"]) });
    const notMine = open({ ...agent, sessions: [mine.id] }, { session: other.id });
    for (const { port } of [mine, other]) port().change({ name: "new", tags: ["t"] });
    await settle();
    mine.pty.exit();
    other.pty.exit();
    await settle();
    expect(new Set(limited.events.map((event) => "session" in event && event.session))).toEqual(
      new Set([mine.id]),
    );
    expect(new Set(ofOne.events.map((event) => "session" in event && event.session))).toEqual(
      new Set([other.id]),
    );
    expect(limited.types()).toContain("exited");
    expect(renames.types()).toEqual(["renamed", "renamed"]);
    expect(notMine.events).toEqual([]);
  });

  it("[EV1] the stream of one session ends with it; until then its last events wait for who comes back", async () => {
    const { create, open, settle, feed } = rig();
    const { id, pty, port } = await create();
    const client = open(person, { session: id });
    const before = feed.position;
    pty.exit({ exit_code: 1 });
    await port().close("HUP");
    await settle();
    expect(client.types().slice(-2)).toEqual(["exited", "closed"]);
    expect(client.isOver).toBe(true);
    const late = open(person, { session: id, after: before });
    await settle();
    expect(late.types().slice(-2)).toEqual(["exited", "closed"]);
    expect([late.isOver, feed.readerCount]).toEqual([true, 0]);
  });

  it("[EV1] an idle stream costs a comment every 15 s, which moves its place past what is not for it", async () => {
    const { create, open, feed, clock } = rig();
    const { id } = await create();
    clock.advance(5_000);
    const before = clock.pending;
    const client = open(person, { session: "b".repeat(26) });
    await turn();
    const opening = client.bytes;
    expect(clock.pending).toBe(before + 1);
    for (let i = 0; i < 4; i++) {
      clock.advance(limits.eventCommentMs);
      await turn();
    }
    expect(client.events).toEqual([]);
    expect(client.bytes - opening).toBeLessThan(4 * 40);
    expect(client.parser.lastEventId).toBe(feed.position);
    await client.reader.cancel();
    expect(clock.pending).toBe(before);
    expect(id).toHaveLength(26);
  });

  it("[T131] a client that takes nothing costs one chunk, is cut after a minute, and holds nobody up", async () => {
    const { create, open, settle, feed, clock } = rig();
    const { port } = await create();
    const stuck = open(person, {}, true);
    const quick = open();
    for (let i = 0; i < 400; i++) {
      port().change({ name: `${i} ${"x".repeat(90)}` });
      clock.advance(51);
      await turn();
    }
    expect(quick.events.at(-1)).toMatchObject({ name: expect.stringMatching(/^399/) });
    await settle();
    expect(feed.readerCount).toBe(2);
    clock.advance(limits.stalledReplyMs);
    expect(feed.readerCount).toBe(1);
    let held = 0;
    for (;;) {
      const { done, value } = await stuck.reader.read();
      if (done) break;
      held += value.length;
    }
    expect(held).toBeLessThan(3 * limits.eventChunkChars);
  });

  it("[EV1] a client that the ring has overtaken is cut, and told of the gap when it comes back", async () => {
    const { create, open, feed, clock } = rig({ events: 20, bytes: 1_000_000 });
    const { port } = await create();
    const stuck = open(person, {}, true);
    for (let i = 0; i < 400; i++) {
      port().change({ name: `${i} ${"x".repeat(90)}` });
      clock.advance(51);
      await turn();
    }
    const parser = new SseParser();
    for (;;) {
      const { done, value } = await stuck.reader.read();
      if (done) break;
      parser.push(value);
    }
    expect(feed.readerCount).toBe(0);
    const back = open(person, { after: parser.lastEventId });
    await turn();
    expect(back.types()[0]).toBe("gap");
    expect(back.events).toHaveLength(21);
  });

  it("[LM] [SE4] streams of a credential are bounded and end with it", async () => {
    const { feed, open } = rig();
    const all = Array.from({ length: limits.streamsPerPrincipal }, () => open(agent));
    expect(() => feed.open(agent, {})).toThrow(/32 event streams/);
    const bystander = open(person);
    expect(feed.disconnect(agent.id)).toBe(limits.streamsPerPrincipal);
    await turn();
    expect(all.every(({ isOver }) => isOver)).toBe(true);
    expect([bystander.isOver, feed.readerCount]).toEqual([false, 1]);
    feed.dispose();
    await turn();
    expect(bystander.isOver).toBe(true);
  });

  it("[LM] streams are bounded in all, and one that ends makes room", async () => {
    const { feed } = rig();
    const of = (id: string): Actor => ({ ...agent, id });
    const readers = Array.from({ length: limits.streamsTotal }, (_, at) =>
      feed.open(of(`bot-${Math.floor(at / limits.streamsPerPrincipal)}`), {}),
    );
    expect(() => feed.open(of("one more"), {})).toThrow(/1024 in all/);
    readers[0]?.end();
    feed.open(of("one more"), {});
    expect(feed.readerCount).toBe(limits.streamsTotal);
  });

  it("[EV1] every field of a session has the event that tells of it", () => {
    expect(Object.keys(newsOfField).sort()).toEqual(Object.keys(sessionInfoSchema.shape).sort());
  });
});
