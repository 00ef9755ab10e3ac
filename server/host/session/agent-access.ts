// What agents may do with one session, as a person set it (AC1), and what follows at once when it is set anew (AC2). Knows the viewers only
// as far as those of agents have to be ended; who may set it is the port's to decide.
import { Emitter } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Access } from "#lib/protocol/lease.ts";
import type { Fanout } from "#server/host/viewer/fanout.ts";
import type { Keyboard } from "./keyboard.ts";

const sealedReason = "a person disconnected agents from this session";

/** A viewer, as far as its session has to end it. */
export interface AttachedViewer {
  readonly isAgent: boolean;
  end(code: "SEALED", reason: string): void;
}

export class AgentAccess implements Disposable {
  private readonly viewers = new Set<AttachedViewer>();
  private readonly changes = new Emitter<Access>();
  /** Before anything else can happen. */
  readonly onChange = this.changes.event;

  constructor(
    private access: Access,
    private readonly keyboard: Pick<Keyboard, "dropStale">,
    private readonly fanout: Pick<Fanout, "notice">,
  ) {}

  get current(): Access {
    return this.access;
  }

  attached(viewer: AttachedViewer): void {
    this.viewers.add(viewer);
  }

  detached(viewer: AttachedViewer): void {
    this.viewers.delete(viewer);
  }

  /** Takes effect before it returns: agents' queued input is dropped, and sealing ends their viewers. */
  set(access: Access): void {
    this.access = access;
    this.keyboard.dropStale();
    if (access === "sealed")
      for (const viewer of [...this.viewers])
        if (viewer.isAgent) viewer.end("SEALED", sealedReason);
    this.fanout.notice({ type: "access", access });
    this.changes.fire(access);
  }

  dispose(): void {
    this.changes.dispose();
  }
}
