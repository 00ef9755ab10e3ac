// Notices peers that are gone without a word (AT9, T59): a ping every 20 s, an end after 45 s of silence. Judges nobody when its own
// timer was late, because then it was this process that slept (C-K6).
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";

export interface Peer {
  /** Bytes received so far; any change is a sign of life. */
  readonly bytesRead: number;
  /** True while this side does not read: then silence proves nothing. */
  readonly isPaused: boolean;
  ping(): void;
  /** The peer was silent for too long. */
  cut(): void;
}

interface Watched {
  bytesRead: number;
  heardAtMs: number;
  pingedAtMs: number;
}

const tickMs = 1_000;
/** A tick this late means that the process or the machine was stopped. */
const lateMs = 5_000;

export class PeerWatch implements Disposable {
  private readonly peers = new Map<Peer, Watched>();
  private readonly timer: Disposable;
  private lastTickMs: number;

  constructor(private readonly clock: Clock) {
    this.lastTickMs = clock.monotonic();
    this.timer = clock.every(tickMs, () => this.tick());
  }

  add(peer: Peer): void {
    const now = this.clock.monotonic();
    this.peers.set(peer, { bytesRead: peer.bytesRead, heardAtMs: now, pingedAtMs: now });
  }

  remove(peer: Peer): void {
    this.peers.delete(peer);
  }

  dispose(): void {
    this.timer.dispose();
    this.peers.clear();
  }

  private tick(): void {
    const now = this.clock.monotonic();
    const slept = now - this.lastTickMs > lateMs;
    this.lastTickMs = now;
    for (const [peer, watched] of this.peers) {
      if (slept || peer.isPaused || peer.bytesRead !== watched.bytesRead) {
        watched.bytesRead = peer.bytesRead;
        watched.heardAtMs = now;
      }
      if (now - watched.heardAtMs >= limits.peerSilenceMs) {
        this.peers.delete(peer);
        peer.cut();
      } else if (slept || now - watched.pingedAtMs >= limits.pingEveryMs) {
        watched.pingedAtMs = now;
        peer.ping();
      }
    }
  }
}
