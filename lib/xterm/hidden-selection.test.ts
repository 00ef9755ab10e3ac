import type { Terminal } from "@xterm/xterm";
import { expect, test } from "vitest";
import { hideInSelection } from "./hidden-selection.ts";

/** xterm's selection as far as it matters here: all of the rows, each right-trimmed. */
class Selection {
  readonly _bufferService: {
    buffer: { translateBufferLineToString(row: number, trims: boolean, start?: number): string };
  };
  constructor(private readonly rows: readonly string[]) {
    this._bufferService = {
      buffer: {
        translateBufferLineToString: (row, _, start = 0) => (rows[row] ?? "").slice(start),
      },
    };
  }
  get selectionText(): string {
    const { buffer } = this._bufferService;
    return this.rows.map((_, row) => buffer.translateBufferLineToString(row, true)).join("\n");
  }
}

function copied(rows: readonly string[], cells: number) {
  const terminal = { cols: 40, _core: { _selectionService: new Selection(rows) } };
  return hideInSelection(terminal as unknown as Terminal, (row) => (row === 1 ? cells : 0))();
}

test("[CR3] the line of a password leaves no empty line, wherever the cursor was when the prompt ended", () => {
  const rows = ["one", "Password: \u2022\u2022\u2022", "two"];
  const without = { text: "one\ntwo", isCut: true };
  expect(copied(rows, Number.POSITIVE_INFINITY)).toEqual(without);
  expect(copied(rows, 13)).toEqual(without);
});

test("[CR3] what was printed behind a prompt on its line is copied, and so are the empty lines around it", () => {
  expect(copied(["one", "Password: \u2022ok", "", "two"], 11).text).toBe("one\nok\n\ntwo");
});
