// The line below the output pane as a value: text, cursor, and the lines that were sent before. Pure. Lines typed while a password is asked for are
// not remembered.
import type { KeyName } from "./typed-keys.ts";

export interface InputLine {
  readonly text: string;
  /** In UTF-16 units, never within a character. */
  readonly cursor: number;
  /** Oldest first. */
  readonly history: readonly string[];
  /** Index of the line of the history that is shown; its length: the one being typed. */
  readonly at: number;
  /** What was being typed when the history was looked at. */
  readonly draft: string;
}

export const emptyLine: InputLine = { text: "", cursor: 0, history: [], at: 0, draft: "" };

const maxHistory = 500;
const maxChars = 64 * 1024;

export function insert(line: InputLine, text: string): InputLine {
  const room = maxChars - line.text.length;
  const added = text.slice(0, Math.max(0, room)).replace(/[\ud800-\udbff]$/, "");
  return {
    ...line,
    text: line.text.slice(0, line.cursor) + added + line.text.slice(line.cursor),
    cursor: line.cursor + added.length,
  };
}

/** The line after it was sent. */
export function sent(line: InputLine, isSecret: boolean): InputLine {
  const { text } = line;
  const keeps = !isSecret && text.trim() !== "" && text !== line.history.at(-1);
  const history = keeps ? [...line.history, text].slice(-maxHistory) : line.history;
  return { text: "", cursor: 0, history, at: history.length, draft: "" };
}

/** The line after an editing key; the same object when the key means nothing to it. */
export function edited(line: InputLine, key: KeyName): InputLine {
  const { text, cursor } = line;
  switch (key) {
    case "backspace":
      return cut(line, before(text, cursor), cursor);
    case "delete":
      return cut(line, cursor, after(text, cursor));
    case "left":
    case "ctrl-b":
      return { ...line, cursor: before(text, cursor) };
    case "right":
    case "ctrl-f":
      return { ...line, cursor: after(text, cursor) };
    case "home":
    case "ctrl-a":
      return { ...line, cursor: 0 };
    case "end":
    case "ctrl-e":
      return { ...line, cursor: text.length };
    case "word_left":
      return { ...line, cursor: wordStart(text, cursor) };
    case "word_right":
      return { ...line, cursor: wordEnd(text, cursor) };
    case "ctrl-w":
      return cut(line, wordStart(text, cursor), cursor);
    case "ctrl-u":
      return cut(line, 0, cursor);
    case "ctrl-k":
      return cut(line, cursor, text.length);
    case "up":
    case "ctrl-p":
      return recalled(line, line.at - 1);
    case "down":
    case "ctrl-n":
      return recalled(line, line.at + 1);
    default:
      return line;
  }
}

function cut(line: InputLine, from: number, to: number): InputLine {
  if (from === to) return line;
  return { ...line, text: line.text.slice(0, from) + line.text.slice(to), cursor: from };
}

function recalled(line: InputLine, at: number): InputLine {
  if (at < 0 || at > line.history.length) return line;
  const draft = line.at === line.history.length ? line.text : line.draft;
  const text = at === line.history.length ? draft : (line.history[at] ?? "");
  return { ...line, text, cursor: text.length, at, draft };
}

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function before(text: string, cursor: number): number {
  let last = 0;
  for (const { index } of characters.segment(text.slice(0, cursor))) last = index;
  return last;
}

function after(text: string, cursor: number): number {
  const [first] = characters.segment(text.slice(cursor));
  return cursor + (first?.segment.length ?? 0);
}

function wordStart(text: string, cursor: number): number {
  return text.slice(0, cursor).replace(/\S+\s*$/, "").length;
}

function wordEnd(text: string, cursor: number): number {
  return cursor + (/^\s*\S+/.exec(text.slice(cursor))?.[0].length ?? text.length - cursor);
}
