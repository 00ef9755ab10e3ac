// What one actor may do with one session. The only door to a session for every transport; acts are decided here, once.
import type { Clock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { AuditActName } from "#lib/protocol/audit.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { InputItem, WriteReply } from "#lib/protocol/input.ts";
import type { CommandList, CommandRecord, OutputReply } from "#lib/protocol/journal.ts";
import type { Access, Lease, LeaseAction } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { MouseEvent } from "#lib/protocol/mouse.ts";
import { may } from "#lib/protocol/roles.ts";
import {
  type ScreenQuery,
  type ScreenReply,
  type ScreenText,
  wholeScreen,
} from "#lib/protocol/screen.ts";
import type { ChangeSession, SessionInfo, SignalName } from "#lib/protocol/session.ts";
import type { Act, ActReply, Explanation, Verdict, WaitRequest } from "#lib/protocol/wait.ts";
import type { AgentView, WritesQuery, WritesReply } from "#lib/protocol/writes.ts";
import type { Sink } from "#server/host/viewer/sink.ts";
import type { WaitDesk } from "#server/host/wait/wait-desk.ts";
import { act } from "./act.ts";
import { actShown, commandShown, screenShown, verdictShown } from "./agent-view.ts";
import { Attachment } from "./attachment.ts";
import type { AttachmentApi, AttachOptions } from "./attachment-api.ts";
import { Hand } from "./hand.ts";
import { Looks } from "./looks.ts";
import { mouseUnit } from "./mouse-unit.ts";
import { Permission } from "./permission.ts";
import {
  type CommandIndex,
  type CommandOutput,
  type CommandOutputQuery,
  type CommandsQuery,
  getCommand,
  listCommands,
  readCommandOutput,
} from "./read-commands.ts";
import { type OutputQuery, readOutput } from "./read-output.ts";
import { readScreen } from "./read-screen.ts";
import type { Session } from "./session.ts";
import type { SessionPortApi, WriteOptions } from "./session-port-api.ts";
import { type Waiting, wait } from "./wait.ts";
import { inTurn, type Writing, writeBatch } from "./write-batch.ts";

export class SessionPort implements SessionPortApi {
  private readonly permission: Permission;
  private readonly looks: Looks;

  constructor(
    private readonly session: Session,
    private readonly actor: Actor,
    readonly: boolean,
    private readonly clock: Clock,
    private readonly desk: WaitDesk,
    /** Id of the request that acts; null: none. */
    private readonly request: string | null = null,
  ) {
    const isReader = readonly || !may(actor.role, "input.write");
    this.permission = new Permission(session, actor, isReader);
    this.looks = new Looks(session, this.permission, clock, request);
  }

  info(): SessionInfo {
    this.permission.demand("look");
    return this.session.info();
  }

  change(change: ChangeSession): SessionInfo {
    const { name, tags } = change;
    const what = [...(name === undefined ? [] : [`name ${name}`]), ...(tags ? ["tags"] : [])];
    return this.acting("change", what.join(", "), () => {
      this.permission.demand("label");
      this.session.record.change(change);
      this.session.changed();
      return this.session.info();
    });
  }

  write(items: readonly InputItem[], options: WriteOptions = {}): Promise<WriteReply> {
    const { writing } = this;
    return inTurn(writing, items, options, async (held) => {
      await writeBatch(writing, items, options);
      return { written: items.length, ...(held ? { held } : {}) };
    });
  }

  mouse(event: MouseEvent): number {
    const { actor, session, request } = this;
    const { trail } = session.traces;
    const { bytes, reports } = trail.refusals(actor, { act: "mouse", request }, () => {
      this.permission.demand("point");
      const isTheirs = actor.kind === "agent" || session.arbiter.holds(actor.id);
      const { modes } = session.screen;
      return mouseUnit(event, { modes, size: session.sizes.size, isTheirs });
    });
    // On its way: what a takeover still does to it is told by the lease.
    this.hand()
      .type({ cause: "mouse", unit: bytes, request: request ?? undefined })
      .catch(() => {});
    return reports;
  }

  resize(size: GridSize): void {
    this.acting("resize", `${size.cols}x${size.rows}`, () => {
      this.permission.demand("drive");
      this.session.sizes.fact({ kind: "set", size });
    });
  }

  signal(signal: SignalName): void {
    this.acting("signal", signal, () => {
      this.permission.demand("drive");
      this.session.signal(signal);
    });
  }

  async close(signal: SignalName): Promise<void> {
    return this.acting("close", signal, () => {
      this.permission.demand("end");
      return this.session.close(signal);
    });
  }

  async screen(): Promise<ScreenText> {
    return wholeScreen(await this.readScreen({}));
  }

  readScreen(query: ScreenQuery): Promise<ScreenReply> {
    return this.looks.shown("screen", screenShown, (session) =>
      readScreen(session, this.clock, query),
    );
  }

  async wait(request: WaitRequest, signal?: AbortSignal): Promise<Verdict> {
    this.permission.demand("look");
    this.tellWait(request);
    const verdict = await wait(this.waiting, request, signal);
    // What was printed was read over several turns (AC2).
    if (verdict.outcome === "sealed") return verdict;
    this.permission.demand("look");
    return this.looks.handed("wait", verdictShown, verdict);
  }

  async act(
    request: Act,
    { request: requestId }: { request?: string | undefined } = {},
    signal?: AbortSignal,
  ): Promise<ActReply> {
    const { input, gap_ms: gapMs, if_draft: ifDraft, note } = request;
    const { writing } = this;
    const options = { gapMs, ifDraft, note, request: requestId };
    const reply = await act(
      this.waiting,
      request,
      {
        inTurn: (type) => inTurn(writing, input, options, type),
        write: async () => {
          await writeBatch(writing, input, options);
          this.tellWait(request.wait ?? {});
        },
        screen: () => readScreen(this.session, this.clock, { view: "compact" }),
      },
      signal,
    );
    if (reply.wait.outcome === "sealed") return reply;
    this.permission.demand("look");
    return this.looks.handed("act", actShown, reply);
  }

  /** For who watches: that an agent waits, and for which words. */
  private tellWait({ for: conditions = [] }: Pick<WaitRequest, "for">): void {
    if (this.actor.kind !== "agent") return;
    const words = conditions.flatMap((each) =>
      "text" in each ? [each.text] : "regex" in each ? [each.regex] : [],
    )[0];
    const { agentNews, words: secrets } = this.session;
    agentNews.did("waits", this.actor.name, words && secrets.hide(words));
  }

  explain(): Promise<Explanation> {
    return this.looks.look((session) => session.activity.explain());
  }

  readOutput(query: OutputQuery): Promise<OutputReply> {
    const shown = ({ text }: OutputReply) => text;
    return this.looks.shown("output", shown, (session) => readOutput(session, this.clock, query));
  }

  listCommands(query: CommandsQuery): Promise<CommandList> {
    return this.looks.look((session) => listCommands(session, this.clock, query));
  }

  getCommand(index: CommandIndex): Promise<CommandRecord> {
    return this.looks.look((session) => getCommand(session, this.clock, index));
  }

  async readCommandOutput(index: CommandIndex, query?: CommandOutputQuery): Promise<CommandOutput> {
    const found = await this.looks.look((session) =>
      readCommandOutput(session, this.clock, index, query),
    );
    this.looks.showed("command", commandShown(found));
    return found;
  }

  listWrites(query: WritesQuery): WritesReply {
    this.permission.demandPerson();
    return this.session.traces.writes.list(query);
  }

  agentView(): AgentView | null {
    this.permission.demandPerson();
    const view = this.session.traces.view.current;
    // It may be older than what is hidden in it.
    return view && { ...view, text: this.session.words.hide(view.text) };
  }

  lease(): Lease {
    this.permission.demand("look");
    return this.session.arbiter.lease();
  }

  keyboard(action: LeaseAction["action"]): Lease {
    return this.acting("lease", action, () => {
      this.permission.demandPerson();
      this.permission.demand("drive");
      this.hand().act(action);
      return this.session.arbiter.lease();
    });
  }

  setAccess(access: Access): SessionInfo {
    return this.acting("access", access, () => {
      this.permission.demandPerson();
      this.session.setAccess(access);
      return this.session.info();
    });
  }

  requestHuman(reason: string): SessionInfo {
    return this.acting("request_human", reason, () => {
      this.permission.demand("ask");
      this.session.needs.ask(this.actor.name, this.session.words.hide(reason));
      return this.session.info();
    });
  }

  attach(sink: Sink, options: AttachOptions): AttachmentApi {
    const isReader = options.readonly || this.permission.isReader;
    return this.acting("attach", isReader ? "to look" : "to type", () =>
      this.attached(sink, options, isReader),
    );
  }

  private attached(sink: Sink, options: AttachOptions, isReader: boolean): AttachmentApi {
    this.permission.demand("look");
    const { fanout, record } = this.session;
    if (record.lifecycle.state === "closed")
      throw new TermError("SESSION_NOT_FOUND", `session ${record.id} was closed meanwhile`);
    // An agent's viewer gets stars for what people typed as secrets. Values of a launch are the program's own: it may print them in any form.
    if (this.actor.kind === "agent" && this.session.secretNames.length > 0)
      throw new TermError(
        "FORBIDDEN",
        "agents cannot attach to a session that was started with secrets; they read its screen and output",
      );
    if (fanout.count >= limits.viewersPerSession) {
      throw new TermError("TOO_MANY_VIEWERS", `this session has ${fanout.count} viewers already`);
    }
    const viewer = { actor: this.actor, readonly: isReader };
    return new Attachment(this.session, viewer, sink, options, this.clock);
  }

  private acting<T>(act: AuditActName, what: string, run: () => T): T {
    const { request } = this;
    return this.session.traces.trail.around(this.actor, { act, what, request }, run);
  }

  private get waiting(): Waiting {
    const { session, actor, desk, clock } = this;
    return { session, actor, desk, clock };
  }

  private get writing(): Writing {
    const { session, permission, request } = this;
    return { session, permission, hand: this.hand(), request };
  }

  private hand(): Hand {
    return new Hand(this.session, this.permission, this.clock);
  }
}
