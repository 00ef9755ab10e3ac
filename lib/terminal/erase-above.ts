// Mends xterm 6.0.0 (pinned; headless and browser build alike): `CSI 1 J` on the last cell of a screen without scrollback makes it look for
// a row below the last one and throw, and that terminal never parses again. Fourteen printed bytes would end somebody's view for good.
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";

/** What is touched of a terminal, the library's own inside included; xterm-internals.test.ts fails loudly when it changes. */
export interface ErasableTerminal {
  readonly cols: number;
  readonly parser: {
    registerCsiHandler(
      id: { final: string; prefix?: string },
      callback: (params: (number | number[])[]) => boolean,
    ): Disposable;
  };
}

interface Core {
  readonly buffers: {
    readonly active: { x: number; y: number; lines: { get(index: number): unknown } };
  };
  readonly _inputHandler: {
    eraseInDisplay(params: object, respectProtect?: boolean): boolean;
    eraseInLine(params: object, respectProtect?: boolean): boolean;
  };
}

/** Puts the safe form in front of the library's ED and DECSED. */
export function eraseAboveSafely(terminal: ErasableTerminal): Disposable {
  const owned = new DisposableStore();
  const handler = (respectProtect: boolean) => (params: (number | number[])[]) =>
    params[0] === 1 && eraseInTwoSteps(terminal, respectProtect);
  owned.add(terminal.parser.registerCsiHandler({ final: "J" }, handler(false)));
  owned.add(terminal.parser.registerCsiHandler({ prefix: "?", final: "J" }, handler(true)));
  return owned;
}

/** Erases the same cells: all but the last, then the last. False, with nothing done, where the library's own handler is safe. */
function eraseInTwoSteps(terminal: ErasableTerminal, respectProtect: boolean): boolean {
  const core = (terminal as unknown as { _core: Core })._core;
  const buffer = core.buffers.active;
  const { x } = buffer;
  if (x + 1 < terminal.cols || buffer.lines.get(buffer.y + 1) !== undefined) return false;
  buffer.x = terminal.cols - 2;
  core._inputHandler.eraseInDisplay({ length: 1, params: [1] }, respectProtect);
  buffer.x = terminal.cols - 1;
  core._inputHandler.eraseInLine({ length: 1, params: [0] }, respectProtect);
  buffer.x = x;
  return true;
}
