import { describe, expect, it } from "vitest";
import { SocketCaps } from "./socket-caps.ts";

class Socket {
  isDestroyed = false;
  destroy() {
    this.isDestroyed = true;
  }
}

describe("SocketCaps", () => {
  it("[T54] above the cap a silent connection makes room; one that has spoken stays", () => {
    const caps = new SocketCaps<Socket>(4);
    const speaking = new Socket();
    caps.opened(speaking);
    caps.heard(speaking);
    const silent = Array.from({ length: 100 }, () => {
      const socket = new Socket();
      caps.opened(socket);
      return socket;
    });
    expect(caps.unauthenticated).toBe(4);
    expect(silent.filter((socket) => !socket.isDestroyed)).toHaveLength(3);
    expect(silent.at(-1)?.isDestroyed).toBe(false);
    expect(speaking.isDestroyed).toBe(false);
  });

  it("[T54] connections that showed a credential are not counted", () => {
    const caps = new SocketCaps<Socket>(2);
    const known = Array.from({ length: 50 }, () => {
      const socket = new Socket();
      caps.opened(socket);
      caps.authenticated(socket);
      return socket;
    });
    expect(caps.unauthenticated).toBe(0);
    expect(known.some((socket) => socket.isDestroyed)).toBe(false);
  });
});
