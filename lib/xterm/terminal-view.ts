// The browser's terminal: xterm with our rules around it. Imperative, not React; draws what an attachment says and reports what
// a person did. It answers no query (SC3), sets no title, never resizes by itself, and tells typing from everything else (AT3).
import { Terminal } from "@xterm/xterm";
import { utf8 } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore, toDisposable } from "#lib/base/lifecycle.ts";
import type { AttachTarget } from "#lib/client/attach-target.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { Attribution } from "./attribution.ts";
import { writeClipboard } from "./clipboard.ts";
import { holdSelectionDraws } from "./held-selection.ts";
import { hideInSelection, type SafeSelection } from "./hidden-selection.ts";
import { InputCause } from "./input-cause.ts";
import { type KeyRoute, routeKey, selectionAct } from "./key-routing.ts";
import { newTerminal, optionsFor } from "./new-terminal.ts";
import { silenceQueries } from "./queries.ts";
import { ScreenWriter } from "./screen-writer.ts";
import { ScrollWatch } from "./scroll-watch.ts";
import { SecretRegions } from "./secret-regions.ts";
import { SizeProposer } from "./size-proposer.ts";
import { SoftInput } from "./soft-input.ts";
import { TerminalCommands } from "./terminal-commands.ts";
import { TerminalFrame } from "./terminal-frame.ts";
import { enableLinks } from "./terminal-links.ts";
import { pasteInto, takePastes } from "./terminal-paste.ts";
import { TerminalRenderer } from "./terminal-renderer.ts";
import { TerminalSearch } from "./terminal-search.ts";
import type {
  CursorPoint,
  SearchOptions,
  SearchResult,
  TerminalHost,
  TerminalPreferences,
  TerminalWords,
} from "./terminal-status.ts";
import { themes } from "./themes.ts";

export interface TerminalViewOptions {
  clock: Clock;
  document: Document;
  host: TerminalHost;
  preferences: TerminalPreferences;
  /** Bytes a person caused. */
  typed(bytes: Uint8Array): void;
  /** What the terminal emitted by itself or for the mouse; one character per byte. */
  report(data: string): void;
  propose(size: GridSize): void;
  /** By id of the credential. */
  isMe(id: string): boolean;
  /** Something that `facts` tells has changed. */
  changed(): void;
}

export interface ViewFacts {
  mySize: GridSize | null;
  renderer: "webgl" | "dom" | "none";
  isScrolledUp: boolean;
  hasNewOutput: boolean;
  hasJumped: boolean;
  hasSelection: boolean;
  search: SearchResult | null;
}

export class TerminalView implements Disposable {
  readonly terminal: Terminal;
  readonly target: AttachTarget;
  readonly commands: TerminalCommands;
  readonly attribution: Attribution;
  readonly secrets: SecretRegions;
  private readonly store = new DisposableStore();
  private readonly frame: TerminalFrame;
  private readonly renderer: TerminalRenderer;
  private readonly finder: TerminalSearch;
  private readonly proposer: SizeProposer;
  private readonly scroll: ScrollWatch;
  private readonly writer: ScreenWriter;
  private readonly cause: InputCause;
  private readonly softInput: SoftInput;
  private preferences: TerminalPreferences;
  /** Nothing can be selected before it is open. */
  private selected: () => SafeSelection = () => ({ text: "", isCut: false });
  private mySize: GridSize | null = null;
  private label = "Terminal";
  private isFocusDue = false;
  private isRevealDue = false;

  constructor(private readonly options: TerminalViewOptions) {
    const { clock, document } = options;
    this.preferences = options.preferences;
    const terminal = newTerminal(options.preferences);
    this.terminal = terminal;
    // First: the frame tells of places as soon as it has a font size.
    this.commands = this.store.add(
      new TerminalCommands(terminal, {
        grid: () => this.frame.grid,
        scrolled: () => this.scroll.scrolled(),
      }),
    );
    this.attribution = this.store.add(new Attribution(terminal, options.isMe));
    this.store.add(silenceQueries(terminal, ({ text }) => this.clipboardAsked(text)));
    this.secrets = new SecretRegions(terminal, () => this.finder.again());
    this.finder = this.store.add(
      new TerminalSearch(terminal, options.changed, (row) => this.secrets.hiddenCells(row)),
    );
    this.proposer = this.store.add(new SizeProposer(clock, options.propose));
    this.cause = this.store.add(new InputCause(document, clock));
    this.renderer = this.store.add(
      new TerminalRenderer(terminal, () => {
        this.frame.cellsChanged();
        options.changed();
      }),
    );
    this.frame = this.store.add(
      new TerminalFrame(terminal, document, clock, {
        opened: () => this.opened(),
        measured: (size) => this.measured(size),
        shown: (isShown) => this.renderer.setShown(isShown),
        moved: () => this.commands.look(),
        cutsCells: () => this.renderer.kind === "webgl",
      }),
    );
    this.setPreferences(options.preferences);
    this.scroll = new ScrollWatch(terminal, options.changed);
    this.writer = new ScreenWriter(terminal, {
      isScrolledUp: () => this.scroll.isScrolledUp,
      beforeRestart: () => {
        this.scroll.beforeRestart();
        this.attribution.restarting();
      },
      restored: (isWhole) => {
        this.isRevealDue = true;
        if (isWhole) this.scroll.restored();
      },
      placed: (marks) => {
        this.commands.placed(marks.commands);
        this.attribution.placed(marks);
        this.secrets.placed();
      },
      counted: (nth) => this.attribution.counted(nth),
      resized: () => this.frame.refit(),
      printed: () => {
        this.scroll.printed();
        this.attribution.printed();
        this.secrets.printed();
      },
    });
    this.softInput = this.store.add(
      new SoftInput(this.root, clock, (text) => this.typedText(text)),
    );
    this.target = this.writer;
    this.listen();
  }

