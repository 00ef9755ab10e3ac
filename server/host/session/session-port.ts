// What one actor may do with one session. The only door to a session for every transport; acts are decided here, once.
import { assertNever } from "#lib/base/assert.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { AuditActName } from "#lib/protocol/audit.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { InputItem } from "#lib/protocol/input.ts";
import type { CommandList, CommandRecord, OutputReply } from "#lib/protocol/journal.ts";
import type { Access, Handover, Lease, LeaseAction, Politeness } from "#lib/protocol/lease.ts";
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
import { encodeMouse } from "#lib/terminal/mouse.ts";
import { type EncodedInput, encodeInput } from "#server/host/input/encode-input.ts";
import type { Sink } from "#server/host/viewer/sink.ts";
import type { WaitDesk } from "#server/host/wait/wait-desk.ts";
import { act } from "./act.ts";
import { actShown, commandShown, screenShown, verdictShown } from "./agent-view.ts";
import { Attachment } from "./attachment.ts";
import { type ActKind, decide, termError } from "./decide.ts";
import { Hand, type Typing } from "./hand.ts";
import {
  type CommandIndex,
  type CommandOutput,
  type CommandsQuery,
  getCommand,
  listCommands,
  readCommandOutput,
} from "./read-commands.ts";
import { type OutputQuery, readOutput } from "./read-output.ts";
import { readScreen } from "./read-screen.ts";
import type { Session } from "./session.ts";
import { type Waiting, wait } from "./wait.ts";

export interface WriteOptions {
  gapMs?: number | undefined;
  /** What becomes of a person's unsent text, once the keyboard is the agents' again (DR2). */
  ifDraft?: "clear" | "keep" | undefined;
  /** Shown to people and journalled, never typed. */
  note?: string | undefined;
  request?: string | undefined;
}

export interface SessionPortApi {
  /** Throws SEALED, as every look of an agent at a sealed session does. */
  info(): SessionInfo;
  change(change: ChangeSession): SessionInfo;
  /**
   * All or nothing; refuses UNKNOWN_KEY, LINE_TOO_LONG, INPUT_BACKLOG and what decide.ts does. Returns the number of items. They are queued
   * before it returns, but when a line is so long that the terminal has to be asked (IN7). An agent's are answered when all of it is at
   * the program (bounded by `limits.inputAnswerMs`); dropped before that, or cut: LEASE_LOST or HUMAN_REQUIRED with `delivered`.
   */
  write(items: readonly InputItem[], options?: WriteOptions): Promise<number>;
  /** One event as one unit; refuses BAD_REQUEST (not on the screen), MOUSE_NOT_REPORTED and what `write` does. Returns the number of reports. */
  mouse(event: MouseEvent): number;
  resize(size: GridSize): void;
  signal(signal: SignalName): void;
  /** Ends the process tree and removes the session. */
  close(signal: SignalName): Promise<void>;
  /** Waits until everything printed before the call is on the screen (bounded), then reads it whole. */
  screen(): Promise<ScreenText>;
  /** The same in the form that was asked for (OP2). */
  readScreen(query: ScreenQuery): Promise<ScreenReply>;
  /** The observation behind the phase, and the rung that decided (OP4). */
  explain(): Promise<Explanation>;
  /** Refuses BAD_PATTERN and TOO_MANY_WAITS; a timeout is a verdict. Rejects when `signal` aborts. */
  wait(request: WaitRequest, signal?: AbortSignal): Promise<Verdict>;
  /** Type, wait and read (OP7); refuses what `write` and `wait` do. */
  act(
    request: Act,
    options?: { request?: string | undefined },
    signal?: AbortSignal,
  ): Promise<ActReply>;
  /** Waits likewise, then reads what was printed after a cursor (OP3); from the oldest kept line without one. */
  readOutput(query: OutputQuery): Promise<OutputReply>;
  listCommands(query: CommandsQuery): Promise<CommandList>;
  /** Refuses COMMAND_NOT_FOUND. */
  getCommand(index: CommandIndex): Promise<CommandRecord>;
  readCommandOutput(index: CommandIndex, maxBytes?: number): Promise<CommandOutput>;
  /** A viewer; `sink` gets hello, then snapshot or resume, then the log; or frames. Throws TOO_MANY_VIEWERS. */
  attach(sink: Sink, options: AttachOptions): AttachmentApi;
  /** For people: who typed what, and what an agent was last shown. */
  listWrites(query: WritesQuery): WritesReply;
  agentView(): AgentView | null;
  lease(): Lease;
  /** For people: taking, holding and handing back, and what they say about the line and about passwords. */
  keyboard(action: LeaseAction["action"]): Lease;
  /** For people (AC1). In force when it returns. */
  setAccess(access: Access): SessionInfo;
  /** Calls a person; kept until somebody types or dismisses it. */
  requestHuman(reason: string): SessionInfo;
}

