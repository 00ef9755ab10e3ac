// The owner's secrets as the config file names them (SX1): where their values are found, never the values.
import * as z from "zod/mini";
import { limits } from "#lib/protocol/limits.ts";
import type { ProfileProblem } from "#lib/protocol/profiles.ts";
import {
  type OwnSecretSource,
  ownSecretSourceSchema,
  secretNameSchema,
} from "#lib/protocol/secrets.ts";
import type { JsonLines } from "./json-lines.ts";

export interface WrittenSecrets {
  readonly secrets: Readonly<Record<string, OwnSecretSource>>;
  readonly problems: readonly ProfileProblem[];
}

const root = "secrets";
const tableSchema = z.record(z.string(), z.unknown());

/** Those of `value`, which stands under "secrets" in the file. */
export function readOwnSecrets(value: unknown, lines: JsonLines): WrittenSecrets {
  if (value === undefined) return { secrets: {}, problems: [] };
  const problem = (path: readonly string[], message: string): ProfileProblem => ({
    line: lines.lineOf([...path]),
    message,
  });
  const table = tableSchema.safeParse(value);
  if (!table.success || Array.isArray(value))
    return { secrets: {}, problems: [problem([root], `"${root}" must be an object`)] };
  const secrets: Record<string, OwnSecretSource> = {};
  const problems: ProfileProblem[] = [];
  const entries = Object.entries(table.data);
  if (entries.length > limits.secrets)
    problems.push(
      problem([root], `there are ${entries.length} secrets; at most ${limits.secrets} are read`),
    );
  for (const [name, entry] of entries.slice(0, limits.secrets)) {
    const shown = JSON.stringify(name.slice(0, 60));
    const source = ownSecretSourceSchema.safeParse(entry);
    // What stands there may be the secret itself, by mistake: it is not repeated.
    if (!secretNameSchema.safeParse(name).success)
      problems.push(problem([root, name], `${shown} is not a variable name`));
    else if (!source.success)
      problems.push(
        problem([root, name], `${shown} must be an object with one of env, file and command`),
      );
    else secrets[name] = source.data;
  }
  return { secrets, problems };
}
