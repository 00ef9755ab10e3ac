import { beforeEach, describe, expect, it } from "vitest";
import { BackStack } from "./back-stack.ts";

/** A tab's history: traversals arrive in a later turn, as a browser's do, and pushing forgets what is ahead. */
class Tab {
  entries: { state: unknown; url: string }[] = [{ state: { page: 1 }, url: "/?s=one" }];
  at = 0;
  private readonly listeners: ((event: Event) => void)[] = [];

  readonly history = ((tab: Tab) => ({
    get state() {
      return tab.current.state;
    },
    pushState(state: unknown) {
      tab.entries.splice(tab.at + 1, Number.POSITIVE_INFINITY, { state, url: tab.current.url });
      tab.at += 1;
    },
    go: (by = 0) => void tab.go(by),
  }))(this);

  get current() {
    return this.entries[this.at] as { state: unknown; url: string };
  }

  /** As a person or a script does; resolves when it has arrived. */
  go(by: number): Promise<void> {
    return new Promise((resolve) =>
      setImmediate(() => {
        this.at = Math.max(0, Math.min(this.entries.length - 1, this.at + by));
        const event = new Event("popstate", { cancelable: true });
        let isStopped = false;
        event.stopImmediatePropagation = () => {
          isStopped = true;
        };
        for (const listener of this.listeners) if (!isStopped) listener(event);
        setImmediate(resolve);
      }),
    );
  }

  addEventListener(_: "popstate", listener: (event: Event) => void): void {
    this.listeners.push(listener);
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

let tab: Tab;
let stack: BackStack;
let pops: number;

beforeEach(() => {
  tab = new Tab();
  stack = new BackStack(tab);
  pops = 0;
  tab.addEventListener("popstate", () => {
    pops += 1;
  });
});

function overlay() {
  const seen = { closed: 0, end: () => {} };
  seen.end = stack.open({ close: () => seen.closed++ });
  return seen;
}

describe("Back and overlays", () => {
  it("Back closes the overlay on top, one at a time, and the page hears nothing of it", async () => {
    const menu = overlay();
    const dialog = overlay();
    await turn();
    expect(tab.at).toBe(2);
    await tab.go(-1);
    expect([menu.closed, dialog.closed]).toEqual([0, 1]);
    await tab.go(-1);
    expect([menu.closed, dialog.closed]).toEqual([1, 1]);
    expect([tab.at, pops]).toEqual([0, 0]);
  });

  it("closed otherwise, an overlay takes its entry along; the next Back is the page's", async () => {
    tab.entries.unshift({ state: {}, url: "/" });
    tab.at = 1;
    overlay().end();
    const menu = overlay();
    await turn();
    expect(tab.at).toBe(2);
    menu.end();
    await turn();
    expect([tab.at, pops, menu.closed]).toEqual([1, 0, 0]);
    await tab.go(-1);
    expect([tab.at, pops]).toEqual([0, 1]);
  });

  it("a dialog that opens as its menu closes has the menu's entry", async () => {
    const menu = overlay();
    await turn();
    menu.end();
    const dialog = overlay();
    await turn();
    expect([tab.at, tab.entries.length]).toEqual([1, 2]);
    await tab.go(-1);
    expect([menu.closed, dialog.closed, tab.at]).toEqual([0, 1, 0]);
  });

  it("two that close in one go, and one that opens while the way back is under way", async () => {
    const [menu, dialog] = [overlay(), overlay()];
    await turn();
    menu.end();
    dialog.end();
    await Promise.resolve();
    await Promise.resolve();
    const next = overlay();
    await turn();
    expect([tab.at, next.closed, pops]).toEqual([1, 0, 0]);
    await tab.go(-1);
    expect([tab.at, next.closed, pops]).toEqual([0, 1, 0]);
  });

  it("the address is written into the page's entry, once the overlays are gone", async () => {
    const write = (url: string) => {
      tab.current.url = url;
    };
    const menu = overlay();
    await turn();
    stack.onPage(() => write("/?s=never"))();
    stack.onPage(() => write("/"));
    expect(tab.current.url).toBe("/?s=one");
    menu.end();
    await turn();
    expect([tab.at, tab.current.url]).toEqual([0, "/"]);
    stack.onPage(() => write("/?s=two"));
    expect(tab.current.url).toBe("/?s=two");
  });

  it("the entry of a closed overlay is no place to be: Forward, or a reload with one open", async () => {
    overlay().end();
    const menu = overlay();
    await turn();
    menu.end();
    await turn();
    await tab.go(1);
    await turn();
    expect([tab.at, pops]).toEqual([0, 0]);
    tab.at = 1;
    let isWritten = false;
    new BackStack(tab).onPage(() => {
      isWritten = true;
    });
    await turn();
    expect([tab.at, isWritten]).toEqual([0, true]);
  });
});
