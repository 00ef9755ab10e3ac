// One attached viewer: what its frames do. Bound to one actor and one stream; a late close of one never touches another (AT10).

import { utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { attachProtocol, type ServerMessage } from "#lib/protocol/attach.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { randomId } from "#lib/protocol/ids.ts";
import type { LeaseAction, Politeness } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import { isFocusReport, reportBytes } from "#server/host/input/reports.ts";
import { AttachStream, frameBytes } from "#server/host/viewer/attach-stream.ts";
import { CoveredLog } from "#server/host/viewer/covered-log.ts";
import { RenderStream } from "#server/host/viewer/render-stream.ts";
import type { Sink } from "#server/host/viewer/sink.ts";
import type { ViewerStream } from "#server/host/viewer/viewer-stream.ts";
import type { AttachedViewer } from "./agent-access.ts";
import type { AttachmentApi, AttachOptions } from "./attachment-api.ts";
import { Hand } from "./hand.ts";
import { Permission } from "./permission.ts";
import type { Session } from "./session.ts";

export interface Viewer {
  readonly actor: Actor;
  readonly readonly: boolean;
}

export class Attachment implements AttachmentApi, AttachedViewer {
  /** Unguessable: another viewer's id opens nothing, but needs not be known either. */
  readonly id = randomId(16);
  private readonly stream: ViewerStream;
  /** With `view=render` the same stream; its viewer has a size of its own and no say in the session's. */
  private readonly render: RenderStream | null = null;
  /** What an agent's viewer gets of the log; null: a person's gets it as it is. */
  private readonly covered: CoveredLog | null = null;
  private readonly permission: Permission;
  private readonly hand: Hand;
  private readonly idleMs: number | null;
  private isGone = false;

  constructor(
    private readonly session: Session,
    private readonly viewer: Viewer,
    sink: Sink,
    options: AttachOptions,
    clock: Clock,
  ) {
    const { actor, readonly } = viewer;
    this.permission = new Permission(session, actor, readonly);
    this.hand = new Hand(session, this.permission, clock);
    this.idleMs = options.idleMs === undefined ? session.idleMs : options.idleMs;
    session.agentAccess.attached(this);
    if (actor.kind === "human") session.arbiter.joined(actor.id);
    const { log, views, fanout } = session;
    if (options.render) {
      const of = {
        view: options.render,
        told: session.sizes.size,
        isReader: viewer.readonly,
        isCovered: this.isAgent,
      };
      this.render = new RenderStream(sink, log, views.frames, clock, of);
      this.stream = this.render;
      fanout.add(this.render);
      this.render.begin(this.hello());
    } else {
      if (this.isAgent)
        this.covered = new CoveredLog(log, session.words, clock, () => this.stream.flush());
      const snapshots = this.isAgent ? views.agentSnapshots : views.snapshots;
      const stream = new AttachStream(sink, this.covered ?? log, snapshots, clock);
      this.stream = stream;
      fanout.add(stream);
      // Only people who may type can lead the size (SZ2).
      if (viewer.actor.kind === "human" && !viewer.readonly)
        session.sizes.fact({ kind: "joined", id: this.id });
      stream.begin(this.hello(), options.since);
    }
    session.changed();
  }

  get isAgent(): boolean {
    return this.viewer.actor.kind === "agent";
  }

  typed(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.cannotWrite()) {
      if (!this.isOver()) this.hand.refused({ cause: "keys", unit: bytes }, "READ_ONLY");
      return;
    }
    this.told(() => {
      const { idleMs } = this;
      this.type({ cause: "keys", unit: bytes, idleMs });
      // A key that was swallowed leads nothing.
      if (!this.isAgent) this.session.sizes.fact({ kind: "typed", id: this.id });
    });
  }

  /** Focus reports pass as the terminal's own. What the mouse does is the program's only while this person has the keyboard (LS2). */
  report(data: string): void {
    if (this.cannotWrite()) return;
    const bytes = reportBytes(data, this.session.screen.modes);
    if (!bytes || this.isAgent) return;
    if (!isFocusReport(data) && !this.session.arbiter.holds(this.viewer.actor.id)) return;
    this.told(() => this.type({ cause: "report", unit: bytes }));
  }

  propose(size: GridSize): void {
    // After exit too: it is the viewer's terminal that changed.
    if (this.render) this.render.resizeView(size);
    else if (!this.isOver()) this.session.sizes.fact({ kind: "proposed", id: this.id, size });
  }

  /** Judged like a resize by the API; what is refused is recorded as refused (AU1). */
  useMySize(size: GridSize): void {
    if (this.isOver()) return;
    const { session, viewer, isAgent } = this;
    const act = { act: "resize", what: `${size.cols}x${size.rows} of this viewer` } as const;
    this.told(() =>
      session.traces.trail.around(viewer.actor, act, () => {
        this.permission.demand("drive");
        if (isAgent) throw new TermError("FORBIDDEN", "a session follows the viewers of people");
        if (this.render)
          throw new TermError("BAD_REQUEST", "a viewer of view=render cannot lead the size");
        session.sizes.fact({ kind: "took", id: this.id, size });
      }),
    );
  }

  acknowledge(at: number): void {
    if (!this.isGone) this.stream.acknowledge(at);
  }

  keyboard(action: LeaseAction["action"]): void {
    if (this.isOver()) return;
    const { actor, readonly } = this.viewer;
    const act = { act: "lease", what: action } as const;
    this.told(() =>
      this.session.traces.trail.around(actor, act, () => {
        if (readonly) throw new TermError("READ_ONLY", "this viewer is read-only");
        if (this.isAgent) throw new TermError("FORBIDDEN", "the keyboard is given by people");
        this.hand.act(action);
      }),
    );
  }

  /** A choice, not an act: of who may not type it means nothing, and nothing is refused. */
  prefers(said: Politeness | "server"): void {
    if (this.isOver() || this.viewer.readonly || this.isAgent) return;
    const politeness = said === "server" ? this.session.politeness : said;
    this.hand.politeness = politeness;
    this.session.arbiter.prefers(this.viewer.actor.id, politeness);
  }

  /** Asked anew: the program may have stopped asking a moment ago, and what is typed then is anybody's to read. */
  async answer(text: string): Promise<void> {
    if (this.cannotWrite()) return;
    const { session, isAgent } = this;
    if (!isAgent) await session.activity.refresh();
    if (this.isOver()) return;
    const unit = utf8(`${text}\r`);
    if (isAgent || !session.isSecret) {
      const code = isAgent ? "FORBIDDEN" : "NO_PASSWORD_ASKED";
      const detail = isAgent ? "passwords are answered by people" : "no password is asked for";
      this.hand.refusedSecret({ cause: "keys", unit }, code);
      this.refuse(new TermError(code, `${detail}; nothing was typed`));
      return;
    }
    this.typed(unit);
  }

  ping(id: number): void {
    if (!this.isGone) this.stream.answer({ type: "pong", id });
  }

  dispose(): void {
    if (this.isGone) return;
    this.isGone = true;
    this.stream.dispose();
    this.covered?.dispose();
    this.session.fanout.remove(this.stream);
    this.session.agentAccess.detached(this);
    if (!this.isAgent) this.session.arbiter.left(this.viewer.actor.id);
    this.session.sizes.fact({ kind: "left", id: this.id });
    this.session.changed();
  }

  end(code: "SEALED", reason: string): void {
    this.stream.end(code, reason);
    this.dispose();
  }

  private hello(): ServerMessage {
    const { session } = this;
    const { actor, readonly } = this.viewer;
    return {
      type: "hello",
      protocol: attachProtocol,
      session: session.info(),
      limits: { window: limits.viewerWindowBytes, frame: frameBytes },
      you: { attachment: this.id, id: actor.id, kind: actor.kind, name: actor.name, readonly },
      size_owner: session.sizes.owner,
      view: this.render ? "render" : "live",
      politeness: session.politeness,
      takes_secrets: true,
    };
  }

  private type(typing: Parameters<Hand["type"]>[0]): void {
    // Only an agent's can be lost, and its viewer is told as if it had been refused at once.
    this.hand.type(typing).catch((error) => this.refuse(error));
  }

  /** A refusal is told to the viewer, which stays. */
  private told(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.refuse(error);
    }
  }

  private refuse(error: unknown): void {
    if (!(error instanceof TermError)) throw error;
    if (!this.isGone) this.stream.refuse(error.code, error.message);
  }

  /** After exit what a viewer sends is ignored (PT9); a reader is told each time (AT5). */
  private cannotWrite(): boolean {
    if (this.isOver()) return true;
    if (!this.viewer.readonly) return false;
    this.stream.refuse("READ_ONLY", "this viewer is read-only; nothing was typed");
    return true;
  }

  private isOver(): boolean {
    return this.isGone || this.session.record.hasEnded;
  }
}
