// Glue: one attachment and one terminal view, as one thing with a status. Not React.

import { utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { ApiClient } from "#lib/client/api-client.ts";
import { AttachClient, type Idle, type PolitenessChoice } from "#lib/client/attach-client.ts";
import type { PageSignals } from "#lib/client/page-signals.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import type { LeaseAction } from "#lib/protocol/lease.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { BellPacer } from "./bell-pacer.ts";
import { openPageSocket, pageSocketUrl } from "./page-socket.ts";
import { type AttachedFacts, attachedFacts, patchOf } from "./session-status.ts";
import { registerTerminal } from "./terminal-registry.ts";
import { isSameSnapshot, sizeOwnerOf, terminalSnapshot } from "./terminal-snapshot.ts";
import type {
  CursorPoint,
  SearchOptions,
  SessionTerminal,
  TerminalCommandsView,
  TerminalHost,
  TerminalPreferences,
  TerminalSnapshot,
  TerminalWords,
} from "./terminal-status.ts";
import { TerminalView } from "./terminal-view.ts";
import { handsAfter, lineSent, type WhoseHands } from "./whose-hands.ts";

export interface SessionTerminalOptions {
  sessionId: string;
  isReadOnly: boolean;
  api: ApiClient;
  /** `ws:` or `wss:` origin; empty: the page's own. */
  socketUrl: string;
  clock: Clock;
  page: PageSignals;
  host: TerminalHost;
  preferences: TerminalPreferences;
  idle: Idle;
  politeness: PolitenessChoice;
}

export function createSessionTerminal(options: SessionTerminalOptions): SessionTerminal {
  return new AttachedTerminal(options);
}

class AttachedTerminal implements SessionTerminal {
  readonly sessionId: string;
  private readonly store = new DisposableStore();
  private readonly changes = this.store.add(new Emitter<void>());
  private readonly sessions = this.store.add(new Emitter<SessionInfo>());
  private readonly patches = this.store.add(new Emitter<Partial<SessionInfo>>());
  private readonly records = this.store.add(new Emitter<CommandRecord>());
  private readonly bell: BellPacer;
  private readonly view: TerminalView;
  private readonly client: AttachClient;
  private readonly createdMs: number;
  private facts: AttachedFacts = { kind: "unknown" };
  private hands: WhoseHands | null = null;
  private keptDroppedKeys = 0;
  private current: TerminalSnapshot;

  readonly onSession = this.sessions.event;
  readonly onPatch = this.patches.event;
  readonly onCommand = this.records.event;
  readonly onBell;

  constructor(private readonly options: SessionTerminalOptions) {
    const { clock, page, api, sessionId, isReadOnly, host } = options;
    this.sessionId = sessionId;
    this.createdMs = clock.now();
    this.bell = this.store.add(new BellPacer(clock));
    this.onBell = this.bell.onBell;
    this.view = this.store.add(
      new TerminalView({
        clock,
        document,
        host,
        preferences: options.preferences,
        typed: (bytes) => this.typed(bytes),
        report: (data) => {
          if (!this.isReader) this.client.report(data);
        },
        propose: (size) => {
          if (!this.isReader) this.client.propose(size);
        },
        isMe: (id) => id === this.hands?.me,
        changed: () => this.publish(),
      }),
    );
    this.client = this.store.add(
      new AttachClient({
        sessionId,
        isReadOnly,
        idle: options.idle,
        politeness: options.politeness,
        socketUrl: options.socketUrl || pageSocketUrl(),
        openSocket: openPageSocket,
        authorise: async () => {
          const body = { session: sessionId, ...(isReadOnly ? { readonly: true } : {}) };
          return [(await api.createTicket({ body })).ticket];
        },
        clock,
        page,
        target: this.view.target,
      }),
    );
    this.current = this.build();
    this.store.add(registerTerminal(sessionId, this.view.terminal, () => this.client.offset));
    this.store.add(this.client.onState(() => this.publish()));
    this.store.add(this.client.onMessage((message) => this.told(message)));
    this.store.add(
      this.client.onDropped((count) => {
        this.keptDroppedKeys = count;
        this.publish();
      }),
    );
    this.client.start();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    const subscription = this.changes.event(listener);
    return () => subscription.dispose();
  };

  get commands(): TerminalCommandsView {
    return this.view.commands;
  }

  readonly getSnapshot = (): TerminalSnapshot => this.current;

  mount(container: HTMLElement): Disposable {
    return this.view.mount(container);
  }

  focus(): void {
    this.view.focus();
  }

  cursorPoint(): CursorPoint | null {
    return this.view.cursorPoint();
  }

  setWords(words: TerminalWords): void {
    this.view.setWords(words);
  }

  useMySize(): void {
    const { mySize } = this.view.facts;
    if (mySize && !this.isReader) this.client.takeSize(mySize);
  }

  setPreferences(preferences: TerminalPreferences): void {
    this.view.setPreferences(preferences);
  }

  retryNow(): void {
    this.client.retryNow();
  }

  keyboard(action: LeaseAction["action"]): void {
    if (!this.isReader) this.client.keyboard(action);
  }

  typeKeys(text: string): void {
    this.view.scrollToBottom();
    this.typed(utf8(text));
  }

  answer(password: string): void {
    this.view.scrollToBottom();
    if (!this.isReader && this.client.answer(password)) this.hands = lineSent(this.hands);
  }

  setIdle(idle: Idle): void {
    this.client.setIdle(idle);
  }

  setPoliteness(politeness: PolitenessChoice): void {
    this.client.setPoliteness(politeness);
  }

  forgetDroppedKeys(): void {
    this.keptDroppedKeys = 0;
    this.publish();
  }

  scrollToBottom(): void {
    this.view.scrollToBottom();
  }

  copySelection(): void {
    void this.view.copySelection();
  }

  withoutSecrets(text: string): string {
    return this.view.secrets.without(text);
  }

  pasteText(text: string): void {
    this.view.paste(text);
  }

  find(term: string, options: SearchOptions, direction: 1 | -1 | 0): void {
    this.view.find(term, options, direction);
  }

  endFind(): void {
    this.view.endFind();
  }

  dispose(): void {
    this.store.dispose();
  }

  private get isReader(): boolean {
    return this.options.isReadOnly || (this.facts.kind === "known" && this.facts.isReadOnly);
  }

  private typed(bytes: Uint8Array): void {
    if (this.isReader) {
      this.options.host.readOnlyKey();
      return;
    }
    const isSent = this.client.typed(bytes);
    if (isSent && bytes.includes(13)) this.hands = lineSent(this.hands);
  }

  private told(message: ServerMessage): void {
    this.facts = attachedFacts(this.facts, message);
    this.hands = handsAfter(this.hands, message, this.options.clock.monotonic());
    this.view.secrets.asked(this.hands?.credential?.since ?? null);
    const patch = patchOf(message);
    if (patch) this.patches.fire(patch);
    switch (message.type) {
      case "hello":
        this.sessions.fire(message.session);
        break;
      case "snapshot":
        this.view.attribution.restarting();
        break;
      case "resume":
        for (const line of message.written ?? []) this.view.attribution.written(line);
        break;
      case "command":
        this.records.fire(message.record);
        break;
      case "bell":
        this.bell.ring();
        break;
      case "written":
        if (message.line) this.view.attribution.written({ ...message, ...message.line });
        break;
      case "asked":
        this.options.host.asked({ id: message.id, name: message.name });
        break;
      case "error":
        if (message.code === "HUMAN_BUSY") {
          const { actor, politeness } = this.hands?.lease ?? {};
          this.options.host.keySwallowed(actor ?? "", politeness === "ask");
        } else if (message.code === "NO_PASSWORD_ASKED") this.options.host.answerDropped();
        break;
    }
    this.publish();
  }

  private publish(): void {
    if (this.store.isDisposed) return;
    this.view.setFollowsMe(sizeOwnerOf(this.facts) === "me");
    const next = this.build();
    this.view.root.dataset.state = next.status.kind;
    this.view.root.dataset.renderer = next.renderer;
    this.view.root.dataset.session = this.sessionId;
    if (isSameSnapshot(next, this.current)) return;
    this.current = next;
    this.changes.fire();
  }

  private build(): TerminalSnapshot {
    const { facts, view, client, hands, isReader, keptDroppedKeys, createdMs } = this;
    return terminalSnapshot({
      facts,
      seen: view.facts,
      client,
      hands,
      isReadOnly: isReader,
      droppedKeys: keptDroppedKeys,
      createdMs,
    });
  }
}
