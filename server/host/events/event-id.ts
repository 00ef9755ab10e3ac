// Ids of events (EV1): which life of the host, and which event of it. Fixed widths, so that ids of one life sort as strings.

export interface EventPlace {
  readonly life: string;
  /** 1-based; 0 stands before the first. */
  readonly sequence: number;
}

const sequenceDigits = 12;

/** Two lives never overlap (HO2), so the moment of the start tells them apart. */
export function lifeOf(startedMs: number): string {
  return Math.max(0, Math.floor(startedMs)).toString(36).padStart(9, "0");
}

export function formatEventId({ life, sequence }: EventPlace): string {
  return `${life}-${String(sequence).padStart(sequenceDigits, "0")}`;
}

/** Undefined for what no host of ours ever made. */
export function parseEventId(id: string): EventPlace | undefined {
  const match = /^([0-9a-z]{9})-([0-9]{12})$/.exec(id);
  return match?.[1] && match[2] ? { life: match[1], sequence: Number(match[2]) } : undefined;
}
