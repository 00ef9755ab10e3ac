// The name of a session that was given none: its program's, with a number when that is taken.
import { basename } from "node:path";
import { limits } from "#lib/protocol/limits.ts";

export function defaultName(file: string, taken: ReadonlySet<string>): string {
  // A login shell is called `-bash`; control characters in a file name do not belong in a list.
  const program = basename(file)
    .replace(/^-/, "")
    .replace(/[\p{Cc}\p{Cf}]/gu, "");
  const base = program.slice(0, limits.nameChars - 6).trim() || "session";
  if (!taken.has(base)) return base;
  for (let number = 2; ; number++) {
    const name = `${base} ${number}`;
    if (!taken.has(name)) return name;
  }
}
