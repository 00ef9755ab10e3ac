// How web leaves and how it notices that the host left: HO1, HO3, HO6.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type WebSocket from "ws";
import { newSessionId } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type HostDouble, startHostDouble } from "#server/testing/host-double.ts";
import { openRaw } from "#server/testing/raw-http.ts";
import {
  closedWith,
  isListening,
  startTestWeb,
  type TestWeb,
  upgradeStatus,
} from "#server/testing/test-web.ts";
import { closeFrame, FrameBoundary } from "./frame-boundary.ts";

const session = newSessionId();
let host: HostDouble;
let test: TestWeb;

beforeEach(async () => {
  host = await startHostDouble();
  test = await startTestWeb({ host });
});
afterEach(async () => {
  await test.dispose();
  await host.dispose();
});

/** Floods a viewer with numbered frames of odd sizes for as long as it is open. */
function flood(viewer: WebSocket): void {
  let number = 0;
  const more = () => {
    if (viewer.readyState !== viewer.OPEN) return;
    const frame = Buffer.alloc(4 + (number % 70_000));
    frame.writeUInt32BE(number);
    number += 1_237;
    viewer.send(frame, () => setImmediate(more));
  };
  more();
}

describe("web leaves", () => {
  it("[HO3] [C-K2] in mid-flood every viewer hears 1012 between two frames, and web is gone within 5 s", async () => {
    host.onAttach = flood;
    const viewers = Array.from({ length: 8 }, () => test.attach(session, test.agentToken));
    const torn: string[] = [];
    const counts = viewers.map(() => 0);
    for (const [at, viewer] of viewers.entries()) {
      viewer.on("error", (error) => torn.push(error.message));
      viewer.on("message", (data) => {
        counts[at] = (counts[at] ?? 0) + 1;
        const number = (data as Buffer).readUInt32BE(0);
        if ((data as Buffer).length !== 4 + (number % 70_000)) torn.push("a frame is torn");
      });
    }
    await Promise.all(viewers.map(upgradeStatus));
    await expect.poll(() => Math.min(...counts)).toBeGreaterThan(20);
    const slow = await openRaw(test.tcpPort, "GET /health HTTP/1.1\r\n");
    slow.on("error", () => {});
    const closed = Promise.all(viewers.map(closedWith));
    const started = performance.now();
    const closing = test.web.close();
    expect(await isListening(test.tcpPort)).toBe(false);
    expect(new Set((await closed).map(({ code }) => code))).toEqual(new Set([1012]));
    await closing;
    // The rule allows 5 s; a connection without a request must not use them up.
    expect(performance.now() - started).toBeLessThan(2_500);
    expect(torn).toEqual([]);
    expect(existsSync(host.dir.webRecord)).toBe(false);
  });

  it("[HO1] logins survive a restart of web; its record names the living one", async () => {
    const login = await test.login();
    const { tcpPort } = test;
    await test.web.close();
    const again = await startTestWeb({ host, tcpPort });
    try {
      expect((await again.call("GET", "/sessions", { headers: login.headers })).status).toBe(200);
      const record = JSON.parse(readFileSync(host.dir.webRecord, "utf8"));
      expect(record).toMatchObject({ pid: process.pid, port: tcpPort, url: again.url });
    } finally {
      await again.dispose();
    }
  });
});

describe("the host leaves", () => {
  it("[HO6] viewers hear 1012 HOST_LOST at once, calls are 503, and a new host is found without a restart", async () => {
    const viewer = test.attach(session, test.agentToken);
    await upgradeStatus(viewer);
    await test.call("GET", "/sessions", { token: test.agentToken });
    const closed = closedWith(viewer);
    const started = performance.now();
    await host.kill();
    expect(await closed).toEqual({ code: 1012, reason: "HOST_LOST" });
    expect(performance.now() - started).toBeLessThan(2_000);
    for (const [method, body] of [
      ["GET", undefined],
      ["POST", {}],
    ] as const) {
      const reply = await test.call(method, "/sessions", { token: test.agentToken, body });
      expect(reply.status).toBe(503);
      expect(await reply.json()).toMatchObject({ code: "HOST_LOST", retry_after_ms: 1_000 });
    }
    expect(await upgradeStatus(test.attach(session, test.agentToken))).toBe(503);
    expect((await fetch(`${test.origin}/health`)).status).toBe(200);

    await host.revive();
    const back = await test.call("GET", "/sessions", { token: test.agentToken });
    expect(back.status).toBe(200);
    expect(await upgradeStatus(test.attach(session, test.agentToken))).toBe(101);
  });

  it("[HO6] a host that is replaced between two calls is reached with its new key", async () => {
    for (let round = 0; round < 5; round += 1) {
      expect((await test.call("GET", "/sessions", { token: test.agentToken })).status).toBe(200);
      await host.kill();
      await host.revive();
    }
    expect(
      (await test.call("POST", "/sessions", { token: test.agentToken, body: {} })).status,
    ).toBe(200);
  });

  it("[T59] a viewer that vanishes leaves no socket at the host and no place in the quota", async () => {
    const viewers = Array.from({ length: 20 }, () => test.attach(session, test.agentToken));
    await Promise.all(viewers.map(upgradeStatus));
    expect(test.web.connections.total).toBe(20);
    for (const viewer of viewers) viewer.terminate();
    await expect.poll(() => host.sockets.size).toBe(0);
    await expect.poll(() => test.web.connections.total).toBe(0);
  });
});

describe("FrameBoundary", () => {
  it("finds the ends of frames of every length form, cut at any byte", () => {
    const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 70_000];
    const frames = lengths.map((length, at) => serverFrame(at === 0 ? 1 : 2, randomBytes(length)));
    const ends: number[] = [];
    let total = 0;
    for (const frame of frames) {
      total += frame.length;
      ends.push(total);
    }
    const all = Buffer.concat(frames);
    for (const step of [1, 2, 3, 7, 100, 4_093, all.length]) {
      const boundary = new FrameBoundary();
      const found: number[] = [];
      let at = 0;
      while (at < all.length) {
        const piece = all.subarray(at, Math.min(all.length, at + step));
        let used = 0;
        while (used < piece.length) {
          used += boundary.follow(piece.subarray(used), true);
          if (boundary.isBetweenFrames) found.push(at + used);
        }
        at += piece.length;
      }
      expect(found, `step ${step}`).toEqual(ends);
      expect(boundary.sawClose).toBe(false);
      boundary.follow(closeFrame(1012, "x".repeat(500)));
      expect(boundary.sawClose).toBe(true);
      expect(boundary.isBetweenFrames).toBe(true);
    }
    expect(limits.frameBytes).toBeGreaterThan(70_000);
  });
});

function serverFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head =
    length < 126
      ? Buffer.from([0x80 | opcode, length])
      : length < 65_536
        ? Buffer.from([0x80 | opcode, 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([0x80 | opcode, 127, 0, 0, 0, 0]), uint32(length)]);
  return Buffer.concat([head, payload]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
