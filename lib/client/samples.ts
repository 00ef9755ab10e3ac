// The last few measurements and their median.

export class Samples {
  private values: readonly number[] = [];

  constructor(private readonly size: number) {}

  add(value: number): void {
    this.values = [...this.values, value].slice(-this.size);
  }

  /** Oldest first; a new array after each `add`. */
  all(): readonly number[] {
    return this.values;
  }

  /** Null while empty; of an even number the mean of the middle two. */
  median(): number | null {
    if (this.values.length === 0) return null;
    const sorted = [...this.values].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    const upper = sorted[middle] ?? 0;
    return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
  }
}
