// JSON from outside (T57): what JSON.parse accepts, minus repeated keys, `__proto__`, lone surrogates, great depth and endless lists.
// Numbers too big for a double arrive as Infinity; every schema refuses those. Pure.
import { limits } from "#lib/protocol/limits.ts";

export type JsonResult =
  | { kind: "value"; value: unknown }
  /** `path` is dotted and relative to the document: empty at its root. */
  | { kind: "refused"; path: string; message: string };

interface Container {
  /** null: an array. */
  keys: Set<string> | null;
  /** Key or index of the element being read. */
  at: string | number;
  count: number;
}

class Refused extends Error {
  constructor(
    readonly path: string,
    message: string,
  ) {
    super(message);
  }
}

export function parseStrictJson(text: string, maxDepth: number = limits.jsonDepth): JsonResult {
  try {
    inspect(text, maxDepth);
    return { kind: "value", value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof Refused) {
      return { kind: "refused", path: error.path, message: error.message };
    }
    // JSON.parse's own message quotes the text, which may hold a secret.
    return { kind: "refused", path: "", message: "is not JSON" };
  }
}

/** One pass over the tokens, before anything is built. Text that is no JSON may pass; JSON.parse refuses it afterwards. */
function inspect(text: string, maxDepth: number): void {
  const stack: Container[] = [];
  const refuse = (message: string): never => {
    throw new Refused(stack.map((container) => container.at).join("."), message);
  };
  const open = (keys: Set<string> | null) => {
    if (stack.length >= maxDepth) refuse(`is nested deeper than ${maxDepth}`);
    stack.push({ keys, at: keys ? "" : 0, count: 1 });
  };
  for (let i = 0; i < text.length; i += 1) {
    switch (text.charCodeAt(i)) {
      case 0x7b: // {
        open(new Set());
        break;
      case 0x5b: // [
        open(null);
        break;
      case 0x7d: // }
      case 0x5d: // ]
        stack.pop();
        break;
      case 0x2c: {
        // ,
        const top = stack.at(-1);
        if (!top) break;
        top.count += 1;
        if (typeof top.at === "number") top.at += 1;
        if (top.count > limits.jsonItems) {
          stack.pop();
          refuse(`has more than ${limits.jsonItems} elements`);
        }
        break;
      }
      case 0x22: {
        // "
        const end = stringEnd(text, i);
        const content = stringContent(text, i, end);
        i = end;
        const top = stack.at(-1);
        const isKey = top?.keys && nextToken(text, end + 1) === ":";
        if (isKey) takeKey(top, content, refuse);
        if (/[\ud800-\udfff]/u.test(content)) refuse("holds half of a surrogate pair");
        break;
      }
    }
  }
}

function takeKey(top: Container, key: string, refuse: (message: string) => never): void {
  top.at = key;
  if (key === "__proto__") refuse("is not a known field");
  if (top.keys?.has(key)) refuse("is given twice");
  top.keys?.add(key);
}

/** Index of the closing quote, or of the text's end. */
function stringEnd(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) i += 1;
    else if (code === 0x22) return i;
  }
  return text.length;
}

function stringContent(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end);
  if (!raw.includes("\\")) return raw;
  return JSON.parse(`"${raw}"`);
}

function nextToken(text: string, from: number): string | undefined {
  for (let i = from; i < text.length; i += 1) {
    const char = text[i];
    if (char !== " " && char !== "\t" && char !== "\n" && char !== "\r") return char;
  }
  return undefined;
}
