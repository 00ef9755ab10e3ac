// Secrets of a session (SX1): where the server finds the value of a variable. The values themselves are never on the wire.
import * as z from "zod/mini";
import { limits } from "./limits.ts";

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/;
const noNul = (text: string) => !text.includes("\0");

export const secretNameSchema = z
  .string()
  .check(z.maxLength(128), z.regex(variable, "is not a variable name"));

/** In the owner's config file. */
export const ownSecretSourceSchema = z.union(
  [
    /** A variable of the server's own environment. */
    z.strictObject({ env: secretNameSchema }),
    /** Absolute, or from the home directory with `~`. Line breaks at its end are not a part of the value. */
    z.strictObject({
      file: z
        .string()
        .check(
          z.maxLength(4096),
          z.regex(/^(?:\/|~\/)/, "must be an absolute path, or one that begins with ~/"),
          z.refine(noNul, "contains NUL"),
        ),
    }),
    /** A program and its arguments; what it prints is the value. No shell reads them. */
    z.strictObject({
      command: z
        .array(z.string().check(z.maxLength(4096), z.refine(noNul, "contains NUL")))
        .check(z.minLength(1), z.maxLength(limits.secretCommandWords)),
    }),
  ],
  "must be an object with one of env, file and command",
);
export type OwnSecretSource = z.infer<typeof ownSecretSourceSchema>;

/** In a request: people may say all of them, agents only the names that the owner's config file knows. */
export const secretSourceSchema = z.union(
  [...ownSecretSourceSchema.def.options, z.strictObject({ named: secretNameSchema })],
  "must be an object with one of env, file, command and named",
);
export type SecretSource = z.infer<typeof secretSourceSchema>;

/** By the variable that the program gets. */
export const secretSourcesSchema = z
  .record(secretNameSchema, secretSourceSchema)
  .check(
    z.refine(
      (sources) => Object.keys(sources).length <= limits.secrets,
      `has more than ${limits.secrets} entries`,
    ),
  );
export type SecretSources = z.infer<typeof secretSourcesSchema>;
