// The owner's launch profiles as the config file holds them: each entry judged by itself, a broken one named with its line (OP6).
// Whether their programs exist is not known here.
import "#lib/protocol/english.ts";
import * as z from "zod/mini";
import { type Access, accessSchema } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import {
  type ProfileIcon,
  type ProfileProblem,
  profileIconSchema,
  profileNameSchema,
} from "#lib/protocol/profiles.ts";
import { type SecretSources, secretSourcesSchema } from "#lib/protocol/secrets.ts";
import { type SessionLimits, sessionLimitsFromJson } from "#lib/protocol/session-limits.ts";
import type { JsonLines, JsonPath } from "./json-lines.ts";

export interface WrittenProfile {
  readonly name: string;
  readonly command: readonly string[];
  /** Absolute, or from the home directory with `~`. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string>>;
  /** By variable (SX1). */
  readonly secrets: SecretSources;
  readonly icon: ProfileIcon;
  /** What agents may do with a session of it (AC1). */
  readonly access: Access;
  /** Instead of those for all sessions (T105). */
  readonly limits?: SessionLimits;
  /** Where the entry begins in the file. */
  readonly line: number;
}

export interface WrittenProfiles {
  readonly profiles: readonly WrittenProfile[];
  readonly problems: readonly ProfileProblem[];
}

const text = z.string("must be a string");
const noNul = (value: string) => !value.includes("\0");

/** As the setting for all sessions, with its reasons. */
const limitsSchema = z.pipe(
  z.unknown(),
  z.transform((value, context): SessionLimits => {
    try {
      return sessionLimitsFromJson(value);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      context.issues.push({ code: "custom", input: value, message });
      return {};
    }
  }),
);

const entrySchema = z.strictObject(
  {
    name: z.pipe(text, profileNameSchema),
    command: z
      .array(
        text.check(z.refine(noNul, "contains NUL")),
        "must be a list: the program, then its arguments",
      )
      .check(
        z.minLength(1, "must name a program"),
        z.maxLength(limits.commandArgs),
        z.refine((words) => words[0] !== "", "must name a program"),
      ),
    cwd: z.optional(
      text.check(
        z.maxLength(4096),
        z.regex(/^(?:\/|~$|~\/)/, "must be an absolute path, or one that begins with ~"),
        z.refine(noNul, "contains NUL"),
      ),
    ),
    env: z.optional(
      z.record(
        z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "is not a variable name")),
        text.check(z.refine(noNul, "contains NUL")),
        "must be an object of strings",
      ),
    ),
    secrets: z.optional(secretSourcesSchema),
    icon: z.optional(profileIconSchema),
    access: z.optional(accessSchema),
    limits: z.optional(limitsSchema),
  },
  "must be an object",
);

const root = "profiles";

/** Those of `value`, which stands under "profiles" in the file. Of two with one name the first counts. */
export function readProfiles(value: unknown, lines: JsonLines): WrittenProfiles {
  if (value === undefined) return { profiles: [], problems: [] };
  const problem = (path: JsonPath, message: string): ProfileProblem => ({
    line: lines.lineOf(path),
    message,
  });
  if (!Array.isArray(value))
    return { profiles: [], problems: [problem([root], `"${root}" must be a list`)] };
  const profiles: WrittenProfile[] = [];
  const problems: ProfileProblem[] = [];
  if (value.length > limits.profiles)
    problems.push(
      problem(
        [root, limits.profiles],
        `there are ${value.length} profiles; at most ${limits.profiles} are read`,
      ),
    );
  for (const [index, entry] of value.slice(0, limits.profiles).entries()) {
    const parsed = entrySchema.safeParse(entry);
    const path = [root, index];
    if (!parsed.success) {
      problems.push(...complaints(parsed.error, path, entry).map((one) => problem(...one)));
      continue;
    }
    const { name, command, cwd = null, env = {}, icon = "terminal" } = parsed.data;
    const { access = "collaborate", secrets = {}, limits: bounds } = parsed.data;
    const first = profiles.find((one) => one.name === name);
    if (first)
      problems.push(
        problem(
          [...path, "name"],
          `${shown(name)} is the name of the profile in line ${first.line} too`,
        ),
      );
    else
      profiles.push({
        name,
        command,
        cwd,
        env,
        secrets,
        icon,
        access,
        ...(bounds === undefined ? {} : { limits: bounds }),
        line: lines.lineOf(path),
      });
  }
  return { profiles, problems };
}

function complaints(error: z.core.$ZodError, path: JsonPath, entry: unknown): [JsonPath, string][] {
  // A field that is misspelt is missing too: the misspelling is the better hint. One complaint per place says enough.
  const unknown = error.issues.filter(({ code }) => code === "unrecognized_keys");
  const others = error.issues.filter(
    (issue, index) =>
      unknown.length === 0 &&
      error.issues.findIndex(({ path: earlier }) => `${earlier}` === `${issue.path}`) === index,
  );
  return [...unknown, ...others].slice(0, 5).map((issue) => {
    const inner = issue.path.filter((step) => typeof step !== "symbol");
    const place = [...path, ...inner];
    const field = inner.length > 0 ? written(inner) : `profile ${Number(path[1]) + 1}`;
    switch (issue.code) {
      case "unrecognized_keys":
        return [
          [...place, issue.keys[0] ?? ""],
          `${shown(issue.keys[0] ?? "")} is not a field of a profile; known are ${Object.keys(entrySchema.shape).join(", ")}`,
        ];
      case "invalid_key":
        return [place, `${field} ${issue.issues[0]?.message ?? "is not a variable name"}`];
      case "invalid_value":
        return [place, `${field} must be one of ${issue.values.join(", ")}`];
      default: {
        const isMissing = inner.length === 1 && !(String(inner[0]) in Object(entry));
        return [place, isMissing ? `${field} is missing` : `${field} ${issue.message}`];
      }
    }
  });
}

function written(path: readonly (string | number)[]): string {
  return path.map((step, index) => (index === 0 ? String(step) : `[${shown(step)}]`)).join("");
}

/** Names in the file may be long, and values may be secrets: only names are ever repeated. */
function shown(name: string | number): string {
  return typeof name === "number" ? String(name) : JSON.stringify(name.slice(0, 60));
}
