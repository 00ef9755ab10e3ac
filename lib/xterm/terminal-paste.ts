// Paste and drop: cleaned on every path, asked about when worth a question, wrapped when the program wants it (IN3, SE8, B065).
// xterm's own paste filters nothing, so its paste handler never gets to see the event.
import type { Terminal } from "@xterm/xterm";
import { utf8 } from "#lib/base/bytes.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import { bracketPaste, cleanPaste, describePaste, needsWarning } from "#lib/terminal/paste.ts";
import { listenAt } from "./dom-listener.ts";
import type { PasteAnswer, PasteQuestion } from "./terminal-status.ts";

export interface PasteHooks {
  confirm(question: PasteQuestion): Promise<PasteAnswer>;
  /** Text a person caused, ready for the program. */
  typed(text: string): void;
}

/**
 * Sends `text` as a paste, perhaps after a question. Line ends at its end are left out: they would press Enter for the person.
 * The program's wish for bracketed paste is looked up when the answer is there.
 */
export async function pasteInto(
  terminal: Pick<Terminal, "modes">,
  text: string,
  hooks: PasteHooks,
): Promise<void> {
  const body = text.replace(/[\r\n]+$/, "");
  let sent = body;
  if (needsWarning(body, { bracketed: terminal.modes.bracketedPasteMode })) {
    const clean = cleanPaste(body);
    const { lines, preview, hasControls } = describePaste(body);
    const bytes = utf8(clean).length;
    const answer = await hooks.confirm({ text: clean, lines, bytes, preview, hasControls });
    if (answer === "cancel") return;
    if (answer === "one_line") sent = clean.replace(/\s*\r\s*/g, " ");
  }
  const ready = bracketPaste(sent, { bracketed: terminal.modes.bracketedPasteMode });
  if (ready !== "") hooks.typed(ready);
}

/** Takes paste and drop events of `element` before xterm does. */
export function takePastes(element: HTMLElement, paste: (text: string) => void): Disposable {
  const store = new DisposableStore();
  const listen = <E extends Event>(type: string, heard: (event: E) => void) => {
    store.add(listenAt(element, type, heard, { capture: true }));
  };
  const take = (event: Event, data: DataTransfer | null) => {
    event.preventDefault();
    event.stopPropagation();
    const text = data?.getData("text/plain") ?? "";
    if (text !== "") paste(text);
  };
  listen("paste", (event: ClipboardEvent) => take(event, event.clipboardData));
  listen("drop", (event: DragEvent) => take(event, event.dataTransfer));
  // Without this the browser opens what is dropped.
  listen("dragover", (event) => event.preventDefault());
  return store;
}
