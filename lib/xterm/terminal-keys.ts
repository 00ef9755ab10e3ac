// What a key at the terminal does that is not the program's: routed by key-routing.ts, done here. Of the selected command it knows that there is
// one; what its keys mean is the page's.
import type { Terminal } from "@xterm/xterm";
import { assertNever } from "#lib/base/assert.ts";
import { type KeyRoute, routeKey, selectionAct } from "./key-routing.ts";
import type { ScrollWatch } from "./scroll-watch.ts";
import type { TerminalClipboard } from "./terminal-clipboard.ts";
import type { TerminalCommands } from "./terminal-commands.ts";
import type { TerminalInput } from "./terminal-input.ts";
import type { TerminalHost } from "./terminal-status.ts";

export interface KeysParts {
  readonly input: Pick<TerminalInput, "takesKey">;
  readonly commands: Pick<TerminalCommands, "selection" | "select" | "step" | "getLayout">;
  readonly scroll: Pick<ScrollWatch, "scrolled">;
  readonly clipboard: Pick<TerminalClipboard, "copySelection">;
  readonly host: Pick<TerminalHost, "commandKey" | "find" | "zoom" | "leave">;
  isScreenReader(): boolean;
}

export class TerminalKeys {
  constructor(
    private readonly terminal: Terminal,
    private readonly parts: KeysParts,
  ) {}

  /** For xterm: true lets it handle the key. Called for keydown, keypress and keyup of the same key. */
  take(event: KeyboardEvent): boolean {
    const { input, commands } = this.parts;
    if (input.takesKey(event)) return false;
    const { selection } = commands;
    if (selection !== null && !this.selectedKey(event, selection)) return false;
    const route = routeKey(event, {
      isMac: /^Mac|^iP/.test(navigator.platform),
      hasSelection: this.terminal.hasSelection(),
      isScreenReader: this.parts.isScreenReader(),
    });
    if (route.kind === "program") return true;
    if (route.kind === "command") return this.stepCommand(route.by, event);
    if (event.type === "keydown") this.act(route, event);
    return false;
  }

  /** The chord is the program's where there is no command to go to. */
  private stepCommand(by: 1 | -1, event: KeyboardEvent): boolean {
    const { commands } = this.parts;
    if (event.type !== "keydown") return commands.getLayout() === null;
    if (!commands.step(by)) return true;
    event.preventDefault();
    return false;
  }

  /** While a command is selected a few keys are about it; any other ends that and means what it always means. */
  private selectedKey(event: KeyboardEvent, index: number): boolean {
    const { commands, host } = this.parts;
    const act = selectionAct(event);
    if (act === "stay") return true;
    if (act === "leave") {
      if (event.type === "keydown") commands.select(null);
      return true;
    }
    if (event.type !== "keydown") return false;
    event.preventDefault();
    if (act === "copy_output") host.commandKey(act, index);
    else commands.select(null);
    if (act === "rerun") host.commandKey(act, index);
    return false;
  }

  private act(
    route: Exclude<KeyRoute, { kind: "program" | "command" }>,
    event: KeyboardEvent,
  ): void {
    const { clipboard, host } = this.parts;
    if (route.kind !== "page") event.preventDefault();
    switch (route.kind) {
      case "copy":
        void clipboard.copySelection();
        if (route.clearsSelection) this.terminal.clearSelection();
        break;
      case "find":
        host.find();
        break;
      case "zoom":
        host.zoom(route.step);
        break;
      case "leave":
        host.leave();
        break;
      case "scroll":
        this.scroll(route.to);
        break;
      case "page":
      case "swallow":
        break;
      default:
        assertNever(route);
    }
  }

  private scroll(to: Extract<KeyRoute, { kind: "scroll" }>["to"]): void {
    const { terminal } = this;
    if (to === "page_up") terminal.scrollPages(-1);
    else if (to === "page_down") terminal.scrollPages(1);
    else if (to === "top") terminal.scrollToTop();
    else terminal.scrollToBottom();
    this.parts.scroll.scrolled();
  }
}
