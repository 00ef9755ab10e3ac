// Which designation selects which charset: the emulator keeps tables, a snapshot needs their names (SN1). Learned from the emulator
// itself, once, so that no table is copied here.
import { createEmulator } from "./emulator.ts";
import { coreOf, type RawCharset } from "./xterm-internals.ts";

/** Finals of `ESC ( x` that the emulator knows. `B` is US-ASCII, the default, kept as no table at all. */
const finals = ["0", "A", "4", "C", "5", "R", "Q", "K", "Y", "E", "6", "Z", "H", "7", "="] as const;

let names: Map<RawCharset, string> | undefined;

function learn(): Map<RawCharset, string> {
  const found = new Map<RawCharset, string>([[undefined, "B"]]);
  const probe = createEmulator({ cols: 2, rows: 1 }, 0);
  for (const final of finals) {
    // An empty input makes the next write happen at once (see Screen.write).
    probe.input("", true);
    probe.write(`\x1b(${final}`);
    const charset = coreOf(probe)._charsetService._charsets[0];
    if (!found.has(charset)) found.set(charset, final);
  }
  probe.dispose();
  return found;
}

/** The final of the designation, `B` for a charset nobody knows. */
export function charsetFinal(charset: RawCharset): string {
  names ??= learn();
  return names.get(charset) ?? "B";
}