export interface AttachOptions {
  readonly readonly: boolean;
  readonly since?: number;
  /** Frames drawn for a terminal of this size instead of the log (AT6). */
  readonly render?: GridSize;
  /** After so long without typing this person's keyboard goes back (LS5); null: never; left out: as the server is set. */
  readonly idleMs?: number | null;
}

/** One attached viewer, as its transport sees it: what the client's frames do. */
export interface AttachmentApi extends Disposable {
  readonly id: string;
  /** Bytes a person caused; refused (error frame) for readers; offers the size authority to this viewer (SZ1). */
  typed(bytes: Uint8Array): void;
  report(data: string): void;
  propose(size: GridSize): void;
  useMySize(size: GridSize): void;
  acknowledge(at: number): void;
  ping(id: number): void;
  /** Taking, holding, handing back; what a person says about the line and about passwords. */
  keyboard(action: LeaseAction["action"]): void;
  /** How others may take the keyboard from this person (LS9). */
  prefers(politeness: Politeness | "server"): void;
  /** The answer to a password prompt; refused (error frame) and dropped where none stands. Settles when that is known. */
  answer(text: string): Promise<void>;
}

export class SessionPort implements SessionPortApi {
  constructor(
    private readonly session: Session,
    private readonly actor: Actor,
    private readonly readonly: boolean,
    private readonly clock: Clock,
    private readonly desk: WaitDesk,
    /** Id of the request that acts; null: none. */
    private readonly request: string | null = null,
  ) {}

  info(): SessionInfo {
    this.demand("look");
    return this.session.info();
  }

  change(change: ChangeSession): SessionInfo {
    const { name, tags } = change;
    const what = [...(name === undefined ? [] : [`name ${name}`]), ...(tags ? ["tags"] : [])];
    return this.acting("change", what.join(", "), () => {
      this.demand("label");
      this.session.record.change(change);
      this.session.changed();
      return this.session.info();
    });
  }

  async write(items: readonly InputItem[], options: WriteOptions = {}) {
    const encode = () => this.refusals("write", () => this.encode(items, options), options.note);
    let encoded = encode();
    const { line } = this.session.keyboard;
    const lineBytes = line.longestWith(encoded.unit);
    if (lineBytes > limits.canonicalLineBytes) {
      const tty = await this.session.ttySettings();
      if (tty.kind === "known" && tty.canonical)
        this.refusals("write", () => {
          throw lineTooLong(lineBytes);
        });
      line.forget();
      // Whatever was decided before the wait may be wrong after it (B112).
      encoded = encode();
    }
    const { ifDraft, note, request = this.request ?? undefined } = options;
    await this.hand().type({
      cause: "input",
      unit: encoded.unit,
      pauses: encoded.gaps,
      ends: encoded.ends,
      ifDraft,
      note,
      request,
    });
    return items.length;
  }

  mouse(event: MouseEvent): number {
    const { bytes, reports } = this.refusals("mouse", () => this.encodeMouse(event));
    const request = this.request ?? undefined;
    // On its way: what a takeover still does to it is told by the lease.
    this.hand()
      .type({ cause: "mouse", unit: bytes, request })
      .catch(() => {});
    return reports;
  }

