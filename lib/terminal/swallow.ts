// Finds the end of what is being left out of a stream because it is too long. The emulator never saw its beginning, so these rules
// are ours: it ends where a terminal would end it at the latest.

const esc = 0x1b;

/** An OSC ends at BEL too, a control sequence at its final. */
export type Swallowed = "osc" | "string" | "csi";

export type SwallowStep =
  /** Everything from the start to `at` is left out; what follows is ordinary again. */
  | { kind: "ended"; at: number }
  /** Left out up to `at`, where one control stands that is executed even inside a sequence; goes on after it. */
  | { kind: "control"; at: number }
  /** Left out up to `at`, the end, or one byte before it when that byte may belong to what follows. */
  | { kind: "more"; at: number };

export function swallow(what: Swallowed, bytes: Uint8Array, start: number): SwallowStep {
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    // CAN and SUB end everything.
    if (byte === 0x18 || byte === 0x1a) return { kind: "ended", at: at + 1 };
    if (byte === esc || byte === 0xc2) {
      const next = bytes[at + 1];
      if (next === undefined) return { kind: "more", at };
      if (byte === esc) return { kind: "ended", at: next === 0x5c ? at + 2 : at };
      if (what === "csi" && next >= 0x80 && next < 0xa0) return { kind: "ended", at };
      if (what !== "csi" && next === 0x9c) return { kind: "ended", at: at + 2 };
    } else if (what === "csi") {
      if (byte >= 0x40 && byte < 0x7f) return { kind: "ended", at: at + 1 };
      if (byte < 0x20) return { kind: "control", at };
    } else if (byte === 0x07 && what === "osc") {
      return { kind: "ended", at: at + 1 };
    }
  }
  return { kind: "more", at: bytes.length };
}
