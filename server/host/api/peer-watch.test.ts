import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { type Peer, PeerWatch } from "./peer-watch.ts";

class TalkingPeer implements Peer {
  bytesRead = 0;
  isPaused = false;
  pings = 0;
  isCut = false;
  answers = true;
  ping() {
    this.pings += 1;
    if (this.answers) this.bytesRead += 6;
  }
  cut() {
    this.isCut = true;
  }
}

describe("peer watch", () => {
  let clock: FakeClock;
  let watch: PeerWatch;
  let peer: TalkingPeer;

  beforeEach(() => {
    clock = new FakeClock();
    watch = new PeerWatch(clock);
    peer = new TalkingPeer();
    watch.add(peer);
  });

  afterEach(() => {
    watch.dispose();
    expect(clock.pending).toBe(0);
  });

  it("[AT9] pings every 20 s and keeps a peer that answers", () => {
    clock.advance(10 * 60_000);
    expect(peer.isCut).toBe(false);
    expect(peer.pings).toBeGreaterThanOrEqual(28);
    expect(peer.pings).toBeLessThanOrEqual(30);
  });

  it("[AT9] [T59] a peer that is silent for 45 s is cut, and not before", () => {
    peer.answers = false;
    clock.advance(44_000);
    expect(peer.isCut).toBe(false);
    clock.advance(2_000);
    expect(peer.isCut).toBe(true);
  });

  it("[AT9] half a message counts as a sign of life", () => {
    peer.answers = false;
    for (let i = 0; i < 10; i += 1) {
      clock.advance(30_000);
      peer.bytesRead += 1;
    }
    expect(peer.isCut).toBe(false);
  });

  it("[T56] a peer from which this side does not read is not called silent", () => {
    peer.answers = false;
    peer.isPaused = true;
    clock.advance(120_000);
    expect(peer.isCut).toBe(false);
  });

  it("[C-K6] after the process itself was stopped for 60 s nobody is cut who then answers", () => {
    // A stopped process fires its timer once, late: a clock whose time jumps between two ticks.
    let jump = 0;
    const stopped = { ...systemClock, monotonic: () => clock.monotonic() + jump };
    const sleepy = new PeerWatch({
      ...stopped,
      every: (ms, fn) => clock.every(ms, fn),
      after: (ms, fn) => clock.after(ms, fn),
    });
    const quiet = new TalkingPeer();
    sleepy.add(quiet);
    clock.advance(10_000);
    jump = 60_000;
    clock.advance(1_000);
    expect(quiet.isCut).toBe(false);
    expect(quiet.pings).toBe(1);
    clock.advance(60_000);
    expect(quiet.isCut).toBe(false);

    quiet.answers = false;
    clock.advance(70_000);
    expect(quiet.isCut).toBe(true);
    sleepy.dispose();
  });
});
