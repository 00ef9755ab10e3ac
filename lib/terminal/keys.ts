// Key names to the bytes a terminal sends (IN2): tmux-style names, xterm's sequences. One table. A combination for which no
// terminal has a sequence of its own is undefined, never a guess.
// https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-PC-Style-Function-Keys
import { utf8 } from "#lib/base/bytes.ts";

export interface KeyModes {
  /** DECCKM: arrows, Home and End as ESC O x. */
  appCursorKeys: boolean;
  /** DECNKM. No named key depends on it: the names are those of the main keyboard. */
  appKeypad: boolean;
}

interface Modifiers {
  shift: boolean;
  alt: boolean;
  ctrl: boolean;
}

/** What a named key sends, by how its modified forms are built. */
type NamedKey =
  /** CSI final, or ESC O final under DECCKM; modified CSI 1;m final. */
  | { kind: "cursor"; final: string }
  /** ESC O final; modified CSI 1;m final. */
  | { kind: "function"; final: string }
  /** CSI number ~; modified CSI number;m ~. */
  | { kind: "tilde"; number: number }
  /** Fixed strings; alt puts ESC in front of the unmodified and the ctrl form. */
  | { kind: "fixed"; plain: string; ctrl?: string; shift?: string };

const cursor = (final: string): NamedKey => ({ kind: "cursor", final });
const fn = (final: string): NamedKey => ({ kind: "function", final });
const tilde = (number: number): NamedKey => ({ kind: "tilde", number });

const enter: NamedKey = { kind: "fixed", plain: "\r" };
const escapeKey: NamedKey = { kind: "fixed", plain: "\x1b" };
const backspace: NamedKey = { kind: "fixed", plain: "\x7f", ctrl: "\b" };

const named: Readonly<Record<string, NamedKey>> = {
  Enter: enter,
  Escape: escapeKey,
  Esc: escapeKey,
  Tab: { kind: "fixed", plain: "\t", shift: "\x1b[Z" },
  BTab: { kind: "fixed", plain: "\x1b[Z", shift: "\x1b[Z" },
  Space: { kind: "fixed", plain: " ", ctrl: "\0", shift: " " },
  Backspace: backspace,
  BSpace: backspace,
  Up: cursor("A"),
  Down: cursor("B"),
  Right: cursor("C"),
  Left: cursor("D"),
  Home: cursor("H"),
  End: cursor("F"),
  Insert: tilde(2),
  IC: tilde(2),
  Delete: tilde(3),
  DC: tilde(3),
  PgUp: tilde(5),
  PPage: tilde(5),
  PageUp: tilde(5),
  PgDn: tilde(6),
  NPage: tilde(6),
  PageDown: tilde(6),
  F1: fn("P"),
  F2: fn("Q"),
  F3: fn("R"),
  F4: fn("S"),
  F5: tilde(15),
  F6: tilde(17),
  F7: tilde(18),
  F8: tilde(19),
  F9: tilde(20),
  F10: tilde(21),
  F11: tilde(23),
  F12: tilde(24),
};

/** As written in the documentation; single characters are keys too. */
export const keyNames: readonly string[] = Object.keys(named);

/** Names are compared without regard to case, as tmux does. */
const namedKeys: ReadonlyMap<string, NamedKey> = new Map(
  Object.entries(named).map(([name, key]) => [name.toLowerCase(), key]),
);

/** Whether `name` is meant as a key: a name, or modifiers before a name or a character; there may be no sequence for it. */
export function isKeyName(name: string): boolean {
  const parsed = splitModifiers(name);
  if (!parsed) return /^(?:[CMS]-){2,}\S+$/.test(name);
  const { rest } = parsed;
  return namedKeys.has(rest.toLowerCase()) || (rest !== name && [...rest].length === 1);
}

/** Bytes of a key name such as `Enter`, `C-c`, `M-S-Left` or `q`; undefined when there is no such key or no such sequence. */
export function encodeKey(name: string, modes: KeyModes): Uint8Array | undefined {
  const parsed = splitModifiers(name);
  if (!parsed) return undefined;
  const { rest, modifiers } = parsed;
  const key = namedKeys.get(rest.toLowerCase());
  const text = key ? namedText(key, modifiers, modes) : characterText(rest, modifiers);
  return text === undefined ? undefined : utf8(text);
}

function splitModifiers(name: string): { rest: string; modifiers: Modifiers } | undefined {
  const modifiers: Modifiers = { shift: false, alt: false, ctrl: false };
  let rest = name;
  // The length keeps "M--" the minus key.
  while (rest.length > 2 && rest[1] === "-") {
    const which = { C: "ctrl", M: "alt", S: "shift" }[rest.charAt(0)] as
      | keyof Modifiers
      | undefined;
    if (!which || modifiers[which]) return undefined;
    modifiers[which] = true;
    rest = rest.slice(2);
  }
  return { rest, modifiers };
}

function namedText(key: NamedKey, modifiers: Modifiers, modes: KeyModes): string | undefined {
  const m = 1 + (modifiers.shift ? 1 : 0) + (modifiers.alt ? 2 : 0) + (modifiers.ctrl ? 4 : 0);
  switch (key.kind) {
    case "cursor":
      if (m > 1) return `\x1b[1;${m}${key.final}`;
      return (modes.appCursorKeys ? "\x1bO" : "\x1b[") + key.final;
    case "function":
      return m > 1 ? `\x1b[1;${m}${key.final}` : `\x1bO${key.final}`;
    case "tilde":
      return m > 1 ? `\x1b[${key.number};${m}~` : `\x1b[${key.number}~`;
    case "fixed": {
      if (modifiers.shift && modifiers.ctrl) return undefined;
      const text = modifiers.shift ? key.shift : modifiers.ctrl ? key.ctrl : key.plain;
      if (text === undefined) return undefined;
      if (!modifiers.alt) return text;
      // Alt with back-tab: terminals disagree.
      return text.length === 1 ? `\x1b${text}` : undefined;
    }
  }
}

const controlPunctuation = new Set(["@", "[", "\\", "]", "^", "_"]);

function characterText(character: string, modifiers: Modifiers): string | undefined {
  const codePoint = character.codePointAt(0);
  if (codePoint === undefined || character.length !== (codePoint > 0xffff ? 2 : 1))
    return undefined;
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) return undefined;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return undefined;
  let text = character;
  if (modifiers.shift) {
    // Of other characters the keyboard layout decides, and we do not know it.
    text = character.toUpperCase();
    if (text === character.toLowerCase() || [...text].length !== 1) return undefined;
  }
  if (modifiers.ctrl) {
    if (!/^[A-Za-z]$/.test(text) && !controlPunctuation.has(text)) return undefined;
    text = String.fromCharCode(text.charCodeAt(0) & 0x1f);
  }
  return modifiers.alt ? `\x1b${text}` : text;
}