  private encodeMouse(event: MouseEvent): { bytes: Uint8Array; reports: number } {
    this.demand("point");
    const { mouse, mouse_encoding } = this.session.screen.modes;
    const modes = { mouse, mouse_encoding };
    // A person's mouse takes nothing: it is the program's while that person has the keyboard (LS2).
    if (this.actor.kind === "human" && !this.session.arbiter.holds(this.actor.id)) {
      const detail =
        "the mouse reaches the program only while you have the keyboard; take it first";
      const members = { reason: "keyboard_not_held", modes };
      throw new TermError("MOUSE_NOT_REPORTED", detail, { members });
    }
    const encoded = encodeMouse(event, modes, this.session.sizes.size);
    switch (encoded.kind) {
      case "bytes":
        return encoded;
      case "refused": {
        const { reason, detail } = encoded;
        throw new TermError("MOUSE_NOT_REPORTED", detail, { members: { reason, modes } });
      }
      case "outside": {
        const path = `body.${encoded.field}`;
        const errors = [{ path, message: encoded.detail }];
        throw new TermError("BAD_REQUEST", `${path} ${encoded.detail}`, { errors });
      }
      default:
        return assertNever(encoded);
    }
  }

  resize(size: GridSize): void {
    this.acting("resize", `${size.cols}x${size.rows}`, () => {
      this.demand("drive");
      this.session.sizes.fact({ kind: "set", size });
    });
  }

  signal(signal: SignalName): void {
    this.acting("signal", signal, () => {
      this.demand("drive");
      this.session.signal(signal);
    });
  }

  async close(signal: SignalName): Promise<void> {
    return this.acting("close", signal, () => {
      this.demand("end");
      return this.session.close(signal);
    });
  }

  async screen(): Promise<ScreenText> {
    return wholeScreen(await this.readScreen({}));
  }

  readScreen(query: ScreenQuery): Promise<ScreenReply> {
    return this.shown("screen", screenShown, (session) => readScreen(session, this.clock, query));
  }

  async wait(request: WaitRequest, signal?: AbortSignal): Promise<Verdict> {
    this.demand("look");
    this.tellWait(request);
    const verdict = await wait(this.waiting, request, signal);
    // What was printed was read over several turns (AC2).
    if (verdict.outcome === "sealed") return verdict;
    this.demand("look");
    return this.handed("wait", verdictShown, verdict);
  }

  async act(
    request: Act,
    { request: requestId }: { request?: string | undefined } = {},
    signal?: AbortSignal,
  ): Promise<ActReply> {
    const { input, gap_ms: gapMs, if_draft: ifDraft, note } = request;
    const reply = await act(
      this.waiting,
      request,
      {
        write: async () => {
          const written = await this.write(input, { gapMs, ifDraft, note, request: requestId });
          this.tellWait(request.wait ?? {});
          return written;
        },
        screen: () => readScreen(this.session, this.clock, { view: "compact" }),
      },
      signal,
    );
    if (reply.wait.outcome === "sealed") return reply;
    this.demand("look");
    return this.handed("act", actShown, reply);
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
    return this.look((session) => session.activity.explain());
  }

  readOutput(query: OutputQuery): Promise<OutputReply> {
    const shown = ({ text }: OutputReply) => text;
    return this.shown("output", shown, (session) => readOutput(session, this.clock, query));
  }

  listCommands(query: CommandsQuery): Promise<CommandList> {
    return this.look((session) => listCommands(session, this.clock, query));
  }

  getCommand(index: CommandIndex): Promise<CommandRecord> {
    return this.look((session) => getCommand(session, this.clock, index));
  }

  async readCommandOutput(index: CommandIndex, maxBytes?: number): Promise<CommandOutput> {
    const found = await this.look((session) =>
      readCommandOutput(session, this.clock, index, maxBytes),
    );
    this.showed("command", commandShown(found));
    return found;
  }

  listWrites(query: WritesQuery): WritesReply {
    this.demandPerson();
    return this.session.traces.writes.list(query);
  }

  agentView(): AgentView | null {
    this.demandPerson();
    const view = this.session.traces.view.current;
    // It may be older than what is hidden in it.
    return view && { ...view, text: this.session.words.hide(view.text) };
  }

  lease(): Lease {
    this.demand("look");
    return this.session.arbiter.lease();
  }

  keyboard(action: LeaseAction["action"]): Lease {
    return this.acting("lease", action, () => {
      this.demandPerson();
      const refusal = this.judge("drive");
      if (refusal) throw termError(refusal);
      this.hand().act(action);
      return this.session.arbiter.lease();
    });
  }

  setAccess(access: Access): SessionInfo {
    return this.acting("access", access, () => {
      this.demandPerson();
      this.session.setAccess(access);
      return this.session.info();
    });
  }

