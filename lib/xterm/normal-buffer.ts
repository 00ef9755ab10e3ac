// The library's own normal buffer (xterm 6.0.0, pinned; headless and browser build alike), and markers at lines of it. Public markers are made in
// the active buffer only, and no trim is told in public.
import type { Disposable } from "#lib/base/lifecycle.ts";

export interface LineMarker {
  /** Of the buffer; -1 once its line is gone. */
  readonly line: number;
  readonly isDisposed: boolean;
  dispose(): void;
}

/** What is used of it. */
export interface NormalBuffer {
  readonly ybase: number;
  readonly y: number;
  readonly lines: {
    readonly length: number;
    readonly maxLength: number;
    get(row: number): { readonly isWrapped: boolean } | undefined;
    onTrim(listener: (count: number) => void): Disposable;
  };
  addMarker(row: number): LineMarker;
}

/** Another one after each reset; the alternate screen changes nothing. */
export function normalBuffer(terminal: object): NormalBuffer {
  return (terminal as { _core: { buffers: { normal: NormalBuffer } } })._core.buffers.normal;
}

/** At the first row of its line: the others are taken out when the terminal becomes wider, and their markers with them. */
export function markLine(buffer: NormalBuffer, row: number): LineMarker {
  let first = row;
  while (first > 0 && buffer.lines.get(first)?.isWrapped) first--;
  return buffer.addMarker(first);
}
