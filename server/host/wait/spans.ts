// Parts of a text that are taken out of it. Pure.

export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface Remainder {
  readonly text: string;
  /** Where in the whole text that character stood. */
  at(index: number): number;
}

/** Spans may overlap, and come in any order. */
export function withoutSpans(text: string, spans: readonly Span[]): Remainder {
  const kept: { readonly from: number; readonly at: number }[] = [];
  let rest = "";
  let done = 0;
  const keep = (to: number) => {
    if (to <= done) return;
    kept.push({ from: rest.length, at: done });
    rest += text.slice(done, to);
  };
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    keep(from);
    done = Math.max(done, to);
  }
  keep(text.length);
  return {
    text: rest,
    at(index) {
      let found = kept[0];
      for (const piece of kept) {
        if (piece.from > index) break;
        found = piece;
      }
      return found ? found.at + index - found.from : index;
    },
  };
}
