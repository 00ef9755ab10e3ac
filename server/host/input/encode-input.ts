// An input batch to the bytes of one unit (IN1, IN3-IN5): all or nothing, decided before a byte is written. Knows no session.
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import type { ErrorCode, FieldError } from "#lib/protocol/errors.ts";
import type { InputItem } from "#lib/protocol/input.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Modes } from "#lib/protocol/screen.ts";
import { encodeKey, type KeyModes } from "#lib/terminal/keys.ts";
import { bracketPaste, lineEndsAsTyped, withoutPasteMarkers } from "#lib/terminal/paste.ts";

export type InputModes = Pick<Modes, "app_cursor_keys" | "app_keypad" | "bracketed_paste">;

/** Before byte `at` of the unit, `ms` are let pass (IN4). */
interface Gap {
  readonly at: number;
  readonly ms: number;
}

export type EncodedInput =
  | {
      ok: true;
      /** One unit: no other writer's bytes land inside it, nor inside its gaps. */
      unit: Uint8Array;
      gaps: readonly Gap[];
      /** Of each item, where it ends in the unit. */
      ends: readonly number[];
      /** The batch is one C-c and nothing else: the port may signal the foreground group when the queue is full (PT6). */
      isInterrupt: boolean;
    }
  | Refused;
/** `error.path` names the element, e.g. `body.input.2`. */
type Refused = {
  ok: false;
  code: Extract<ErrorCode, "UNKNOWN_KEY" | "BAD_REQUEST">;
  error: FieldError;
};

/** `gapMs` undefined: the default, or less where many gaps would take too long together. */
export function encodeInput(
  items: readonly InputItem[],
  modes: InputModes,
  gapMs?: number,
): EncodedInput {
  const keyModes: KeyModes = { appCursorKeys: modes.app_cursor_keys, appKeypad: modes.app_keypad };
  const parts: Uint8Array[] = [];
  const breaks: number[] = [];
  const ends: number[] = [];
  let length = 0;
  let isAfterText = false;
  for (const [index, item] of items.entries()) {
    const path = `body.input.${index}`;
    let bytes: Uint8Array;
    if ("key" in item) {
      const key = encodeKey(item.key, keyModes);
      if (!key) {
        const message = `${JSON.stringify(item.key)} is no key, or a combination for which terminals have no sequence`;
        return { ok: false, code: "UNKNOWN_KEY", error: { path: `${path}.key`, message } };
      }
      bytes = key;
      // On both sides: an Enter that begins a burst is taken for part of it as well.
      if (isAfterText && isEnter(key)) breaks.push(length, length + 1);
      isAfterText = false;
    } else {
      const isText = "text" in item;
      const text = isText ? textOf(item, modes) : item.raw;
      if (loneSurrogate.test(text)) {
        const message = "half of a surrogate pair has no bytes";
        const field = isText ? "text" : "raw";
        return { ok: false, code: "BAD_REQUEST", error: { path: `${path}.${field}`, message } };
      }
      bytes = utf8(text);
      if (isText && !item.paste && endsInEnter(text))
        breaks.push(length + bytes.length - 1, length + bytes.length);
      if (bytes.length > 0) isAfterText = isText;
    }
    parts.push(bytes);
    length += bytes.length;
    ends.push(length);
  }
  const gaps = gapsAt(
    breaks.filter((at) => at < length),
    gapMs,
  );
  if ("ok" in gaps) return gaps;
  const unit = concatBytes(parts);
  return { ok: true, unit, gaps, ends, isInterrupt: unit.length === 1 && unit[0] === 0x03 };
}

function textOf(item: { text: string; paste?: boolean | undefined }, modes: InputModes): string {
  return item.paste
    ? bracketPaste(item.text, { bracketed: modes.bracketed_paste })
    : lineEndsAsTyped(withoutPasteMarkers(item.text));
}

function isEnter(bytes: Uint8Array): boolean {
  return bytes.length === 1 && bytes[0] === 0x0d;
}

/** Text with one line end behind it is text and Enter. In a paste it is part of the text. */
function endsInEnter(text: string): boolean {
  return /[^\r]\r$/.test(text);
}

function gapsAt(breaks: readonly number[], asked: number | undefined): readonly Gap[] | Refused {
  const { inputGapMs, inputGapsMs } = limits;
  const affordable = Math.floor(inputGapsMs / Math.max(1, breaks.length));
  const ms = asked ?? Math.min(inputGapMs.default, affordable);
  if (ms > affordable) {
    const message = `${breaks.length} gaps of ${ms} ms are more than ${inputGapsMs} ms in all; send fewer lines at a time or a smaller gap`;
    return { ok: false, code: "BAD_REQUEST", error: { path: "body.gap_ms", message } };
  }
  return ms === 0 ? [] : breaks.map((at) => ({ at, ms }));
}

const loneSurrogate = /\p{Cs}/u;
