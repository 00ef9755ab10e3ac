// The far end of an attachment in memory: a test plays the server. Double for the WebSocket that lib/client opens.
import type { OpenSocket, SocketLike } from "#lib/client/socket-like.ts";
import type { ClientMessage, ServerMessage } from "#lib/protocol/attach.ts";
import type { Politeness } from "#lib/protocol/lease.ts";
import { plainState, type SessionInfo } from "#lib/protocol/session.ts";

type Listener = (event: never) => void;

export class FakeSocket implements SocketLike {
  binaryType = "blob";
  readyState = 0;
  readonly bufferedAmount = 0;
  /** What the client sent, in order. */
  readonly sent: (ClientMessage | Uint8Array)[] = [];
  private readonly listeners = new Map<string, Listener[]>();

  constructor(
    readonly url: string,
    readonly protocols: readonly string[],
  ) {}

  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  send(data: string | Uint8Array): void {
    if (this.readyState !== 1) throw new Error("the socket is not open");
    this.sent.push(typeof data === "string" ? JSON.parse(data) : Uint8Array.from(data));
  }

  /** Like a real one: the close event comes later, when the test says so (`drop`). */
  close(): void {
    this.readyState = 2;
  }

  // The server's side.

  accept(): void {
    this.readyState = 1;
    this.emit("open", {});
  }

  tell(message: ServerMessage): void {
    this.emit("message", { data: JSON.stringify(message) });
  }

  bytes(data: Uint8Array | string): void {
    const array = typeof data === "string" ? new TextEncoder().encode(data) : data;
    this.emit("message", { data: array.slice().buffer });
  }

  drop(code: number): void {
    this.readyState = 3;
    this.emit("close", { code });
  }

  /** `politeness` null: of a host that does not know it. */
  hello(
    part: {
      session?: Partial<SessionInfo>;
      readonly?: boolean;
      owner?: string | null;
      politeness?: Politeness | null;
      takesSecrets?: boolean;
    } = {},
  ) {
    const { politeness = "polite" } = part;
    this.accept();
    this.tell({
      type: "hello",
      protocol: "cotty.v1",
      session: sessionInfo(part.session),
      limits: { window: 262_144, frame: 65_536 },
      you: { attachment: "me", kind: "human", name: "Ada", readonly: part.readonly ?? false },
      size_owner: part.owner ?? null,
      ...(politeness === null ? {} : { politeness }),
      ...(part.takesSecrets ? { takes_secrets: true } : {}),
    });
  }

  /** One snapshot: the screen, then each piece of history. */
  snapshot(at: number, size: { cols: number; rows: number }, screen: string, history: string[]) {
    const pieces = [{ part: "screen" as const, text: screen }].concat(
      history.map((text) => ({ part: "history" as never, text })),
    );
    pieces.forEach(({ part, text }, index) => {
      this.tell({ type: "snapshot", at, ...size, part, last: index === pieces.length - 1 });
      this.bytes(text);
    });
  }

  get messages(): ClientMessage[] {
    return this.sent.filter((item): item is ClientMessage => !(item instanceof Uint8Array));
  }

  get typed(): string {
    const bytes = this.sent.filter((item) => item instanceof Uint8Array);
    return bytes.map((item) => new TextDecoder().decode(item)).join("");
  }

  private emit(type: string, event: object): void {
    for (const listener of this.listeners.get(type) ?? []) listener(event as never);
  }
}

/** Opens fake sockets and hands each to the test. */
export class FakeNetwork {
  readonly sockets: FakeSocket[] = [];
  private waiting: (() => void)[] = [];

  readonly open: OpenSocket = (url, protocols) => {
    const socket = new FakeSocket(url, protocols);
    this.sockets.push(socket);
    for (const wake of this.waiting.splice(0)) wake();
    return socket as SocketLike;
  };

  /** The `count`th socket (1-based), as soon as the client opens it. */
  async socket(count: number): Promise<FakeSocket> {
    for (;;) {
      const found = this.sockets[count - 1];
      if (found) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }
}

export function sessionInfo(part: Partial<SessionInfo> = {}): SessionInfo {
  return {
    ...plainState,
    id: "abcdefghijklmnopqrstuvwxyz",
    name: "shell",
    pid: 100,
    command: ["bash"],
    cwd: "/home/ada",
    foreground: null,
    cols: 80,
    rows: 24,
    title: "",
    phase: "running",
    exited: false,
    exit_code: null,
    signal: null,
    viewers: 1,
    created_at: "2026-01-01T00:00:00.000Z",
    exited_at: null,
    tags: [],
    ...part,
  };
}