  get facts(): ViewFacts {
    return {
      mySize: this.mySize,
      renderer: this.renderer.kind,
      isScrolledUp: this.scroll.isScrolledUp,
      hasNewOutput: this.scroll.hasNewOutput,
      hasJumped: this.scroll.hasJumped,
      hasSelection: this.terminal.hasSelection(),
      search: this.finder.result,
    };
  }

  get root(): HTMLElement {
    return this.frame.root;
  }

  mount(container: HTMLElement): Disposable {
    return this.frame.mount(container);
  }

  /** Also before the terminal is open: then it takes the focus as soon as it is, unless that has gone elsewhere meanwhile. */
  focus(): void {
    if (this.terminal.textarea) this.terminal.focus();
    else this.isFocusDue = true;
  }

  setFollowsMe(followsMe: boolean): void {
    this.frame.setFollowsMe(followsMe);
  }

  setPreferences(preferences: TerminalPreferences): void {
    this.preferences = preferences;
    Object.assign(this.terminal.options, optionsFor(preferences));
    this.renderer.prefer(preferences.renderer);
    this.frame.setFontSize(preferences.fontSize);
    // The letter-box around the grid is part of the terminal.
    this.root.style.background = themes[preferences.theme].background ?? "";
  }

  cursorPoint(): CursorPoint | null {
    const { terminal, root } = this;
    const screen = root.querySelector(".xterm-screen")?.getBoundingClientRect();
    const { width, height, left, top } = root.getBoundingClientRect();
    const { cursorX, cursorY, viewportY, baseY } = terminal.buffer.active;
    // Scrolled up, the cursor may be below what is shown.
    const row = cursorY + baseY - viewportY;
    if (!screen || width === 0 || row >= terminal.rows) return null;
    const line = screen.height / terminal.rows;
    const x = screen.left - left + (cursorX * screen.width) / terminal.cols;
    return { x, y: screen.top - top + row * line, line, width, height };
  }

  /** What a screen reader says at the terminal, and of output that is too much for it. */
  setWords({ label, tooMuchOutput }: TerminalWords): void {
    this.label = label;
    Terminal.strings.tooMuchOutput = tooMuchOutput;
    this.terminal.textarea?.setAttribute("aria-label", label);
  }

  scrollToBottom(): void {
    this.terminal.scrollToBottom();
    this.scroll.scrolled();
  }

  find(term: string, options: SearchOptions, direction: 1 | -1 | 0): void {
    this.finder.find(term, options, direction);
  }

  endFind(): void {
    this.finder.end();
  }

  async copySelection(): Promise<void> {
    const { text, isCut } = this.selected();
    if (isCut) this.options.host.secretNotCopied();
    if (text === "") return;
    const isCopied = await writeClipboard(this.options.document, text);
    if (!isCopied) this.options.host.copyBlocked();
  }

  paste(text: string): void {
    void pasteInto(this.terminal, text, {
      confirm: (question) => this.options.host.confirmPaste(question),
      typed: (ready) => this.typedText(ready),
    });
  }

  dispose(): void {
    this.store.dispose();
    this.terminal.dispose();
  }

  /** Typed past xterm, which therefore does not scroll down by itself. */
  private typedText(text: string): void {
    this.terminal.scrollToBottom();
    this.options.typed(utf8(text));
  }

