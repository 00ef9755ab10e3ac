// A terminal as a search sees it: with nothing in the cells that hide a password. Counts and places of everything else stay what they are.
import type { IBuffer, IBufferLine, Terminal } from "@xterm/xterm";

/** Nobody looks for it. */
const filler = "\0";

export function withoutHidden(terminal: Terminal, hiddenCells: (row: number) => number): Terminal {
  const lineOf = (buffer: IBuffer, row: number): IBufferLine | undefined => {
    const line = buffer.getLine(row);
    const cells = line ? hiddenCells(row) : 0;
    if (!line || cells === 0) return line;
    return Object.create(line, {
      translateToString: {
        value(...how: Parameters<IBufferLine["translateToString"]>): string {
          if (cells >= line.length) return "";
          const length = line.translateToString(false, 0, cells).length;
          return filler.repeat(length) + line.translateToString(...how).slice(length);
        },
      },
    });
  };
  return Object.create(terminal, {
    buffer: {
      get() {
        const { active } = terminal.buffer;
        return {
          active: Object.create(active, {
            getLine: { value: (row: number) => lineOf(active, row) },
          }),
        };
      },
    },
  });
}
