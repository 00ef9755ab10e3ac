// WebGL where it works and a slot is free, the DOM renderer otherwise. A lost context falls back silently, is tried again at the
// next focus, and is given up after three losses.
import { WebglAddon } from "@xterm/addon-webgl";
import type { Terminal } from "@xterm/xterm";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { type SlotHolder, WebglSlots } from "./webgl-slots.ts";

const maxLosses = 3;

/** One per page, like the browser's own limit. */
const slots = new WebglSlots(4);

export class TerminalRenderer implements Disposable, SlotHolder {
  private addon: WebglAddon | null = null;
  private wish: "auto" | "dom" = "auto";
  private isShown = false;
  private losses = 0;

  /** `changed`: cells may have another size now. */
  constructor(
    private readonly terminal: Terminal,
    private readonly changed: () => void,
  ) {}

  get kind(): "webgl" | "dom" | "none" {
    if (!this.terminal.element) return "none";
    return this.addon ? "webgl" : "dom";
  }

  prefer(wish: "auto" | "dom"): void {
    this.wish = wish;
    this.settle();
  }

  /** Only what is on screen holds a context. */
  setShown(isShown: boolean): void {
    if (this.isShown === isShown) return;
    this.isShown = isShown;
    this.settle();
  }

  focused(): void {
    this.settle();
  }

  giveUp(): void {
    this.drop();
    this.changed();
  }

  dispose(): void {
    this.isShown = false;
    this.drop();
  }

  private settle(): void {
    const isWanted = this.wish === "auto" && this.isShown && this.losses < maxLosses;
    if (!this.terminal.element) return;
    if (!isWanted) {
      if (this.addon) this.giveUp();
      return;
    }
    slots.take(this);
    if (!this.addon) this.start();
  }

  private start(): void {
    const addon = new WebglAddon();
    try {
      this.terminal.loadAddon(addon);
    } catch {
      // No WebGL 2 here: that will not change, so it is not tried again.
      this.losses = maxLosses;
      addon.dispose();
      slots.free(this);
      return;
    }
    this.addon = addon;
    addon.onContextLoss(() => {
      this.losses += 1;
      this.giveUp();
    });
    this.changed();
  }

  private drop(): void {
    slots.free(this);
    const { addon } = this;
    this.addon = null;
    addon?.dispose();
  }
}
