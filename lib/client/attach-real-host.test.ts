// The client against a real host and real terminals; only the screen it draws on is in memory.
import { Terminal } from "@xterm/headless";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { utf8 } from "#lib/base/bytes.ts";
import { systemClock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { ScreenWriter } from "#lib/xterm/screen-writer.ts";
import { startTestHost, type TestHost, testOwner } from "#server/testing/test-host.ts";
import { AttachClient } from "./attach-client.ts";
import { noPage } from "./page-signals.ts";
import type { OpenSocket, SocketLike } from "./socket-like.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(() => host.dispose());

const viewers: { dispose(): void }[] = [];
afterEach(() => {
  for (const viewer of viewers.splice(0)) viewer.dispose();
});

function attach(sessionId: string) {
  const sockets: WebSocket[] = [];
  const openSocket: OpenSocket = (url, protocols) => {
    const headers = host.endpoint.headers(testOwner, "test");
    const socket = new WebSocket(url, protocols, { headers });
    sockets.push(socket);
    return socket as unknown as SocketLike;
  };
  const terminal = new Terminal({ scrollback: 50_000, logLevel: "off", allowProposedApi: true });
  const printed = new Emitter<void>();
  const hooks = {
    isScrolledUp: () => false,
    beforeRestart() {},
    restored: () => printed.fire(),
    resized() {},
    printed: () => printed.fire(),
  };
  const client = new AttachClient({
    sessionId,
    isReadOnly: false,
    socketUrl: `ws+unix:${host.endpoint.socketPath}:`,
    openSocket,
    authorise: async () => [],
    clock: systemClock,
    page: noPage(),
    target: new ScreenWriter(terminal, hooks),
  });
  viewers.push({
    dispose() {
      client.dispose();
      terminal.dispose();
    },
  });
  const text = () => {
    const { active } = terminal.buffer;
    return Array.from({ length: active.length }, (_, row) =>
      (active.getLine(row)?.translateToString(true) ?? "").trimEnd(),
    );
  };
  const until = (test: () => boolean) =>
    new Promise<void>((resolve) => {
      if (test()) {
        resolve();
        return;
      }
      const listeners = [printed.event, client.onState, client.onMessage].map((event) =>
        (event as Emitter<unknown>["event"])(() => {
          if (!test()) return;
          for (const listener of listeners) listener.dispose();
          resolve();
        }),
      );
    });
  client.start();
  return { client, terminal, sockets, text, until };
}

describe("attach client and a real host", () => {
  it("[AT8] a numbered flood over ten broken connections arrives complete, every number once", async () => {
    // Paced, so that the connection breaks in the middle of it, not after it.
    const program =
      "i=0; while [ $i -lt 6000 ]; do i=$((i+1)); echo n$i; [ $((i % 200)) = 0 ] && sleep 0.05; done; echo END; read x";
    const { id } = await host.request("createSession", {
      body: { command: ["sh", "-c", program], cols: 80, rows: 24 },
    });
    const viewer = attach(id);
    for (let cut = 1; cut <= 10; cut++) {
      await viewer.until(
        () => viewer.client.state.kind === "live" && viewer.text().includes(`n${cut * 500}`),
      );
      viewer.sockets.at(-1)?.terminate();
      await viewer.until(() => viewer.client.state.kind === "waiting");
      viewer.client.retryNow();
    }
    await viewer.until(() => viewer.text().includes("END"));
    const numbers = viewer.text().filter((line) => /^n\d+$/.test(line));
    expect(numbers).toEqual(Array.from({ length: 6_000 }, (_, i) => `n${i + 1}`));
    expect(viewer.sockets).toHaveLength(11);
  });

  it("[SN5] [SZ2] shows a screen with its scrollback; the size follows when a person types", async () => {
    const { id } = await host.request("createSession", {
      body: { command: ["sh", "-c", "seq 1 300; cat"], cols: 60, rows: 10 },
    });
    const viewer = attach(id);
    viewer.client.propose({ cols: 100, rows: 20 });
    // Live is said when the snapshot was given to the terminal; its rows are drawn after that.
    const numbers = () => viewer.text().filter((line) => /^\d+$/.test(line));
    await viewer.until(() => viewer.client.state.kind === "live" && numbers().length >= 300);
    expect(numbers()).toEqual(Array.from({ length: 300 }, (_, i) => `${i + 1}`));
    expect(viewer.terminal.cols, "the size given at create holds").toBe(60);
    expect(viewer.client.typed(utf8("hello\r"))).toBe(true);
    await viewer.until(
      () =>
        viewer.terminal.cols === 100 &&
        viewer.text().filter((line) => line === "hello").length === 2,
    );
    expect(await host.request("getSession", { params: { id } })).toMatchObject({
      cols: 100,
      rows: 20,
    });
  });

  it("[B130] tells the exit, then that the session was closed", async () => {
    const { id } = await host.request("createSession", {
      body: { command: ["sh", "-c", "echo ready; read x; echo bye; exit 3"] },
    });
    const viewer = attach(id);
    let code: number | null = null;
    viewer.client.onMessage((message) => {
      if (message.type === "exited") code = message.exit_code;
    });
    await viewer.until(() => viewer.text().includes("ready"));
    viewer.client.typed(utf8("\r"));
    await viewer.until(() => code === 3);
    await viewer.until(() => viewer.text().includes("bye"));
    await host.request("closeSession", { params: { id } });
    await viewer.until(() => viewer.client.state.kind === "ended");
    expect(viewer.client.state).toEqual({ kind: "ended", code: 4404 });
  });

  it("[SC2] [B130] shows an exited session to who comes later, and does not come back when cut", async () => {
    const { id } = await host.request("createSession", {
      body: { command: ["sh", "-c", "echo last words; exit 3"] },
    });
    const isOver = async () => (await host.request("getSession", { params: { id } })).exited;
    await expect.poll(isOver).toBe(true);
    const viewer = attach(id);
    await viewer.until(() => viewer.text().includes("last words"));
    viewer.sockets.at(-1)?.terminate();
    await viewer.until(() => viewer.client.state.kind === "ended");
    expect(viewer.sockets).toHaveLength(1);
  });
});