  requestHuman(reason: string): SessionInfo {
    return this.acting("request_human", reason, () => {
      this.demand("ask");
      this.session.needs.ask(this.actor.name, this.session.words.hide(reason));
      return this.session.info();
    });
  }

  attach(sink: Sink, options: AttachOptions): AttachmentApi {
    const isReader = options.readonly || this.isReader;
    return this.acting("attach", isReader ? "to look" : "to type", () =>
      this.attached(sink, options),
    );
  }

  private attached(sink: Sink, options: AttachOptions): AttachmentApi {
    this.demand("look");
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
    const viewer = { actor: this.actor, readonly: options.readonly || this.isReader };
    return new Attachment(this.session, viewer, sink, options, this.clock);
  }

  private async look<T>(read: (session: Session) => Promise<T>): Promise<T> {
    this.demand("look");
    const found = await read(this.session);
    // It was read over several turns: a person may have sealed the session meanwhile (AC2).
    this.demand("look");
    if (this.actor.kind === "agent") this.session.agentNews.did("looked", this.actor.name);
    return found;
  }

  /** A reply that shows something, with what an agent has to know of the time before it. */
  private async shown<T extends object>(
    from: AgentView["from"],
    textOf: (reply: T) => string | null,
    read: (session: Session) => Promise<T>,
  ): Promise<T & { handover?: Handover }> {
    return this.handed(from, textOf, await this.look(read));
  }

  private handed<T extends object>(
    from: AgentView["from"],
    textOf: (reply: T) => string | null,
    reply: T,
  ): T & { handover?: Handover } {
    if (this.actor.kind !== "agent") return reply;
    this.showed(from, textOf(reply));
    const handover = this.session.traces.handovers.tell(this.actor);
    return handover ? { ...reply, handover } : reply;
  }

  private showed(from: AgentView["from"], text: string | null): void {
    const { actor, session, request, clock } = this;
    if (actor.kind === "agent") session.traces.view.showed(actor, from, text, request, clock.now());
  }

  private acting<T>(act: AuditActName, what: string, run: () => T): T {
    const { request } = this;
    return this.session.traces.trail.around(this.actor, { act, what, request }, run);
  }

  private refusals<T>(act: AuditActName, run: () => T, note?: string): T {
    const { request } = this;
    return this.session.traces.trail.refusals(this.actor, { act, request, note }, run);
  }

  private encode(items: readonly InputItem[], { gapMs, ifDraft }: WriteOptions) {
    this.demand("type", ifDraft);
    const { journal, screen } = this.session;
    // A shell that said it edits a line takes Enter as Enter; the gap is for programs that guess (IN4).
    const gap = gapMs ?? (journal.state === "input" ? 0 : undefined);
    const encoded = encodeInput(items, screen.modes, gap);
    if (!encoded.ok) throw refusal(encoded);
    return encoded;
  }

  private get waiting(): Waiting {
    const { session, actor, desk, clock } = this;
    return { session, actor, desk, clock };
  }

  private hand(): Hand {
    return new Hand(this.session, this.actor, this.isReader, this.clock);
  }

  private get isReader(): boolean {
    return this.readonly || !may(this.actor.role, "input.write");
  }

  private judge(act: ActKind, ifDraft?: Typing["ifDraft"]) {
    return decide(act, this.session.actFacts(this.actor, this.isReader, ifDraft));
  }

  private demand(act: ActKind, ifDraft?: Typing["ifDraft"]): void {
    const refusal = this.judge(act, ifDraft);
    if (refusal) throw termError(refusal);
  }

  /** The gate's table says the same; this is for those who come another way. */
  private demandPerson(): void {
    if (this.actor.kind === "human") return;
    throw new TermError(
      "FORBIDDEN",
      `${this.actor.name} is no person; the keyboard is given by people`,
    );
  }
}

function lineTooLong(bytes: number): TermError {
  return new TermError(
    "LINE_TOO_LONG",
    `the program reads whole lines of at most ${limits.canonicalLineBytes} bytes, and this one would have ${bytes}; nothing was typed`,
  );
}

function refusal(refused: Extract<EncodedInput, { ok: false }>): TermError {
  const { code, error } = refused;
  return new TermError(code, `${error.path}: ${error.message}`, { errors: [error] });
}
