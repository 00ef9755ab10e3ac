// The word of a list that was probably meant: the one with the fewest typing mistakes, if they are few.

/** Undefined when none is near: at most a third of the letters may be wrong, and at most three. */
export function nearest(wanted: string, words: readonly string[]): string | undefined {
  const most = Math.min(3, Math.ceil(wanted.length / 3));
  let best: { word: string; mistakes: number } | undefined;
  for (const word of words) {
    if (Math.abs(word.length - wanted.length) > most) continue;
    const mistakes = distance(wanted.toLowerCase(), word.toLowerCase());
    if (mistakes <= most && mistakes < (best?.mistakes ?? most + 1)) best = { word, mistakes };
  }
  return best?.word;
}

/** Letters to add, take away, change or swap with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return last[b.length] as number;
}
