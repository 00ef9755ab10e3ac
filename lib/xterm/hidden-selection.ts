// What a selection gives away: its text without the cells that hide a password. xterm 6.0.0 (pinned) has one source for copying, for the browser's own
// menu and for the middle button of Linux, and no hook in it.
import type { Terminal } from "@xterm/xterm";

interface Buffer {
  translateBufferLineToString(row: number, trims: boolean, start?: number, end?: number): string;
}
interface SelectionService {
  readonly selectionText: string;
  readonly _bufferService: { readonly buffer: Buffer };
}

/** Stands for a row of which nothing is left. */
const hidden = "\0";
const onlyHidden = /^\0+$/;

export interface SafeSelection {
  readonly text: string;
  readonly isCut: boolean;
}

/** Call once, after the terminal was opened. Returns what the selection gives. */
export function hideInSelection(
  terminal: Terminal,
  hiddenCells: (row: number) => number,
): () => SafeSelection {
  const service = (terminal as unknown as { _core: { _selectionService: SelectionService } })._core
    ._selectionService;
  const raw = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(service), "selectionText")?.get;
  if (!raw) throw new Error("invariant: xterm's selection has a text");
  const read = (): SafeSelection => {
    const { buffer } = service._bufferService;
    let isCut = false;
    const without: Buffer = Object.create(buffer, {
      translateBufferLineToString: {
        value(row: number, trims: boolean, start = 0, end?: number): string {
          const cells = hiddenCells(row);
          if (cells <= start) return buffer.translateBufferLineToString(row, trims, start, end);
          isCut = true;
          if (cells >= (end ?? terminal.cols)) return hidden;
          // Nothing printed behind the prompt: the row would be left as an empty line.
          return buffer.translateBufferLineToString(row, trims, cells, end) || hidden;
        },
      },
    });
    const view = Object.create(service, { _bufferService: { value: { buffer: without } } });
    const text: string = raw.call(view);
    if (!isCut) return { text, isCut };
    const lines = text.split("\n").filter((line) => !onlyHidden.test(line.replace("\r", "")));
    return { text: lines.join("\n").replaceAll(hidden, ""), isCut };
  };
  Object.defineProperty(service, "selectionText", { get: () => read().text });
  return read;
}
