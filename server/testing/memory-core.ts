// A HostCore without processes: sessions are values in a map, and everything that reached them is written down. For the API's edge alone;
// what sessions really do is tested with real ones.
import { systemClock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { newSessionId } from "#lib/protocol/ids.ts";
import { plainState, type SessionInfo } from "#lib/protocol/session.ts";
import type { Verdict, WaitManyReply, WaitManyRequest } from "#lib/protocol/wait.ts";
import type { HostCore } from "#server/host/api/host-core.ts";
import { EventFeed } from "#server/host/events/event-feed.ts";
import type { AttachmentApi } from "#server/host/session/attachment-api.ts";
import type { SessionEvent } from "#server/host/session/session-event.ts";
import type { SessionPortApi } from "#server/host/session/session-port-api.ts";
import type { Sink } from "#server/host/viewer/sink.ts";

/** A viewer's frames as they came; `sink` is for the test to answer on. */
export class MemoryAttachment implements AttachmentApi {
  readonly id = newSessionId();
  isDisposed = false;

  constructor(
    readonly sink: Sink,
    private readonly did: (act: string, value?: unknown) => void,
  ) {}

  typed(bytes: Uint8Array): void {
    this.did("typed", Buffer.from(bytes).toString("latin1"));
  }
  report(data: string): void {
    this.did("report", data);
  }
  propose(size: GridSize): void {
    this.did("propose", size);
  }
  useMySize(size: GridSize): void {
    this.did("use_my_size", size);
  }
  acknowledge(at: number): void {
    this.did("ack", at);
  }
  keyboard(action: string): void {
    this.did("keyboard", action);
  }
  async answer(text: string): Promise<void> {
    this.did("answer", text);
  }
  prefers(politeness: string): void {
    this.did("prefers", politeness);
  }
  ping(id: number): void {
    this.did("ping", id);
    this.sink.send({ type: "pong", id });
  }
  dispose(): void {
    this.isDisposed = true;
  }
}

const atOnce: Verdict = {
  outcome: "timed_out",
  confidence: "exact",
  evidence: { because: "Nothing happens here.", phase: "running" },
  elapsed_ms: 0,
  first_output_ms: null,
  no_output: true,
  next: "0:0",
};

export class MemoryCore implements HostCore {
  private readonly happened = new Emitter<SessionEvent>();
  private readonly feed = new EventFeed(this.happened.event, systemClock);
  readonly events: HostCore["events"] = {
    position: "000000000-000000000000",
    open: (actor, wish) => {
      this.did("events", wish);
      return this.feed.open(actor, wish);
    },
    stream: (reader) => this.feed.stream(reader),
  };
  readonly sessions = new Map<string, SessionInfo>();
  /** Every act that passed the edge, in order. */
  readonly acts: { act: string; value?: unknown }[] = [];
  readonly attachments: MemoryAttachment[] = [];
  /** When set, every act throws it. */
  fault: unknown;

  async create(_actor: Actor, request: Parameters<HostCore["create"]>[1]): Promise<SessionInfo> {
    this.did("create", request);
    const info: SessionInfo = {
      ...plainState,
      id: newSessionId(),
      name: request.name ?? "shell",
      pid: 1,
      command: request.command ?? ["/bin/sh"],
      cwd: "/",
      foreground: null,
      cols: request.cols ?? 80,
      rows: request.rows ?? 24,
      title: "",
      phase: "running",
      exited: false,
      exit_code: null,
      signal: null,
      viewers: 0,
      created_at: new Date(0).toISOString(),
      exited_at: null,
      tags: request.tags ?? [],
    };
    this.sessions.set(info.id, info);
    this.happened.fire({ kind: "created", session: { ...info } });
    return info;
  }

  list(_actor: Actor, tag: string | undefined): readonly SessionInfo[] {
    this.did("list", tag);
    return [...this.sessions.values()].filter((info) => !tag || info.tags.includes(tag));
  }

  port(_actor: Actor, id: string): SessionPortApi {
    const info = this.sessions.get(id);
    if (!info) throw new TermError("SESSION_NOT_FOUND", `there is no session ${id}`);
    return {
      info: () => {
        this.did("info");
        return info;
      },
      change: (change) => {
        this.did("change", change);
        return Object.assign(info, change);
      },
      write: async (items) => {
        this.did("write", items);
        return { written: items.length };
      },
      mouse: (event) => {
        this.did("mouse", event);
        return event.type === "click" ? 2 : 1;
      },
      resize: (size) => {
        this.did("resize", size);
        Object.assign(info, size);
      },
      signal: (signal) => this.did("signal", signal),
      close: async (signal) => {
        this.did("close", signal);
        this.sessions.delete(id);
      },
      screen: () => this.absent("screen"),
      readScreen: () => this.absent("screen"),
      explain: () => this.absent("explain"),
      readOutput: () => this.absent("output"),
      listCommands: () => this.absent("commands"),
      getCommand: () => this.absent("command"),
      readCommandOutput: () => this.absent("command output"),
      attach: (sink, options) => {
        this.did("attach", options);
        const attachment = new MemoryAttachment(sink, (act, value) => this.did(act, value));
        this.attachments.push(attachment);
        sink.send({ type: "title", title: `attached ${this.attachments.length}` });
        return attachment;
      },
      listWrites: () => {
        this.did("writes");
        return { writes: [], oldest_n: 0, next_n: 0 };
      },
      agentView: () => {
        this.did("agent_view");
        return null;
      },
      lease: () => {
        this.did("lease");
        return info.lease;
      },
      keyboard: (action) => {
        this.did("keyboard", action);
        return info.lease;
      },
      setAccess: (access) => {
        this.did("access", access);
        return Object.assign(info, { access });
      },
      requestHuman: (reason) => {
        this.did("request_human", reason);
        return info;
      },
      wait: async (request) => {
        this.did("wait", request);
        return atOnce;
      },
      act: async (request) => {
        this.did("act", request);
        return { written: request.input.length, wait: atOnce };
      },
    };
  }

  async waitMany(_actor: Actor, request: WaitManyRequest): Promise<WaitManyReply> {
    this.did("wait_many", request);
    return { session: null, verdict: null, generation: "" };
  }

  /** What the audit has not kept yet. */
  settling: Promise<void> | null = null;

  settled(): Promise<void> | null {
    return this.settling;
  }

  async audit(): ReturnType<HostCore["audit"]> {
    this.did("audit");
    return { entries: [], before: null, warning: null };
  }

  server(): ReturnType<HostCore["server"]> {
    this.did("server");
    return {
      version: "0",
      hostname: "test",
      cwd: "/",
      terminals: { state: "ready" },
      sessions: { open: this.sessions.size, max: 32 },
      default_command: ["/bin/sh"],
    };
  }

  profiles(): ReturnType<HostCore["profiles"]> {
    this.did("profiles");
    return { profiles: [], problems: [] };
  }

  /** There is no program to have printed anything. */
  private async absent(what: string): Promise<never> {
    this.did(what);
    throw new TermError("COMMAND_NOT_FOUND", `the memory core has no ${what}`);
  }

  private did(act: string, value?: unknown): void {
    this.acts.push(value === undefined ? { act } : { act, value });
    if (this.fault !== undefined) throw this.fault;
  }
}
