// The browser's terminal: xterm with our rules around it. Imperative, not React; draws what an attachment says and reports what
// a person did. It answers no query (SC3), sets no title, never resizes by itself, and tells typing from everything else (AT3).
import { Terminal } from "@xterm/xterm";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { AttachTarget } from "#lib/client/attach-target.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { Attribution } from "./attribution.ts";
import { cursorPoint } from "./cursor-point.ts";
import { listenAt } from "./dom-listener.ts";
import { holdSelectionDraws } from "./held-selection.ts";
import { newTerminal, optionsFor } from "./new-terminal.ts";
import { silenceQueries } from "./queries.ts";
import { ScreenWriter } from "./screen-writer.ts";
import { ScrollWatch } from "./scroll-watch.ts";
import { SecretRegions } from "./secret-regions.ts";
import { SizeProposer } from "./size-proposer.ts";
import { TerminalClipboard } from "./terminal-clipboard.ts";
import { TerminalCommands } from "./terminal-commands.ts";
import { TerminalFrame } from "./terminal-frame.ts";
import { type InputOptions, TerminalInput } from "./terminal-input.ts";
import { TerminalKeys } from "./terminal-keys.ts";
import { enableLinks } from "./terminal-links.ts";
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

export interface TerminalViewOptions extends InputOptions {
  host: TerminalHost;
  preferences: TerminalPreferences;
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
  private readonly input: TerminalInput;
  private readonly clipboard: TerminalClipboard;
  private preferences: TerminalPreferences;
  private mySize: GridSize | null = null;
  private label = "Terminal";
  private isFocusDue = false;
  private isRevealDue = false;

  constructor(private readonly options: TerminalViewOptions) {
    const { clock, document, host } = options;
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
    this.store.add(
      silenceQueries(terminal, ({ text }) => {
        // What is only replayed never writes (B109).
        if (!this.writer.isRestoring) void this.clipboard.asked(text);
      }),
    );
    this.secrets = new SecretRegions(terminal, () => this.finder.again());
    const hiddenCells = (row: number) => this.secrets.hiddenCells(row);
    this.finder = this.store.add(new TerminalSearch(terminal, options.changed, hiddenCells));
    this.clipboard = this.store.add(new TerminalClipboard(terminal, document, host, hiddenCells));
    this.proposer = this.store.add(new SizeProposer(clock, options.propose));
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
    this.input = this.store.add(new TerminalInput(terminal, this.root, options));
    const { input, commands, scroll, clipboard } = this;
    const isScreenReader = () => this.preferences.screenReader;
    const parts = { input, commands, scroll, clipboard, host, isScreenReader };
    const keys = new TerminalKeys(terminal, parts);
    terminal.attachCustomKeyEventHandler((event) => keys.take(event));
    this.target = this.writer;
    this.listen();
    this.listenAtRoot();
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
    return cursorPoint(this.terminal, this.root);
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

  copySelection(): Promise<void> {
    return this.clipboard.copySelection();
  }

  paste(text: string): void {
    this.input.paste(text);
  }

  dispose(): void {
    this.store.dispose();
    this.terminal.dispose();
  }

  private listen(): void {
    const { terminal, store, options } = this;
    store.add(terminal.onScroll(() => this.scroll.scrolled()));
    store.add(terminal.onSelectionChange(() => options.changed()));
    const view = options.document.defaultView;
    if (view)
      enableLinks(terminal, view, {
        confirm: (question) => options.host.confirmLink(question),
        hovered: (hint) => {
          if (hint === null) this.root.removeAttribute("title");
          else this.root.title = hint;
        },
      });
    store.add(
      terminal.onRender(() => {
        // Not when the screen is parsed but when it is painted: between the two an empty terminal would show (B124).
        if (this.isRevealDue) this.frame.reveal();
        this.isRevealDue = false;
        this.looked();
      }),
    );
  }

  private listenAtRoot(): void {
    const { root, store } = this;
    store.add(listenAt(root, "copy", () => this.clipboard.copied(), { capture: true }));
    // What a screen reader is given is text that could be dragged away; nothing here is made for that.
    store.add(listenAt(root, "dragstart", (event) => event.preventDefault()));
    store.add(listenAt(root, "focusin", () => this.renderer.focused()));
    // onScroll does not fire for the wheel and the bar; every scroll draws, though.
    store.add(listenAt(root, "scroll", () => this.looked(), { capture: true }));
  }

  private looked(): void {
    this.scroll.scrolled();
    this.commands.look();
  }

  private opened(): void {
    holdSelectionDraws(this.terminal);
    this.clipboard.opened();
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
}
