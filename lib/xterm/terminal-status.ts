// What React reads and calls of one terminal. Types only: safe to import where there is no DOM.
// The implementation (session-terminal.ts) loads xterm and is imported lazily: `await import("#lib/xterm/session-terminal.ts")`.
import type { Event } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Idle, PolitenessChoice } from "#lib/client/attach-client.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import type { LeaseAction } from "#lib/protocol/lease.ts";
import type { Phase, SessionInfo } from "#lib/protocol/session.ts";
import type { CommandLayout } from "./command-layout.ts";
import type { ThemeName } from "./themes.ts";
import type { WhoseHands } from "./whose-hands.ts";

export type TerminalStatus =
  /** No screen yet. Show nothing for 300 ms after `sinceMs` (wall time), then "Connecting…". */
  | { kind: "connecting"; sinceMs: number }
  /** The socket is open and the screen is on its way. */
  | { kind: "restoring"; sinceMs: number }
  | { kind: "live" }
  /** `untilMs`: wall time of the next attempt; null while one is under way. The last screen stays readable. */
  | {
      kind: "offline";
      sinceMs: number;
      attempt: number;
      untilMs: number | null;
      droppedKeys: number;
    }
  | { kind: "exited"; exitCode: number | null; signal: string | null }
  /** The session was closed; nothing is tried again. */
  | { kind: "gone" }
  | { kind: "signed_out" }
  | { kind: "not_allowed" }
  /** 4400: the page and the server do not understand each other; reload. */
  | { kind: "outdated" };

export type SizeOwner = "me" | "other" | "nobody";

export interface TerminalSnapshot {
  readonly status: TerminalStatus;
  /** The session's grid; null before the first hello. */
  readonly size: GridSize | null;
  /** What this view could show; null while it has no real size. */
  readonly mySize: GridSize | null;
  readonly sizeOwner: SizeOwner;
  /** The session's grid is not the one that would fill this view: offer "Use my size" when `sizeOwner` is not "me". */
  readonly isForeignSize: boolean;
  readonly isReadOnly: boolean;
  readonly title: string;
  readonly phase: Phase;
  /** null before the first hello. */
  readonly hands: WhoseHands | null;
  readonly viewers: number;
  readonly renderer: "webgl" | "dom" | "none";
  /** Scrolled up in the scrollback, and whether something was printed since. */
  readonly isScrolledUp: boolean;
  readonly hasNewOutput: boolean;
  /** The scroll position could not be kept over a reconnect; cleared by the next scroll. */
  readonly hasJumped: boolean;
  readonly hasSelection: boolean;
  /** Keys that were dropped during the last interruption; stays after the reconnect until `forgetDroppedKeys`. */
  readonly droppedKeys: number;
  readonly rttMs: number | null;
  readonly search: SearchResult | null;
}

export interface SearchOptions {
  regex: boolean;
  caseSensitive: boolean;
  wholeWord: boolean;
}

/** `index` is 0-based, -1 when unknown (too many matches); `error` when the pattern is no regular expression. */
export interface SearchResult {
  index: number;
  count: number;
  error: string | null;
}

export interface PasteQuestion {
  /** Cleaned text as it would be sent. */
  readonly text: string;
  readonly lines: number;
  readonly bytes: number;
  /** The first 10 lines, with everything invisible made visible. */
  readonly preview: readonly string[];
  /** The clipboard held control or invisible characters; controls were taken out. */
  readonly hasControls: boolean;
}
export type PasteAnswer = "paste" | "one_line" | "cancel";

export interface LinkQuestion {
  readonly url: string;
  /** The true host (punycode shown as such); for mailto the recipient. */
  readonly host: string;
  /**
   * What may deceive: a name before the host (`user@host`), letters outside ASCII, letters of several scripts in one name, or a
   * text on the screen that names another host.
   */
  readonly warnings: readonly ("userinfo" | "international" | "mixed_script" | "misleading")[];
}

