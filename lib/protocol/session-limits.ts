// What one session's programs may use up of the machine (T105), as flag, variable, config file and launch profiles say it. Whether this machine
// can enforce it is not known here (server/host/pty/session-limits.ts).

/** A field that is absent has no limit of ours: the host's own is inherited. */
export interface SessionLimits {
  /** Processes and threads that the user may have more than there are when the session starts. */
  readonly processes?: number;
  /** Descriptors of one process. */
  readonly openFiles?: number;
  /** Bytes of one file that a program writes. */
  readonly fileSize?: number;
  /** Bytes of address space of one process. */
  readonly memory?: number;
}

interface Kind {
  readonly word: string;
  readonly isBytes: boolean;
  readonly min: number;
  readonly max: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const TiB = 1024 * 1024 * MiB;

/** Below these a shell does not get as far as its prompt. */
const kinds: Readonly<Record<keyof SessionLimits, Kind>> = {
  processes: { word: "processes", isBytes: false, min: 16, max: 1_000_000 },
  openFiles: { word: "open-files", isBytes: false, min: 32, max: 1_000_000 },
  fileSize: { word: "file-size", isBytes: true, min: MiB, max: 1024 * TiB },
  memory: { word: "memory", isBytes: true, min: 64 * MiB, max: 1024 * TiB },
};
const fields = Object.keys(kinds) as (keyof SessionLimits)[];
const words = fields.map((field) => kinds[field].word);

/** `processes=512,open-files=1024,file-size=4G,memory=8G`, in any order; `none` or nothing: no limits. Throws Error with the reason. */
export function parseSessionLimits(written: string): SessionLimits {
  if (written === "" || written === "none") return {};
  const found: Record<string, string> = {};
  for (const part of written.split(",")) {
    const at = part.indexOf("=");
    const word = at < 0 ? part : part.slice(0, at);
    if (at < 0 || !words.includes(word))
      throw new Error(
        `must be ${words.map((one) => `${one}=…`).join(",")} or some of them, or none`,
      );
    if (word in found) throw new Error(`names ${word} twice`);
    found[word] = part.slice(at + 1);
  }
  return limitsFrom(found);
}

/** The same as an object: `{"processes": 512, "memory": "8G"}`. Throws Error with the reason. */
export function sessionLimitsFromJson(value: unknown): SessionLimits {
  if (value === "none") return {};
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`must be an object with some of ${words.join(", ")}`);
  const unknown = Object.keys(value).find((word) => !words.includes(word));
  if (unknown !== undefined)
    throw new Error(
      `has an unknown field ${JSON.stringify(unknown.slice(0, 60))}; known are ${words.join(", ")}`,
    );
  return limitsFrom(value as Record<string, unknown>);
}

/** As `parseSessionLimits` reads it. */
export function writtenSessionLimits(limits: SessionLimits): string {
  const parts = fields.flatMap((field) =>
    limits[field] === undefined ? [] : [`${kinds[field].word}=${limits[field]}`],
  );
  return parts.length === 0 ? "none" : parts.join(",");
}

function limitsFrom(found: Readonly<Record<string, unknown>>): SessionLimits {
  const limits: { -readonly [Field in keyof SessionLimits]: SessionLimits[Field] } = {};
  for (const field of fields) {
    const value = found[kinds[field].word];
    if (value !== undefined) limits[field] = amount(value, kinds[field]);
  }
  return limits;
}

const units: Readonly<Record<string, number>> = {
  "": 1,
  K: KiB,
  M: MiB,
  G: 1024 * MiB,
  T: TiB,
};

function amount(value: unknown, { word, isBytes, min, max }: Kind): number {
  const text = typeof value === "number" ? String(value) : value;
  const match = typeof text === "string" ? /^(\d{1,15})([KMGT]?)$/i.exec(text) : null;
  const unit = match?.[2]?.toUpperCase() ?? "";
  const number = match && (isBytes || unit === "") ? Number(match[1]) * (units[unit] ?? 1) : NaN;
  if (!(number >= min && number <= max)) {
    const range = isBytes ? `${min / MiB}M to ${max / TiB}T` : `${min} to ${max}`;
    throw new Error(`needs ${word} to be a whole number from ${range}`);
  }
  return number;
}
