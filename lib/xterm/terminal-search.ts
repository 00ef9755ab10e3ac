// Finding text in the buffer: xterm's search add-on with counts and honest errors.
import { SearchAddon } from "@xterm/addon-search";
import type { Terminal } from "@xterm/xterm";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { withoutHidden } from "./hidden-lines.ts";
import type { SearchOptions, SearchResult } from "./terminal-status.ts";

const decorations = {
  matchBackground: "#6b5a1e",
  matchOverviewRuler: "#f2c14e",
  activeMatchBackground: "#f2c14e",
  activeMatchColorOverviewRuler: "#ffffff",
};

/** More are found but not counted or marked. */
const countedMatches = 1_000;

export class TerminalSearch implements Disposable {
  private addon: SearchAddon;
  private readonly seen: Terminal;
  private found: SearchResult | null = null;
  private last: { readonly term: string; readonly options: SearchOptions } | null = null;

  constructor(
    private readonly terminal: Terminal,
    private readonly changed: () => void,
    hiddenCells: (row: number) => number,
  ) {
    this.seen = withoutHidden(terminal, hiddenCells);
    this.addon = this.newAddon();
  }

  get result(): SearchResult | null {
    return this.found;
  }

  find(term: string, options: SearchOptions, direction: 1 | -1 | 0): void {
    if (term === "") {
      this.end();
      return;
    }
    this.last = { term, options };
    const error = options.regex ? regexError(term) : null;
    if (error !== null) {
      this.addon.clearDecorations();
      this.publish({ index: -1, count: 0, error });
      return;
    }
    this.found ??= { index: -1, count: 0, error: null };
    const how = { ...options, decorations, incremental: direction === 0 };
    const isFound =
      direction === -1 ? this.addon.findPrevious(term, how) : this.addon.findNext(term, how);
    if (!isFound) this.publish({ index: -1, count: 0, error: null });
  }

  /** What is hidden has changed. */
  again(): void {
    if (!this.found || !this.last) return;
    // It remembers lines as they were.
    this.addon.dispose();
    this.addon = this.newAddon();
    this.find(this.last.term, this.last.options, 0);
  }

  end(): void {
    this.addon.clearDecorations();
    this.terminal.clearSelection();
    this.publish(null);
  }

  dispose(): void {
    this.addon.dispose();
  }

  /** Not loaded into the terminal: what it searches is not quite what is shown. */
  private newAddon(): SearchAddon {
    const addon = new SearchAddon({ highlightLimit: countedMatches });
    addon.activate(this.seen);
    addon.onDidChangeResults(({ resultIndex, resultCount }) => {
      if (this.found) this.publish({ index: resultIndex, count: resultCount, error: null });
    });
    return addon;
  }

  private publish(result: SearchResult | null): void {
    this.found = result;
    this.changed();
  }
}

function regexError(pattern: string): string | null {
  try {
    new RegExp(pattern);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
