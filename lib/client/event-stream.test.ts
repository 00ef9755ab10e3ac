import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import type { StreamEvent } from "#lib/protocol/events.ts";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { EventStream } from "./event-stream.ts";
import { noPage } from "./page-signals.ts";

const session = "a".repeat(26);
const bell = (id: string) =>
  `id: ${id}\nevent: bell\ndata: ${JSON.stringify({ type: "bell", id, at: "2026-01-01T00:00:00Z", session })}\n\n`;

interface Call {
  url: string;
  headers: Headers;
  control: ReadableStreamDefaultController<Uint8Array> | null;
}

let clock: FakeClock;
let calls: Call[];
let status: number;
let told: StreamEvent[];
let lost: number;
let stream: EventStream;

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

beforeEach(() => {
  clock = new FakeClock();
  calls = [];
  status = 200;
  told = [];
  lost = 0;
});
afterEach(() => {
  stream.dispose();
  expect(clock.pending).toBe(0);
});

async function start(more: Partial<ConstructorParameters<typeof EventStream>[0]> = {}) {
  stream = new EventStream({
    clock,
    page: noPage(),
    random: () => 0.5,
    server: {
      baseUrl: "http://x",
      headers: () => ({ "x-cotty-key": `k${calls.length}` }),
      onUnauthenticated: () => {
        lost += 1;
      },
      fetch: async (url, init) => {
        const call: Call = { url: String(url), headers: new Headers(init?.headers), control: null };
        calls.push(call);
        if (status !== 200) return new Response("{}", { status });
        const body = new ReadableStream<Uint8Array>({
          start: (control) => {
            call.control = control;
            init?.signal?.addEventListener("abort", () => control.error(init.signal?.reason));
          },
        });
        return new Response(body, { headers: { "content-type": "text/event-stream" } });
      },
    },
    ...more,
  });
  stream.onEvent((event) => told.push(event));
  stream.start();
  await turn();
}

const say = async (text: string) => {
  calls.at(-1)?.control?.enqueue(utf8(text));
  await turn();
};

describe("EventStream", () => {
  it("[EV1] sends the key with every attempt and comes back with the id of the last event", async () => {
    await start({ session, types: ["bell", "exited"] });
    expect(calls[0]?.url).toBe(`http://x/api/v1/events?session=${session}&types=bell%2Cexited`);
    expect(calls[0]?.headers.get("last-event-id")).toBeNull();
    await say(`retry: 1000\nid: l-1\n\n${bell("l-2")}`);
    expect(told).toMatchObject([{ type: "bell", id: "l-2" }]);
    // Cut amid an event: it is not told, and not passed over.
    await say(bell("l-3").slice(0, 40));
    calls[0]?.control?.close();
    await turn();
    expect(stream.state).toMatchObject({ kind: "waiting", attempt: 1 });
    clock.advance(500);
    await turn();
    expect(calls[1]?.headers.get("last-event-id")).toBe("l-2");
    expect(calls[1]?.headers.get("x-cotty-key")).toBe("k1");
    expect(stream.state.kind).toBe("open");
  });

  it("[EV1] goes on from the id that it is given, and from one that came without an event", async () => {
    await start({ after: "l-7" });
    expect(calls[0]?.headers.get("last-event-id")).toBe("l-7");
    await say(":\nid: l-9\n\n");
    expect(stream.lastEventId).toBe("l-9");
    expect(told).toEqual([]);
  });

  it("passes over what a newer server tells", async () => {
    await start();
    await say(
      `id: l-1\nevent: new\ndata: {"type":"brand_new"}\n\nid: l-2\ndata: no json\n\n${bell("l-3")}`,
    );
    expect(told.map(({ id }) => id)).toEqual(["l-3"]);
  });

  it("[T131] gives up a connection that is silent beyond its comments", async () => {
    await start();
    clock.advance(limits.eventSilenceMs - 1);
    await say(":\n\n");
    clock.advance(limits.eventSilenceMs - 1);
    await turn();
    expect(stream.state.kind).toBe("open");
    clock.advance(1);
    await turn();
    expect(stream.state.kind).toBe("waiting");
  });

  it("[AT8] backs off from a server that is away and stops where trying again helps nobody", async () => {
    status = 503;
    await start();
    for (let i = 0; i < 300; i++) {
      clock.advance(100);
      await turn();
    }
    expect(calls.length).toBeLessThan(10);
    status = 401;
    clock.advance(8_000);
    await turn();
    expect(stream.state).toEqual({ kind: "final", code: 4401 });
    expect(lost).toBe(1);
    const before = calls.length;
    clock.advance(60_000);
    await turn();
    expect(calls.length).toBe(before);
  });

  it("ends its request when it is disposed, and tells nothing after that", async () => {
    await start();
    const control = calls[0]?.control;
    stream.dispose();
    await turn();
    expect(() => control?.enqueue(utf8(bell("l-1")))).toThrow();
    expect(told).toEqual([]);
  });
});
