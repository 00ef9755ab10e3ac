// Silences as long as people meet them, a minute without network and half a minute beside a deleted session: with a server of their own,
// so that they pass while other tests run and cost no time of theirs.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import xterm, { type Terminal } from "@xterm/headless";
import { WebSocket } from "ws";
import { utf8 } from "#lib/base/bytes.ts";
import { systemClock } from "#lib/base/clock.ts";
import { AttachClient } from "#lib/client/attach-client.ts";
import { noPage } from "#lib/client/page-signals.ts";
import type { SocketLike } from "#lib/client/socket-like.ts";
import { ScreenWriter } from "#lib/xterm/screen-writer.ts";
import { proxyHost, TcpProxy } from "../fixtures/tcp-proxy.ts";
import { Server } from "../server.ts";
import { Caller, pause, until } from "./caller.ts";

/** What the silence did to a client of ours and to a bare socket. */
export interface AfterSilence {
  readonly silentMs: number;
  /** States of the client that lost its network, in order, without repeats. */
  readonly states: readonly string[];
  /** Rows as the returned client, the returned socket and the server have them, right after coming back. */
  readonly rows: { client: string[]; socket: string[]; server: string[] };
  readonly mouse: string;
  /** How the bare socket was taken back: at the offset it had. */
  readonly resumed: { asked: number; at: number | undefined; snapshots: number };
  /** The edited file after typing went on. */
  readonly file: string;
}

export interface AfterDeletion {
  readonly watchedMs: number;
  readonly state: string;
  readonly opened: { before: number; after: number };
}

export interface Silences {
  readonly network: Promise<AfterSilence>;
  readonly deletion: Promise<AfterDeletion>;
  stop(): Promise<void>;
}

interface Follower {
  readonly client: AttachClient;
  readonly terminal: Terminal;
  readonly states: string[];
  opened: number;
}

function follow(session: string, socketUrl: string, token: string, isReadOnly: boolean): Follower {
  const terminal = new xterm.Terminal({ allowProposedApi: true, logLevel: "off" });
  const hooks = {
    isScrolledUp: () => false,
    beforeRestart() {},
    restored() {},
    resized() {},
    printed() {},
  };
  const follower: Follower = {
    terminal,
    states: [],
    opened: 0,
    client: new AttachClient({
      sessionId: session,
      isReadOnly,
      socketUrl,
      openSocket: (url, protocols) => {
        follower.opened += 1;
        return new WebSocket(url, protocols, {
          headers: { authorization: `Bearer ${token}` },
          perMessageDeflate: false,
        }) as unknown as SocketLike;
      },
      authorise: async () => [],
      clock: systemClock,
      page: noPage(),
      target: new ScreenWriter(terminal, hooks),
    }),
  };
  follower.client.onState(({ kind }) => {
    if (follower.states.at(-1) !== kind) follower.states.push(kind);
  });
  follower.client.start();
  return follower;
}

function rowsOf(terminal: Terminal): string[] {
  const { active } = terminal.buffer;
  return Array.from(
    { length: terminal.rows },
    (_, y) => active.getLine(active.baseY + y)?.translateToString(true) ?? "",
  );
}

function isLive({ client }: Follower): boolean {
  return client.state.kind === "live";
}

export async function beginSilences(): Promise<Silences> {
  const folder = mkdtempSync(join(tmpdir(), "cotty-silence-"));
  const server = new Server(["--allow-host", proxyHost]);
  await server.start();
  const owner = await Caller.owner(server);
  const token = await server.token("owner");
  const proxy = await TcpProxy.inFrontOf(server.port);
  const followers: Follower[] = [];
  const kept = (follower: Follower) => {
    followers.push(follower);
    return follower;
  };

  async function network(): Promise<AfterSilence> {
    const file = join(folder, "edited");
    const { id } = await owner.create({
      command: ["vim", "-u", "NONE", "-n", "--cmd", "set nocp mouse=a ttymouse=sgr", file],
      cols: 80,
      rows: 24,
    });
    const far = kept(follow(id, proxy.origin.replace("http", "ws"), token, false));
    await owner.untilText(id, "~");
    await owner.input(id, { text: "ibefore " });
    await owner.untilText(id, "before");
    const socket = owner.attach(id);
    await socket.attached();
    await until("the client to be live", () => isLive(far));

    const startedAt = performance.now();
    proxy.freeze();
    const asked = socket.offset;
    socket.dispose();
    await owner.input(id, { text: "during " });
    await owner.untilText(id, "during");
    await pause(60_000);
    proxy.thaw();
    const silentMs = performance.now() - startedAt;

    const back = owner.attach(id, `?since=${asked}`);
    await back.attached();
    const { lines } = await owner.screen(id);
    await until("the client to be back", () => isLive(far), 45_000);
    await until("the client to show it", () => rowsOf(far.terminal).join().includes("during"));
    const whole = owner.attach(id);
    await whole.attached();
    const shown = await whole.terminal();
    const rows = { client: rowsOf(far.terminal), socket: rowsOf(shown), server: [...lines] };
    shown.dispose();
    const { mouseTrackingMode } = far.terminal.modes;
    far.client.typed(utf8("after\x1b:wq\r"));
    await owner.untilExit(id);
    return {
      silentMs,
      states: far.states,
      rows,
      mouse: mouseTrackingMode,
      resumed: {
        asked,
        at: back.resume?.at,
        snapshots: back.messages.filter(({ type }) => type === "snapshot").length,
      },
      file: readFileSync(file, "utf8"),
    };
  }

  async function deletion(): Promise<AfterDeletion> {
    const { id } = await owner.script("printf READY; exec cat");
    const viewer = kept(follow(id, server.url.replace("http", "ws"), token, true));
    await until("the viewer to be live", () => isLive(viewer));
    await owner.close(id);
    await until("the viewer to be told", () => viewer.client.state.kind === "ended");
    const before = viewer.opened;
    const startedAt = performance.now();
    await pause(30_000);
    const { state } = viewer.client;
    return {
      watchedMs: performance.now() - startedAt,
      state: state.kind === "ended" ? `ended ${state.code}` : state.kind,
      opened: { before, after: viewer.opened },
    };
  }

  const running = { network: network(), deletion: deletion() };
  // Whoever waits for them says what went wrong; until then nobody listens.
  for (const silence of Object.values(running)) silence.catch(() => {});
  return {
    ...running,
    async stop() {
      for (const { client, terminal } of followers) {
        client.dispose();
        terminal.dispose();
      }
      owner.dispose();
      proxy.close();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