/** Questions to the person and things for the app. Promises that never settle mean no. */
export interface TerminalHost {
  /** Asked only when the paste is worth a question (several lines without bracketed paste, or large). */
  confirmPaste(question: PasteQuestion): Promise<PasteAnswer>;
  /** Ctrl/Cmd+click on an allowed link. Resolves true to open it in a new tab without opener. */
  confirmLink(question: LinkQuestion): Promise<boolean>;
  /** A program asks to set the clipboard (OSC 52). Resolves true to allow. */
  confirmClipboard(text: string): Promise<boolean>;
  /** Alt+Shift+F, or Shift+Tab in screen-reader mode. */
  leave(): void;
  /** Ctrl+Shift+F. */
  find(): void;
  /** Ctrl+= Ctrl+- Ctrl+0. The app changes `fontSize` and calls `setPreferences`. */
  zoom(step: 1 | -1 | 0): void;
  /** The browser refused to copy. */
  copyBlocked(): void;
  /** Of what was copied, the line of a password prompt was left out. */
  secretNotCopied(): void;
  /** A key was pressed in a read-only view. */
  readOnlyKey(): void;
  /** C or R while a command is selected. */
  commandKey(act: "copy_output" | "rerun", index: number): void;
  /** A key against another person's was swallowed (LS9). `name`: who has the keyboard. `mustAsk`: the next one will be, too. */
  keySwallowed(name: string, mustAsk: boolean): void;
  /** The answer to a password prompt came too late: nothing of it was typed. */
  answerDropped(): void;
  /** Another person would like the keyboard. */
  asked(by: { id: string; name: string }): void;
}

/** What a terminal says by itself, in the language of the page. */
export interface TerminalWords {
  readonly label: string;
  readonly tooMuchOutput: string;
}

export interface TerminalPreferences {
  theme: ThemeName;
  /** CSS pixels, 8-32. */
  fontSize: number;
  renderer: "auto" | "dom";
  screenReader: boolean;
  /** Cursor blink and smooth things off. */
  reducedMotion: boolean;
}

/** Where commands are in sight; changes with each scroll, so it is apart from the terminal's other state. */
export interface TerminalCommandsView {
  /** For useSyncExternalStore, both bound. Null: nothing to draw. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly getLayout: () => CommandLayout | null;
  /** Scrolls to a command and selects it, also before the screen has come. False: its line is gone. */
  jump(index: number): boolean;
  select(index: number | null): void;
}

export interface CursorPoint {
  readonly x: number;
  readonly y: number;
  readonly line: number;
  readonly width: number;
  readonly height: number;
}

export interface SessionTerminal extends Disposable {
  readonly sessionId: string;
  readonly commands: TerminalCommandsView;
  /** Commands that began or ended, as the attachment is told; not each of a quick row of them. */
  readonly onCommand: Event<CommandRecord>;
  /** For useSyncExternalStore: both are bound. `getSnapshot` returns the same object until something changes. */
  readonly subscribe: (listener: () => void) => () => void;
  readonly getSnapshot: () => TerminalSnapshot;
  /** At most three per second. */
  readonly onBell: Event<void>;
  /** The session as told by the attachment (hello); for the mirror. */
  readonly onSession: Event<SessionInfo>;
  /** Title, phase, viewers, exit, as they happen; for the mirror. */
  readonly onPatch: Event<Partial<SessionInfo>>;
  /**
   * Puts the view into `container`. xterm opens when the container has a real size; the container may be hidden. The view
   * survives unmount (buffer and connection stay) and may be mounted again elsewhere.
   */
  mount(container: HTMLElement): Disposable;
  focus(): void;
  /** Where the cursor is on the view, and how large the view and a line are: pixels; null while it is not to be seen. */
  cursorPoint(): CursorPoint | null;
  /** What a screen reader says at the terminal. */
  setWords(words: TerminalWords): void;
  /** "Use my size". */
  useMySize(): void;
  setPreferences(preferences: TerminalPreferences): void;
  retryNow(): void;
  /** What a person does with the keyboard besides typing. Nothing while nobody hears it. */
  keyboard(action: LeaseAction["action"]): void;
  /** Keys of a button: typed as a person's. */
  typeKeys(text: string): void;
  /** The answer to a password prompt; typed with an Enter, or dropped where none is asked for any more. Kept nowhere. */
  answer(password: string): void;
  /** How long after the last key here the keyboard goes back. */
  setIdle(idle: Idle): void;
  /** How others may take the keyboard from this person. */
  setPoliteness(politeness: PolitenessChoice): void;
  forgetDroppedKeys(): void;
  scrollToBottom(): void;
  copySelection(): void;
  /** Text of the output, as the server tells it, without lines that are a password prompt of this terminal. */
  withoutSecrets(text: string): string;
  /** From a paste button: the same questions and cleaning as Ctrl+Shift+V. */
  pasteText(text: string): void;
  /** `direction` 0: show matches without moving. An empty term ends the search. */
  find(term: string, options: SearchOptions, direction: 1 | -1 | 0): void;
  endFind(): void;
}
