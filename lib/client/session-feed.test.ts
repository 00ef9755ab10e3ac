import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { TermError, toProblem } from "#lib/protocol/errors.ts";
import type { NewsBody } from "#lib/protocol/events.ts";
import type { Me } from "#lib/protocol/login.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import { createApiClient } from "./api-client.ts";
import type { ApiClientOptions } from "./call.ts";
import { createSessionFeed, type FeedSnapshot, type SessionFeed } from "./session-feed.ts";

const me: Me = {
  actor: { kind: "human", id: "l1", name: "Ada", role: "owner" },
  server: {
    version: "0.1.0",
    hostname: "h",
    cwd: "/",
    terminals: { state: "ready" },
    sessions: { open: 1, max: 32 },
    default_command: ["bash"],
  },
};

let clock: FakeClock;
let wake: Emitter<void>;
let visibility: Emitter<boolean>;
let isVisible: boolean;
let feed: SessionFeed;
let asked: string[];
let answer: (path: string, signal?: AbortSignal | null) => Promise<Response>;

/** The event streams that were opened, and what ends each. */
let streams: ReadableStreamDefaultController<Uint8Array>[];
let resumed: (string | null)[];
let position: string;

const ok = async (path: string, signal?: AbortSignal | null) =>
  path.includes("/events")
    ? eventStream(signal)
    : Response.json(
        path.endsWith("/me") ? me : { sessions: [sessionInfo()], last_event_id: position },
      );
