// One measured number, what it should be, and how it compares with the stored baseline. Knows nothing about how it was measured.

export interface Figure {
  /** Stable name, also the key in baseline.json. */
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the project aims at; `max`: not above, `min`: not below. */
  readonly aim?: { readonly max: number } | { readonly min: number };
  /** Whether a larger number is the better one. */
  readonly better: "higher" | "lower";
  /** Shown beside it: absolute numbers behind a ratio, circumstances. */
  readonly note?: string;
}

/** name -> value and how many times worse it may become before the run fails (machines are noisy). */
export type Baseline = Record<string, { value: number; tolerance: number }>;

export function meetsAim(figure: Figure): boolean | null {
  if (!figure.aim) return null;
  return "max" in figure.aim ? figure.value <= figure.aim.max : figure.value >= figure.aim.min;
}

/** null: no baseline for it. */
export function isWithinBaseline(figure: Figure, baseline: Baseline): boolean | null {
  const known = baseline[figure.name];
  if (!known) return null;
  return figure.better === "higher"
    ? figure.value >= known.value / known.tolerance
    : figure.value <= known.value * known.tolerance;
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
