// Window titles as plain text (SE8, T85): they come from programs and are shown outside the terminal.
import { limits } from "#lib/protocol/limits.ts";
import { cleanText } from "./hidden-characters.ts";

/** C0, DEL, C1, line separators, and format characters: zero-width, bidirectional, tags. */
const unwanted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** At most 256 characters (code points) of one line, nothing invisible, no spaces at the ends. */
export function cleanTitle(title: string): string {
  // Cut first: a title of 64 KiB need not be searched. Twice the units is more than enough for 256 code points unless most are unwanted.
  const clean = title
    .slice(0, limits.titleChars * 16)
    .replace(/[\t\n\r]/g, " ")
    .replace(unwanted, "");
  const short = [...clean.trim()].slice(0, limits.titleChars).join("");
  // Variation selectors and fillers are no format characters and hide text as well.
  return cleanText(short).text.trim();
}
