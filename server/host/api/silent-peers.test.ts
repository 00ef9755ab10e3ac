// Peers that do not behave, on real sockets: silent, deaf, flooding. The raw ones speak just enough WebSocket to get in.
import type { Socket } from "node:net";
import { describe, expect, it, type TestContext, vi } from "vitest";
import { AttachClientDouble } from "#server/testing/attach-client-double.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { memoryOwner, openMemoryHost } from "#server/testing/memory-host.ts";

/** A host of the test's own: the two that wait longest run side by side. */
async function open({ onTestFinished }: TestContext, clock?: FakeClock) {
  const host = await openMemoryHost(clock);
  const raws: Socket[] = [];
  onTestFinished(async () => {
    for (const raw of raws) raw.destroy();
    await host.dispose();
  });

  async function path(): Promise<string> {
    const { id } = await host.core.create(memoryOwner, {});
    return `/api/v1/sessions/${id}/attach`;
  }

  /** Attached, and never answers a ping or a close. */
  async function rawPeer(): Promise<Socket> {
    const headers = {
      host: "x",
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "sec-websocket-protocol": "cotty.v1",
      ...host.headers(),
    };
    const socket = host.connect();
    raws.push(socket);
    socket.on("error", () => {});
    socket.write(
      `GET ${await path()} HTTP/1.1\r\n${Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("")}\r\n`,
    );
    await new Promise((resolve) => socket.once("data", resolve));
    return socket;
  }

  async function viewer(): Promise<AttachClientDouble> {
    const double = new AttachClientDouble(`ws+unix:${host.socketPath}:${await path()}`, {
      headers: host.headers(),
    });
    await double.until("the first message", () => double.messages.length > 0);
    return double;
  }
  return { host, rawPeer, viewer };
}

describe("peers that do not behave", () => {
  it("[AT9] [T59] a peer that went silent is cut after 45 s; one that answers pings stays", async (context) => {
    const clock = new FakeClock();
    const { host, rawPeer, viewer } = await open(context, clock);
    const silent = await rawPeer();
    let isCut = false;
    silent.on("close", () => {
      isCut = true;
    });
    silent.resume();
    const alive = await viewer();
    let pings = 0;
    alive.socket.on("ping", () => {
      pings += 1;
    });
    for (let second = 1; second <= 44; second += 1) {
      const before = pings;
      clock.advance(1_000);
      if (second % 20 === 0) await vi.waitFor(() => expect(pings).toBe(before + 1));
      // The answer to the ping has to arrive before time goes on.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect([isCut, host.sockets.count]).toEqual([false, 2]);
    clock.advance(2_000);
    await vi.waitFor(() => expect(isCut).toBe(true));
    expect(host.core.attachments.map(({ isDisposed }) => isDisposed)).toEqual([true, false]);
    expect([alive.closed, host.sockets.count]).toEqual([undefined, 1]);
    alive.dispose();
  });

  it("[T51] [T56] a flood of pings from a peer that reads nothing ends within 15 s and costs no memory", async (context) => {
    const { host, rawPeer } = await open(context);
    const flooder = await rawPeer();
    flooder.pause();
    const before = process.memoryUsage().rss;
    let isClosed = false;
    flooder.on("close", () => {
      isClosed = true;
    });
    const pings = Buffer.concat(
      Array.from({ length: 5_000 }, () => Buffer.from([0x89, 0x80, 0, 0, 0, 0])),
    );
    const pump = () => {
      if (isClosed || flooder.destroyed) return;
      if (flooder.write(pings)) setImmediate(pump);
      else flooder.once("drain", pump);
    };
    pump();
    await vi.waitFor(() => expect(host.sockets.count).toBe(0), { timeout: 20_000, interval: 50 });
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    expect(host.core.attachments[0]?.isDisposed).toBe(true);
    expect(host.faults).toEqual([]);
  });

  it.concurrent("[AT7] a peer that never answers the closing handshake is gone after 5 s, its viewer at once", async (context) => {
    const { host, rawPeer } = await open(context);
    const deaf = await rawPeer();
    deaf.pause();
    const [attachment] = host.core.attachments;
    attachment?.sink.sendBytes(new Uint8Array(512 * 1024));
    attachment?.sink.close(4408, "slow");
    expect(attachment?.isDisposed).toBe(true);
    await vi.waitFor(() => expect(host.sockets.count).toBe(0), { timeout: 8_000, interval: 50 });
  });

  it.concurrent("[T56] typing at five times the allowed rate is slowed and after 10 s ended with 4429", async (context) => {
    const { host, viewer } = await open(context);
    const typist = await viewer();
    const start = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      if (typist.socket.readyState !== typist.socket.OPEN) return;
      // By the clock: on a busy machine the timer comes late, and the rate is what is shown.
      const due = ((performance.now() - start) / 1_000) * 2_500;
      for (; sent < due; sent += 1) typist.type("x");
    }, 50);
    await typist.untilClosed(25_000);
    clearInterval(timer);
    expect(typist.closed?.code).toBe(4429);
    const seconds = (performance.now() - start) / 1_000;
    expect(seconds).toBeGreaterThan(9);
    const typed = host.core.acts.filter(({ act }) => act === "typed").length;
    // What was read in one piece is typed although it is over: the debt is paid afterwards.
    expect(typed / seconds).toBeLessThan(1_500);
  });
});
