// The API as any program calls it: one bearer token, JSON over HTTP, and attach sockets. Knows addresses, not processes.
import { WebSocket } from "ws";
import { systemClock } from "#lib/base/clock.ts";
import { AttachClient } from "#lib/client/attach-client.ts";
import type { AttachTarget } from "#lib/client/attach-target.ts";
import { noPage } from "#lib/client/page-signals.ts";
import type { SocketLike } from "#lib/client/socket-like.ts";
import { attachProtocol } from "#lib/protocol/attach.ts";
import type { InputItem } from "#lib/protocol/input.ts";
import { apiBase } from "#lib/protocol/operations/operation.ts";
import type { ScreenText } from "#lib/protocol/screen.ts";
import type { CreateSession, SessionInfo } from "#lib/protocol/session.ts";
import { AttachClientDouble } from "#server/testing/attach-client-double.ts";
import { patience } from "#server/testing/patience.ts";
import type { Server } from "../server.ts";

/** Nothing is shown by it: it ends what will never come, on machines that have other things to do as well. */
const patienceMs = 30_000;

export class Caller {
  private readonly viewers: { dispose(): void }[] = [];

  constructor(
    private readonly server: Server,
    readonly token: string,
  ) {}

  static async owner(server: Server): Promise<Caller> {
    return new Caller(server, await server.token("owner"));
  }

  /** Any request below `/api/v1`; `headers` win over the token. */
  raw(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return fetch(`${this.server.url}${apiBase}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Throws with the answer when it is no success. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.raw(method, path, body);
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  create(request: CreateSession = {}): Promise<SessionInfo> {
    return this.call("POST", "/sessions", request);
  }

  /** A session that runs a shell script. */
  script(script: string, more: CreateSession = {}): Promise<SessionInfo> {
    return this.create({ command: ["/bin/sh", "-c", script], ...more });
  }

  info(id: string): Promise<SessionInfo> {
    return this.call("GET", `/sessions/${id}`);
  }

  screen(id: string): Promise<ScreenText> {
    return this.call("GET", `/sessions/${id}/screen`);
  }

  input(id: string, ...input: InputItem[]): Promise<{ written: number }> {
    return this.call("POST", `/sessions/${id}/input`, { input });
  }

  /** Types a line. */
  line(id: string, text: string): Promise<unknown> {
    return this.input(id, { text }, { key: "Enter" });
  }

  close(id: string, signal = "KILL"): Promise<void> {
    return this.call("DELETE", `/sessions/${id}?signal=${signal}`);
  }

  /** Asks for the screen until `isTrue` of it; the screen then. */
  async untilScreen(
    id: string,
    what: string,
    isTrue: (screen: ScreenText) => boolean,
    timeoutMs = patienceMs,
  ): Promise<ScreenText> {
    const beganMs = performance.now();
    const looks = new Looks();
    for (;;) {
      const screen = await this.screen(id);
      if (isTrue(screen)) return screen;
      if (performance.now() - beganMs > patience(timeoutMs))
        throw new Error(`waited ${timeoutMs} ms for: ${what}. screen:\n${screen.lines.join("\n")}`);
      await looks.pause();
    }
  }

  untilText(id: string, text: string, timeoutMs?: number): Promise<ScreenText> {
    const shows = (screen: ScreenText) => screen.lines.some((line) => line.includes(text));
    return this.untilScreen(id, `text ${JSON.stringify(text)}`, shows, timeoutMs);
  }

  async untilExit(id: string, timeoutMs = patienceMs): Promise<SessionInfo> {
    const beganMs = performance.now();
    const looks = new Looks();
    for (;;) {
      const info = await this.info(id);
      if (info.exited) return info;
      if (performance.now() - beganMs > patience(timeoutMs))
        throw new Error(`session ${id} still runs`);
      await looks.pause();
    }
  }

  attachUrl(id: string, query = ""): string {
    return `${this.server.url.replace("http", "ws")}${apiBase}/sessions/${id}/attach${query}`;
  }

  /** One attach socket, as it is. */
  attach(
    id: string,
    query = "",
    { acknowledges = true, token = this.token } = {},
  ): AttachClientDouble {
    const viewer = new AttachClientDouble(this.attachUrl(id, query), {
      acknowledges,
      headers: { authorization: `Bearer ${token}` },
    });
    this.viewers.push(viewer);
    return viewer;
  }

  /** The client of browser and CLI, which comes back by itself. Not started yet. */
  follow(id: string, target: AttachTarget, { isReadOnly = true } = {}): AttachClient {
    const client = new AttachClient({
      sessionId: id,
      isReadOnly,
      socketUrl: this.server.url.replace("http", "ws"),
      openSocket: (url, protocols) =>
        new WebSocket(url, protocols, {
          headers: { authorization: `Bearer ${this.token}` },
          perMessageDeflate: false,
        }) as unknown as SocketLike,
      authorise: async () => [],
      clock: systemClock,
      page: noPage(),
      target,
    });
    this.viewers.push(client);
    return client;
  }

  dispose(): void {
    for (const viewer of this.viewers.splice(0)) viewer.dispose();
  }
}

/** The bare protocol, for sockets that a test opens by hand. */
export function openSocket(url: string, headers: Record<string, string>, protocols?: string[]) {
  const socket = new WebSocket(url, protocols ?? [attachProtocol], {
    headers,
    perMessageDeflate: false,
  });
  // What goes wrong is told by the close.
  socket.on("error", () => {});
  return socket;
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Between looks at what nothing tells of. A look costs three processes their time, and many tests look at once: the longer it takes, the longer the next pause. */
export class Looks {
  private ms = 10;

  pause(): Promise<void> {
    const { ms } = this;
    this.ms = Math.min(ms * 1.5, 100);
    return pause(ms);
  }
}

/** Waits for a fact outside this process that nothing tells of. */
export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  timeoutMs = patienceMs,
): Promise<void> {
  const beganMs = performance.now();
  const looks = new Looks();
  while (!(await isTrue())) {
    if (performance.now() - beganMs > patience(timeoutMs))
      throw new Error(`waited ${timeoutMs} ms for: ${what}`);
    await looks.pause();
  }
}

/** The value below which `part` of the samples lie. */
export function percentile(samples: readonly number[], part: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