  private listen(): void {
    const { terminal, store, options } = this;
    store.add(
      terminal.onData((data) => {
        this.softInput.committed();
        const cause = this.cause.now();
        if (cause === "typed") options.typed(utf8(data));
        else if (cause === "report") options.report(data);
      }),
    );
    // Legacy mouse reports, one character per byte; never keys.
    store.add(
      terminal.onBinary((data) => {
        if (this.cause.now() === "report") options.report(data);
      }),
    );
    store.add(terminal.onScroll(() => this.scroll.scrolled()));
    store.add(terminal.onSelectionChange(() => options.changed()));
    terminal.attachCustomKeyEventHandler((event) => this.key(event));
    const view = options.document.defaultView;
    if (view)
      enableLinks(terminal, view, {
        confirm: (question) => options.host.confirmLink(question),
        hovered: (hint) => {
          if (hint === null) this.root.removeAttribute("title");
          else this.root.title = hint;
        },
      });
    store.add(takePastes(this.root, (text) => this.paste(text)));
    // By the browser's own menu or key: the text is right by itself (hideInSelection).
    const copied = () => {
      if (terminal.hasSelection() && this.selected().isCut) options.host.secretNotCopied();
    };
    this.root.addEventListener("copy", copied, true);
    store.add(toDisposable(() => this.root.removeEventListener("copy", copied, true)));
    // What a screen reader is given is text that could be dragged away; nothing here is made for that.
    const dragged = (event: Event) => event.preventDefault();
    this.root.addEventListener("dragstart", dragged);
    store.add(toDisposable(() => this.root.removeEventListener("dragstart", dragged)));
    const focused = () => this.renderer.focused();
    this.root.addEventListener("focusin", focused);
    store.add(toDisposable(() => this.root.removeEventListener("focusin", focused)));
    // onScroll does not fire for the wheel and the bar; every scroll draws, though.
    const looked = () => {
      this.scroll.scrolled();
      this.commands.look();
    };
    this.root.addEventListener("scroll", looked, true);
    store.add(toDisposable(() => this.root.removeEventListener("scroll", looked, true)));
    store.add(
      terminal.onRender(() => {
        // Not when the screen is parsed but when it is painted: between the two an empty terminal would show (B124).
        if (this.isRevealDue) this.frame.reveal();
        this.isRevealDue = false;
        looked();
      }),
    );
  }

  private opened(): void {
    holdSelectionDraws(this.terminal);
    this.selected = hideInSelection(this.terminal, (row) => this.secrets.hiddenCells(row));
    this.terminal.textarea?.setAttribute("aria-label", this.label);
    this.renderer.prefer(this.preferences.renderer);
    const { activeElement, body } = this.options.document;
    if (this.isFocusDue && (activeElement === null || activeElement === body))
      this.terminal.focus();
    this.isFocusDue = false;
    this.options.changed();
  }

  private measured(size: GridSize | null): void {
    this.proposer.measured(size);
    const isSame = this.mySize?.cols === size?.cols && this.mySize?.rows === size?.rows;
    if (isSame) return;
    this.mySize = size;
    this.options.changed();
  }

  /** A program wants `text` on the clipboard. What is only replayed never writes (B109). */
  private async clipboardAsked(text: string): Promise<void> {
    if (text === "" || this.writer.isRestoring) return;
    const isAllowed = await this.options.host.confirmClipboard(text);
    if (!isAllowed || this.store.isDisposed) return;
    const isWritten = await writeClipboard(this.options.document, text);
    if (!isWritten) this.options.host.copyBlocked();
  }

  /** For xterm: true lets it handle the key. Called for keydown, keypress and keyup of the same key. */
  private key(event: KeyboardEvent): boolean {
    if (this.softInput.takesKey(event)) return false;
    const { selection } = this.commands;
    if (selection !== null && !this.selectedKey(event, selection)) return false;
    const route = routeKey(event, {
      isMac: /^Mac|^iP/.test(navigator.platform),
      hasSelection: this.terminal.hasSelection(),
      isScreenReader: this.preferences.screenReader,
    });
    if (route.kind === "program") return true;
    if (route.kind === "command") return this.stepCommand(route.by, event);
    if (event.type === "keydown") this.act(route, event);
    return false;
  }

  /** The chord is the program's where there is no command to go to. */
  private stepCommand(by: 1 | -1, event: KeyboardEvent): boolean {
    if (event.type !== "keydown") return this.commands.getLayout() === null;
    if (!this.commands.step(by)) return true;
    event.preventDefault();
    return false;
  }

  /** While a command is selected a few keys are about it; any other ends that and means what it always means. */
  private selectedKey(event: KeyboardEvent, index: number): boolean {
    const act = selectionAct(event);
    if (act === "stay") return true;
    if (act === "leave") {
      if (event.type === "keydown") this.commands.select(null);
      return true;
    }
    if (event.type !== "keydown") return false;
    event.preventDefault();
    if (act === "copy_output") this.options.host.commandKey(act, index);
    else this.commands.select(null);
    if (act === "rerun") this.options.host.commandKey(act, index);
    return false;
  }

  private act(
    route: Exclude<KeyRoute, { kind: "program" | "command" }>,
    event: KeyboardEvent,
  ): void {
    const { terminal, options } = this;
    if (route.kind !== "page") event.preventDefault();
    switch (route.kind) {
      case "copy":
        void this.copySelection();
        if (route.clearsSelection) terminal.clearSelection();
        break;
      case "find":
        options.host.find();
        break;
      case "zoom":
        options.host.zoom(route.step);
        break;
      case "leave":
        options.host.leave();
        break;
      case "scroll":
        if (route.to === "page_up") terminal.scrollPages(-1);
        else if (route.to === "page_down") terminal.scrollPages(1);
        else if (route.to === "top") terminal.scrollToTop();
        else terminal.scrollToBottom();
        this.scroll.scrolled();
        break;
    }
  }
}