function eventStream(signal?: AbortSignal | null): Response {
  const body = new ReadableStream<Uint8Array>({
    start(control) {
      streams.push(control);
      signal?.addEventListener("abort", () => control.error(signal.reason));
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}
async function happens(id: string, body: NewsBody | { type: "gap"; from: string; to: string }) {
  position = id;
  const json = JSON.stringify({ ...body, id, at: "2026-01-01T00:00:00.000Z" });
  streams.at(-1)?.enqueue(utf8(`id: ${id}\nevent: ${body.type}\ndata: ${json}\n\n`));
  await turn();
}
const noEvents = async (path: string) =>
  path.includes("/events") ? Response.json({}, { status: 502 }) : ok(path);
const away = () => Promise.reject(new TypeError("failed to fetch"));
const pings = () => asked.filter((path) => path.endsWith("/me")).length;
const lists = () => asked.filter((path) => path.endsWith("/sessions")).length;

beforeEach(() => {
  clock = new FakeClock();
  wake = new Emitter();
  visibility = new Emitter();
  streams = [];
  resumed = [];
  position = "l-1";
  isVisible = true;
  asked = [];
  answer = ok;
});

afterEach(() => {
  feed.dispose();
  expect(clock.pending).toBe(0);
  expect(wake.listenerCount + visibility.listenerCount).toBe(0);
});

function start(): void {
  const server: ApiClientOptions = {
    baseUrl: "",
    fetch: (url, init) => {
      asked.push(String(url));
      if (String(url).includes("/events"))
        resumed.push(new Headers(init?.headers).get("last-event-id"));
      return answer(String(url), init?.signal);
    },
  };
  feed = createSessionFeed({
    api: createApiClient(server),
    server,
    clock,
    page: {
      isVisible: () => isVisible,
      onWake: wake.event,
      onVisibility: visibility.event,
      dispose() {},
    },
    random: () => 0.5,
  });
}

/** The first snapshot that `test` accepts. */
function until(test: (snapshot: FeedSnapshot) => boolean): Promise<FeedSnapshot> {
  if (test(feed.snapshot())) return Promise.resolve(feed.snapshot());
  return new Promise((resolve) => {
    const subscription = feed.onChange((snapshot) => {
      if (!test(snapshot)) return;
      subscription.dispose();
      resolve(snapshot);
    });
  });
}

const link = (kind: FeedSnapshot["link"]["kind"]) =>
  until((snapshot) => snapshot.link.kind === kind);
/** The next question is under way or answered: all promises that are due have run. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("session feed", () => {
  it("[EV1] lists once and then follows events; every 2 s it only asks for a sign of life", async () => {
    start();
    expect(feed.snapshot()).toMatchObject({ link: { kind: "starting" }, sessions: null });
    const first = await link("online");
    expect(first).toMatchObject({ sessions: [{ name: "shell" }], me: { actor: { name: "Ada" } } });
    await turn();
    expect(resumed).toEqual(["l-1"]);
    for (let i = 0; i < 10; i++) {
      clock.advance(2_000);
      await turn();
    }
    expect([lists(), pings(), streams.length]).toEqual([1, 11, 1]);
    expect(feed.snapshot().listings).toBe(1);
  });

  it("[EV1] tells at once what happens, and leaves the other sessions the same objects", async () => {
    start();
    await link("online");
    await turn();
    const { id } = sessionInfo();
    const other = sessionInfo({ id: "b".repeat(26), name: "other" });
    await happens("l-2", { type: "session_created", session: other.id, info: other });
    expect(feed.snapshot().sessions?.map(({ name }) => name)).toEqual(["shell", "other"]);
    const before = feed.snapshot().sessions?.[1];
    await happens("l-3", { type: "renamed", session: id, name: "build" });
    expect(feed.snapshot().sessions?.[0]?.name).toBe("build");
    expect(feed.snapshot().sessions?.[1]).toBe(before);
    const exit = { exit_code: 3, signal: null, exited_at: "2026-01-01T00:00:01.000Z" };
    await happens("l-4", { type: "exited", session: id, ...exit });
    expect(feed.snapshot().sessions?.[0]).toMatchObject({ exited: true, exit_code: 3 });
    await happens("l-5", { type: "closed", session: id });
    expect(feed.snapshot().sessions).toEqual([other]);
    expect([lists(), clock.monotonic()]).toEqual([1, 0]);
  });

  it("[EV1] a list that was on its way does not undo what happened meanwhile", async () => {
    start();
    await link("online");
    await turn();
    let release = () => {};
    answer = async (path, signal) => {
      const reply = await ok(path, signal);
      if (path.endsWith("/sessions"))
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return reply;
    };
    const refreshed = feed.refresh();
    await turn();
    await happens("l-2", { type: "renamed", session: sessionInfo().id, name: "newer" });
    release();
    await refreshed;
    expect(feed.snapshot()).toMatchObject({ listings: 2, sessions: [{ name: "newer" }] });
  });

  it("[EV1] lists anew after a gap", async () => {
    start();
    await link("online");
    await turn();
    await happens("m-1", { type: "gap", from: "l-1", to: "m-1" });
    await until(({ listings }) => listings === 2);
    expect(streams).toHaveLength(1);
  });

  it("[EV1] when the stream breaks, lists at once and goes on from there", async () => {
    start();
    await link("online");
    await turn();
    position = "l-9";
    streams[0]?.close();
    await until(({ listings }) => listings === 2);
    expect(feed.snapshot().link.kind).toBe("online");
    clock.advance(500);
    await turn();
    expect(resumed).toEqual(["l-1", "l-9"]);
  });

  it("lists every 2 s while something holds the events back, and does not hurry them", async () => {
    answer = noEvents;
    start();
    await link("online");
    for (let i = 0; i < 100; i++) {
      clock.advance(100);
      await turn();
    }
    expect(feed.snapshot().link.kind).toBe("online");
    expect(lists()).toBeGreaterThanOrEqual(5);
    expect(lists()).toBeLessThan(14);
    expect(resumed.length).toBeLessThan(7);
  });

  it("[AU1] what the server says of itself is renewed, with events and without", async () => {
    let warning: string | null = null;
    let hasEvents = true;
    answer = async (path, signal) => {
      if (path.endsWith("/me"))
        return Response.json({
          ...me,
          server: { ...me.server, ...(warning === null ? {} : { audit_warning: warning }) },
        });
      return hasEvents ? ok(path, signal) : noEvents(path);
    };
    const said = () => feed.snapshot().me?.server.audit_warning;
    start();
    await link("online");
    await turn();
    warning = "full";
    clock.advance(2_000);
    await until(() => said() === "full");
    hasEvents = false;
    streams[0]?.close();
    await until(({ listings }) => listings === 2);
    warning = null;
    for (let i = 0; i < 6; i++) {
      clock.advance(2_000);
      await turn();
    }
    await until(() => said() === undefined);
  });

  it("hidden, gives its connection to other pages and lists every 10 s", async () => {
    start();
    await link("online");
    await turn();
    isVisible = false;
    visibility.fire(false);
    clock.advance(2_000);
    await turn();
    expect([lists(), streams.length]).toEqual([2, 1]);
    expect(() => streams[0]?.enqueue(utf8("x"))).toThrow();
    clock.advance(9_999);
    expect(lists()).toBe(2);
    clock.advance(1);
    await turn();
    expect([lists(), streams.length]).toEqual([3, 1]);
    isVisible = true;
    visibility.fire(true);
    wake.fire();
    await turn();
    await turn();
    expect([lists(), streams.length]).toEqual([4, 2]);
  });

  it("asks at once when the page comes back", async () => {
    start();
    await link("online");
    isVisible = false;
    visibility.fire(false);
    clock.advance(2_000);
    await turn();
    wake.fire();
    expect(lists()).toBe(3);
  });

  it("[AT8] goes offline with the time of the next attempt, keeps the list, and comes back", async () => {
    start();
    await link("online");
    await turn();
    answer = away;
    streams[0]?.error(new TypeError("connection lost"));
    const lost = await link("offline");
    expect(lost.sessions).toHaveLength(1);
    expect(lost.link).toMatchObject({
      attempt: 1,
      sinceMs: clock.now(),
      untilMs: clock.now() + 500,
    });
    answer = ok;
    clock.advance(500);
    await link("online");
    expect(pings(), "the server may be another one").toBe(2);
  });

  it("[B130] backs off: fewer than 10 questions in 30 s to a server that is away", async () => {
    answer = away;
    start();
    for (let i = 0; i < 300; i++) {
      await turn();
      clock.advance(100);
    }
    expect(lists()).toBeLessThan(10);
    expect(feed.snapshot().link).toMatchObject({ kind: "offline" });
  });

  it("counts a server that does not answer within 10 s as away", async () => {
    start();
    await link("online");
    // Like fetch: rejects when its signal is aborted.
    answer = (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(new DOMException("late", "AbortError")));
      });
    await turn();
    clock.advance(2_000);
    clock.advance(9_999);
    await turn();
    expect(feed.snapshot().link.kind).toBe("online");
    clock.advance(1);
    expect((await link("offline")).link).toMatchObject({ detail: "no answer within 10 s" });
  });

  it("[SE4] stops asking when signed out, until told to refresh", async () => {
    start();
    await link("online");
    answer = async () =>
      Response.json(toProblem(new TermError("UNAUTHENTICATED", "sign in"), "r"), { status: 401 });
    clock.advance(2_000);
    const out = await link("signed_out");
    expect(out.sessions).toBeNull();
    const before = lists();
    clock.advance(60_000);
    wake.fire();
    await turn();
    expect(lists()).toBe(before);
    answer = ok;
    await feed.refresh();
    expect(feed.snapshot()).toMatchObject({ link: { kind: "online" }, sessions: [{}] });
  });

  it("refresh waits for an answer to a question asked after it", async () => {
    let name = "old";
    let release = () => {};
    answer = async (path) => {
      const said = name;
      if (said === "old" && path.endsWith("/sessions"))
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      return path.endsWith("/me")
        ? Response.json(me)
        : Response.json({ sessions: [sessionInfo({ name: said })] });
    };
    start();
    name = "new";
    const refreshed = feed.refresh();
    release();
    await refreshed;
    expect(feed.snapshot().sessions?.[0]?.name).toBe("new");
  });

  it("tells the median of the last ten round trips", async () => {
    const durations = [900, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100];
    answer = async (path, signal) => {
      // Not within the clock's own advance, which asked.
      await Promise.resolve();
      if (path.endsWith("/sessions")) clock.advance(durations[0] ?? 0);
      if (path.endsWith("/me") && pings() > 1) clock.advance(durations[pings() - 1] ?? 0);
      return ok(path, signal);
    };
    start();
    await link("online");
    await turn();
    for (let i = 1; i < durations.length; i++) {
      clock.advance(2_000);
      await until(({ rttsMs }) => rttsMs.at(-1) === durations[i]);
    }
    expect(feed.snapshot().link).toEqual({ kind: "online", rttMs: 55 });
    expect(feed.snapshot().rttsMs).toEqual(durations.slice(1));
  });
});
