// The config file as text, JSON and lines. What its values mean is the settings' and the profiles' matter.
import { readFileSync, statSync } from "node:fs";
import { limits } from "#lib/protocol/limits.ts";
import { JsonError, JsonLines } from "./json-lines.ts";

export type ConfigFile =
  | { readonly kind: "values"; readonly values: Record<string, unknown>; readonly lines: JsonLines }
  | { readonly kind: "missing" }
  /** `reason` goes behind the file's name. */
  | { readonly kind: "broken"; readonly line: number | null; readonly reason: string };

export function readConfigFile(path: string): ConfigFile {
  let text: string;
  try {
    const stat = statSync(path);
    // A pipe in its place would stop the server; so would a file without end.
    if (!stat.isFile()) return broken(null, "cannot be read: it is not a regular file");
    if (stat.size > limits.configBytes)
      return broken(null, `is longer than ${limits.configBytes} bytes`);
    text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { kind: "missing" };
    return broken(null, `cannot be read: ${(error as Error).message}`);
  }
  let lines: JsonLines;
  try {
    lines = new JsonLines(text);
  } catch (error) {
    if (error instanceof JsonError) return broken(error.line, `is not JSON: ${error.message}`);
    throw error;
  }
  const values: unknown = JSON.parse(text);
  if (typeof values !== "object" || values === null || Array.isArray(values))
    return broken(lines.lineOf([]), "must hold one JSON object");
  return { kind: "values", values: values as Record<string, unknown>, lines };
}

function broken(line: number | null, reason: string): ConfigFile {
  return { kind: "broken", line, reason };
}
