// What goes from one terminal to the clipboard: what a person selected, without the cells that hide a password, and what a program asks to put
// there, if the person allows it.
import type { Terminal } from "@xterm/xterm";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { writeClipboard } from "./clipboard.ts";
import { hideInSelection, type SafeSelection } from "./hidden-selection.ts";
import type { TerminalHost } from "./terminal-status.ts";

export class TerminalClipboard implements Disposable {
  /** Nothing can be selected before the terminal is open. */
  private selected: () => SafeSelection = () => ({ text: "", isCut: false });
  private isDisposed = false;

  constructor(
    private readonly terminal: Terminal,
    private readonly document: Document,
    private readonly host: Pick<
      TerminalHost,
      "confirmClipboard" | "copyBlocked" | "secretNotCopied"
    >,
    private readonly hiddenCells: (row: number) => number,
  ) {}

  /** Once, right after the terminal was opened. */
  opened(): void {
    this.selected = hideInSelection(this.terminal, this.hiddenCells);
  }

  async copySelection(): Promise<void> {
    const { text, isCut } = this.selected();
    if (isCut) this.host.secretNotCopied();
    if (text !== "") await this.write(text);
  }

  /** By the browser's own menu or key: the text is right by itself (hideInSelection). */
  copied(): void {
    if (this.terminal.hasSelection() && this.selected().isCut) this.host.secretNotCopied();
  }

  /** A program wants `text` on the clipboard. */
  async asked(text: string): Promise<void> {
    if (text === "") return;
    const isAllowed = await this.host.confirmClipboard(text);
    if (isAllowed && !this.isDisposed) await this.write(text);
  }

  dispose(): void {
    this.isDisposed = true;
  }

  private async write(text: string): Promise<void> {
    const isWritten = await writeClipboard(this.document, text);
    if (!isWritten) this.host.copyBlocked();
  }
}
