// What a schema found wrong, as sentences that name the field by path (HT2). Pure; shared by every door that takes what clients send: HTTP, the
// attach socket, tools and the line service.
import "./english.ts";
import type * as z from "zod/mini";
import { type FieldError, TermError } from "./errors.ts";

/** A reply lists this many; more would tell nothing new. */
const maxErrors = 20;

type Issue = z.core.$ZodIssue;

export type Validated<T> = { kind: "value"; value: T } | { kind: "refused"; error: TermError };

/** `root` is the first part of every path: `body`, `query`, `frame`, `line`. */
export function validate<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  root: string,
): Validated<z.output<S>> {
  const result = schema.safeParse(value);
  if (result.success) return { kind: "value", value: result.data };
  return { kind: "refused", error: badFields(fieldErrors(result.error.issues, value, root)) };
}

/** BAD_SIZE when nothing but a size is wrong (PT7), else BAD_REQUEST. */
export function badFields(errors: readonly FieldError[]): TermError {
  const isSize = errors.length > 0 && errors.every(({ path }) => /^\w+\.(cols|rows)$/.test(path));
  const detail = errors
    .slice(0, 3)
    .map(({ path, message }) => `${path} ${message}`)
    .join("; ");
  return new TermError(isSize ? "BAD_SIZE" : "BAD_REQUEST", detail, { errors });
}

function fieldErrors(issues: readonly Issue[], value: unknown, root: string): FieldError[] {
  return issues
    .flatMap((issue) => explain(issue, [], value, root))
    .slice(0, maxErrors)
    .map(({ path, message }) => ({ path: path.slice(0, 200), message: message.slice(0, 300) }));
}

function explain(
  issue: Issue,
  parents: readonly PropertyKey[],
  value: unknown,
  root: string,
): FieldError[] {
  const keys = [...parents, ...issue.path];
  const path = [root, ...keys.map(String)].join(".");
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ path: `${path}.${key}`, message: "is not a known field" }));
  }
  if (issue.code === "invalid_union" && kindsOf(issue).length === 0) {
    const branch = closestBranch(issue.errors);
    if (branch) return branch.flatMap((inner) => explain(inner, keys, value, root));
    const at = valueAt(value, keys);
    return [{ path, message: withValue(formsOf(issue.errors, at), at, path) }];
  }
  const at = valueAt(value, keys);
  const says = sentence(issue);
  const isMissing = at === undefined && keys.length > 0;
  return [{ path, message: isMissing ? `${says}, and is missing` : withValue(says, at, path) }];
}

/** The one form that the value misses by the fewest faults, if it is one. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const sorted = branches.filter((issues) => issues.length > 0).sort((a, b) => a.length - b.length);
  const [first, second] = sorted;
  return first && (!second || first.length < second.length) ? first : undefined;
}

/** What each form wants that the value has not, where several are as near. */
function formsOf(branches: readonly (readonly Issue[])[], value: unknown): string {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const isMixed = branches.some((issues) =>
      issues.every(({ code, path }) => code === "unrecognized_keys" && path.length === 0),
    );
    if (isMixed) return "has fields of several forms, of which it may have one";
    const wanted = branches.flat().flatMap(({ code, path: [key, ...deeper] }) => {
      const isMissing = key !== undefined && deeper.length === 0 && !Object.hasOwn(value, key);
      return isMissing && code !== "unrecognized_keys" ? [String(key)] : [];
    });
    if (wanted.length > 0) return `must have one of ${[...new Set(wanted)].join(", ")}`;
  }
  const wanted = branches.flatMap(([only, ...more]) =>
    only && more.length === 0 && only.path.length === 0 && only.code !== "unrecognized_keys"
      ? [sentence(only)]
      : [],
  );
  return [...new Set(wanted)].join(", or ") || "has none of the allowed forms";
}

function sentence(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${article(issue.expected)}`;
    case "too_small":
      return `must be at least ${counted(issue.minimum, issue.origin)}`;
    case "too_big":
      return `must be at most ${counted(issue.maximum, issue.origin)}`;
    case "invalid_value":
      return oneOf(issue.values);
    case "invalid_union":
      return oneOf(kindsOf(issue));
    case "invalid_key":
      return "has a key that is not allowed";
    default:
      return issue.message;
  }
}

/** Of forms that a field tells apart, what that field may say. */
function kindsOf(issue: Issue): readonly unknown[] {
  return "options" in issue && Array.isArray(issue.options) ? issue.options : [];
}

function oneOf(values: readonly unknown[]): string {
  return `must be ${values.length > 1 ? "one of " : ""}${values.map(String).join(", ")}`;
}

function article(type: string): string {
  if (type === "int") return "a whole number";
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

function counted(limit: number | bigint, origin: string): string {
  const noun = origin === "string" ? " character" : origin === "array" ? " element" : "";
  return `${limit}${noun}${noun !== "" && limit !== 1 ? "s" : ""}`;
}

function valueAt(value: unknown, keys: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<PropertyKey, unknown>)[key];
  }
  return at;
}

/** "must be …, not …"; other sentences are whole without the value. */
function withValue(says: string, value: unknown, path: string): string {
  return says.startsWith("must ") ? `${says}${offending(value, path)}` : says;
}

/** The value, where it is short and cannot be a secret: input, environment, secrets and credentials never come back in an error. */
function offending(value: unknown, path: string): string {
  if (/^\w+\.(input|env|secrets|data|code|text|token)\b/.test(path)) return "";
  if (typeof value === "number" || typeof value === "boolean" || value === null) {
    return `, not ${String(value)}`;
  }
  if (typeof value === "string" && value.length <= 40) return `, not ${JSON.stringify(value)}`;
  return "";
}
