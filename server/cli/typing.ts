// What `cotty send` types: words that name keys are keys, the rest is text (CL3). Pure.
import type { InputItem } from "#lib/protocol/input.ts";
import { encodeKey, isKeyName } from "#lib/terminal/keys.ts";
import { CliError, exitCodes } from "./exit.ts";

const plainModes = { appCursorKeys: false, appKeypad: false };

/** `isPaste`: texts arrive as pastes. Throws CliError for what looks like a key that no terminal can send. */
export function itemsOf(
  words: readonly string[],
  options: { isLiteral: boolean; isPaste: boolean },
): InputItem[] {
  const items: InputItem[] = [];
  for (const word of words) {
    if (!options.isLiteral && isKey(word)) items.push({ key: word });
    else if (word !== "") items.push({ text: word, ...(options.isPaste ? { paste: true } : {}) });
  }
  return items;
}

/** A single character is the same as text and as a key; text is what a line of it should stay. */
function isKey(word: string): boolean {
  if ([...word].length === 1) return false;
  if (encodeKey(word, plainModes) !== undefined) return true;
  if (!isKeyName(word)) return false;
  throw new CliError(
    exitCodes.usage,
    `no terminal has a sequence for ${JSON.stringify(word)}`,
    "Use another key (`cotty keys` lists them), or -l to type it as text.",
  );
}
