// A session on a person's own terminal: its bytes where the sizes agree, pictures where they differ (AT6); comes back by itself, and ends for
// exactly one reason.
import { systemClock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { AttachState } from "#lib/client/attach-state.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { type GridSize, sameSize } from "#lib/protocol/geometry.ts";
import type { ExitStatus, SessionInfo } from "#lib/protocol/session.ts";
import { CliError } from "../exit.ts";
import type { Remote } from "../remote.ts";
import { framesView } from "./frames-view.ts";
import { liveView } from "./live-view.ts";
import { LocalTerminal } from "./local-terminal.ts";
import { ended, framesBegun, notice, screenKept, type ViewKind, viewEnded } from "./restore.ts";
import { TypedBytes } from "./typed-bytes.ts";
import type { View, ViewParts } from "./view.ts";

export interface RawAttachOptions {
  readonly isReadOnly: boolean;
  /** The session takes this terminal's size, now and whenever it changes. */
  readonly isLeading: boolean;
  /** The session's bytes even where the sizes differ. */
  readonly isStream: boolean;
  /** Control character; null: none. */
  readonly detachByte: number | null;
  readonly detachName: string;
}

export type Ending =
  | { kind: "detached" }
  /** Ctrl-C by somebody who only looks. */
  | { kind: "interrupted" }
  | ({ kind: "exited" } & ExitStatus)
  /** Removed while it was looked at. */
  | { kind: "closed" }
  | { kind: "refused"; closeCode: number }
  | { kind: "failed"; error: Error }
  | { kind: "lost" }
  | { kind: "input_closed" }
  | { kind: "signal"; exitCode: number };

/** A sequence comes in one piece or very soon after; the Escape key is alone. */
const sequenceMs = 30;
/** Several changes of size in a row are one. */
const settleMs = 60;
/** A server that is started again is back long before. */
const giveUpMs = 60_000;

export class RawAttach implements Disposable {
  private readonly store = new DisposableStore();
  private readonly terminal: LocalTerminal;
  private readonly parts: ViewParts;
  private readonly typed: TypedBytes;
  private view: View | null = null;
  private sessionSize: GridSize;
  private isScreenKept = false;
  private hasNotice = false;
  private flushTimer: Disposable | null = null;
  private settleTimer: Disposable | null = null;
  private exit: ExitStatus | null = null;
  private finish: (ending: Ending) => void = () => {};

  constructor(
    private readonly remote: Remote,
    private readonly session: SessionInfo,
    private readonly options: RawAttachOptions,
  ) {
    this.sessionSize = { cols: session.cols, rows: session.rows };
    this.typed = new TypedBytes(options.detachByte);
    const { isReadOnly, isLeading } = options;
    const terminal = this.store.add(new LocalTerminal(() => this.lastWords()));
    this.terminal = terminal;
    this.parts = {
      remote,
      sessionId: session.id,
      isReadOnly,
      isLeading,
      terminal,
      hear: (message) => this.hear(message),
      follow: (state) => this.follow(state),
    };
  }

  /** Resolves when it is over and the terminal is as it was. Never rejects. */
  run(): Promise<Ending> {
    return new Promise<Ending>((resolve) => {
      let isOver = false;
      this.finish = (ending) => {
        if (isOver) return;
        isOver = true;
        this.dispose();
        resolve(ending);
      };
      const { terminal } = this;
      terminal.onBytes((bytes) => this.take(bytes));
      terminal.onResize(() => this.onLocalResize());
      terminal.onClosed(() => this.finish({ kind: "input_closed" }));
      terminal.onSignal((exitCode) => this.finish({ kind: "signal", exitCode }));
      terminal.onContinued(() => this.open());
      terminal.enter();
      if (this.options.isLeading) void this.lead().then(() => this.open());
      else this.open();
    });
  }

  dispose(): void {
    this.flushTimer?.dispose();
    this.settleTimer?.dispose();
    // First the terminal, while it is known how it was drawn on.
    this.store.dispose();
    this.view?.dispose();
  }

  private lastWords(): string {
    const { view } = this;
    const { cols, rows } = this.terminal.size;
    if (!view) return ended(null, cols);
    return viewEnded(view.kind, view.guest.facts, rows) + ended(view.kind, cols);
  }

  private wanted(): ViewKind {
    const { isLeading, isStream } = this.options;
    const isSame = sameSize(this.sessionSize, this.terminal.size);
    return isLeading || isStream || isSame ? "live" : "frames";
  }

  /** A fresh look at the session, in the view that fits now. */
  private open(): void {
    if (this.store.isDisposed) return;
    const { view, terminal } = this;
    const kind = this.wanted();
    view?.dispose();
    if (view && view.kind !== kind)
      terminal.write(viewEnded(view.kind, view.guest.facts, terminal.size.rows));
    if (kind === "frames" && view?.kind !== "frames") terminal.write(framesBegun());
    this.hasNotice = false;
    const { parts } = this;
    this.view =
      kind === "live" ? liveView(parts, view, () => this.keepScreen()) : framesView(parts);
  }

  /** What was on the terminal before the session is moved out of sight, once. */
  private keepScreen(): void {
    if (!this.isScreenKept) this.terminal.write(screenKept(this.terminal.size.rows));
    this.isScreenKept = true;
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "hello": {
        const { cols, rows, exited, exit_code, signal } = message.session;
        if (exited) this.exit = { exit_code, signal };
        this.resized({ cols, rows });
        break;
      }
      case "resized":
        this.resized(message.size);
        break;
      case "exited":
        this.exit = { exit_code: message.exit_code, signal: message.signal };
        this.finish({ kind: "exited", ...this.exit });
        break;
      case "error":
        // What was typed was refused; there is no room for words on somebody else's screen.
        this.terminal.write("\x07");
        break;
    }
  }

  private follow(state: AttachState): void {
    switch (state.kind) {
      case "waiting":
        if (this.remote.isGone() || systemClock.now() - state.lostMs > giveUpMs)
          this.finish({ kind: "lost" });
        else {
          const words = `connection lost, trying again; ${this.options.detachName} leaves`;
          this.terminal.write(notice(words, this.terminal.size));
          this.hasNotice = true;
        }
        break;
      case "live":
        if (this.hasNotice) this.open();
        break;
      case "ended":
        if (this.exit) this.finish({ kind: "exited", ...this.exit });
        else if (state.code === 4404) this.finish({ kind: "closed" });
        else this.finish({ kind: "refused", closeCode: state.code });
        break;
    }
  }

  private resized(size: GridSize): void {
    if (sameSize(size, this.sessionSize)) return;
    this.sessionSize = size;
    this.settle();
  }

  private onLocalResize(): void {
    if (this.view?.kind === "frames" && this.wanted() === "frames")
      this.view.fit(this.terminal.size);
    else this.settle();
  }

  /** Once the sizes stay as they are: the terminal has moved its lines about, or the session has. */
  private settle(): void {
    this.settleTimer?.dispose();
    this.settleTimer = systemClock.after(settleMs, () => {
      if (!this.options.isLeading || sameSize(this.sessionSize, this.terminal.size)) this.open();
      else void this.lead().then(() => this.open());
    });
  }

  private async lead(): Promise<void> {
    const { size } = this.terminal;
    if (sameSize(size, this.sessionSize) || this.store.isDisposed) return;
    try {
      const info = await this.remote.api.resizeSession({
        params: { id: this.session.id },
        body: size,
      });
      this.sessionSize = { cols: info.cols, rows: info.rows };
      this.view?.fit(size);
    } catch (error) {
      if (error instanceof CliError && this.session.exited) return;
      this.finish({ kind: "failed", error: error as Error });
    }
  }

  private take(bytes: Uint8Array): void {
    this.flushTimer?.dispose();
    this.act(this.typed.feed(bytes));
    if (this.typed.isHolding)
      this.flushTimer = systemClock.after(sequenceMs, () => this.act(this.typed.flush()));
  }

  private act(typed: ReturnType<TypedBytes["feed"]>): void {
    for (const one of typed) {
      if (one.kind === "detach") {
        this.finish({ kind: "detached" });
        return;
      }
      if (this.options.isReadOnly) {
        if (one.kind === "keys" && one.bytes.includes(0x03)) this.finish({ kind: "interrupted" });
      } else if (one.kind === "keys") this.view?.typed(one.bytes);
      else this.view?.report(one.data);
    }
  }
}
