// The real thing for a bench: the built CLI as its own processes on a temporary state directory, and clients over TCP.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebSocket } from "ws";
import { attachProtocol, type ServerMessage } from "#lib/protocol/attach.ts";
import type { CreateSession, SessionInfo } from "#lib/protocol/session.ts";
import { findHost, type HostEndpoint } from "#server/state/host-endpoint.ts";
import { stateDirAt } from "#server/state/state-dir.ts";

export const cli = join(import.meta.dirname, "../../dist/cotty.js");

export class Stack {
  readonly stateRoot = mkdtempSync(join(tmpdir(), "cotty-bench-"));
  private web: ChildProcess | null = null;
  url = "";
  private owner = "";

  static async start(...flags: string[]): Promise<Stack> {
    const stack = new Stack();
    const child = spawn(
      process.execPath,
      [cli, "start", "--no-open", "--port", "0", "--state-dir", stack.stateRoot, ...flags],
      {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, SHELL: "/bin/sh" },
      },
    );
    stack.web = child;
    const link = await new Promise<string>((resolve, reject) => {
      child.stdout?.once("data", (chunk: Buffer) => resolve(chunk.toString().trim()));
      child.once("exit", (code) => reject(new Error(`cotty start ended with ${code}`)));
    });
    stack.url = new URL(link).origin;
    stack.owner = stack.token("owner");
    return stack;
  }

  get webPid(): number {
    return this.web?.pid ?? 0;
  }

  get host(): HostEndpoint {
    const found = findHost(stateDirAt(this.stateRoot));
    if (!found) throw new Error("the host is gone");
    return found;
  }

  token(name: string): string {
    const text = execFileSync(
      process.execPath,
      [cli, "token", "create", "--role", "owner", "--name", name, "--state-dir", this.stateRoot],
      {
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    return text.toString().trim();
  }

  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.owner}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  create(request: CreateSession): Promise<SessionInfo> {
    return this.call("POST", "/sessions", request);
  }

  close(session: SessionInfo): Promise<void> {
    return this.call("DELETE", `/sessions/${session.id}?signal=KILL`);
  }

  attach(session: SessionInfo, token = this.owner, query = ""): Viewer {
    const address = `${this.url.replace("http", "ws")}/api/v1/sessions/${session.id}/attach${query}`;
    return new Viewer(
      new WebSocket(address, [attachProtocol], {
        headers: { authorization: `Bearer ${token}` },
        perMessageDeflate: false,
      }),
    );
  }

  /** Resident memory in KiB. */
  static rss(pid: number): number {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  }

  async stop(): Promise<void> {
    execFileSync(process.execPath, [cli, "stop", "--all", "--state-dir", this.stateRoot], {
      stdio: "ignore",
    });
    this.web?.kill("SIGKILL");
    rmSync(this.stateRoot, { recursive: true, force: true });
  }
}

/** An acknowledging viewer that draws nothing: what arrives is counted and acknowledged. */
export class Viewer {
  offset = 0;
  bytes = 0;
  resyncs = 0;
  private acked = 0;
  private pendingSnapshot: { at: number; last: boolean } | null = null;
  private readonly waiters: { until: () => boolean; done: () => void }[] = [];
  onBytes: (bytes: Buffer) => void = () => {};
  onMessage: (message: ServerMessage) => void = () => {};
  isLive = false;

  constructor(readonly socket: WebSocket) {
    socket.binaryType = "nodebuffer";
    socket.on("message", (data: Buffer, isBinary) => {
      if (isBinary) this.binary(data);
      else this.message(JSON.parse(data.toString()) as ServerMessage);
      this.settle();
    });
    socket.on("close", () => this.settle());
    socket.on("error", () => {});
  }

  /** Resolves when `until` is true, looked at after each frame. */
  when(until: () => boolean): Promise<void> {
    if (until()) return Promise.resolve();
    return new Promise((done) => this.waiters.push({ until, done }));
  }

  private settle(): void {
    for (const waiter of [...this.waiters]) {
      if (!waiter.until() && this.socket.readyState < 2) continue;
      this.waiters.splice(this.waiters.indexOf(waiter), 1);
      waiter.done();
    }
  }

  private binary(data: Buffer): void {
    if (this.pendingSnapshot) {
      const { at, last } = this.pendingSnapshot;
      this.pendingSnapshot = null;
      if (!last) return;
      this.offset = at;
      this.isLive = true;
      this.acknowledge();
      return;
    }
    this.offset += data.length;
    this.bytes += data.length;
    this.onBytes(data);
    if (this.offset - this.acked >= 32_768) this.acknowledge();
  }

  private message(message: ServerMessage): void {
    if (message.type === "snapshot") this.pendingSnapshot = { at: message.at, last: message.last };
    else if (message.type === "resync") this.resyncs += 1;
    this.onMessage(message);
  }

  private acknowledge(): void {
    this.acked = this.offset;
    this.socket.send(JSON.stringify({ type: "ack", at: this.offset }));
  }
}
