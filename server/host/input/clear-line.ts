// What takes unsent text off a line (DR2): to its end by as many steps as the screen shows text behind the cursor, then C-u, which every line
// editor and the kernel know: it cuts what is before the cursor, or the whole line.
//
// Not C-e, C-k or C-a: in vi mode they are text, and C-a is a prefix of screen. Not C-c, which would be most certain: it ends programs.
// A step too many does nothing; in canonical mode, as under dash, all of it is text that the C-u takes away.
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import { encodeKey, type KeyModes } from "#lib/terminal/keys.ts";

const cut = Uint8Array.of(0x15);

/** `behind`: what stands behind the cursor, as the screen shows it; ghost text and right-hand prompts do no harm. */
export function clearLine(behind: string, modes: KeyModes): Uint8Array {
  const right = encodeKey("Right", modes) ?? utf8("");
  const steps = Array.from([...behind.trimEnd()], () => right);
  return concatBytes([...steps, cut]);
}
