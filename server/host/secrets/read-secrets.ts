// The values of a session's secrets (SX1), read when it is started: from the server's environment, from files, from what commands print. What goes
// wrong is told by the variable's name; neither a value nor a part of one is ever in a message.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { OwnSecretSource, SecretSources } from "#lib/protocol/secrets.ts";

export interface SecretPlaces {
  /** The server's own. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** What the owner's config file defines, by name. */
  readonly named: Readonly<Record<string, OwnSecretSource>>;
  /** What the command prints, as far as `limits.secretBytes` and a little more. */
  run(command: readonly string[]): Promise<SecretRead>;
}

export type SecretRead =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** `reason` goes behind the secret's name. */
  | { readonly kind: "refused"; readonly reason: string };

/** Throws BAD_REQUEST, for the first that cannot be had; then none is. */
export async function readSecrets(
  sources: SecretSources,
  places: SecretPlaces,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  for (const [name, source] of Object.entries(sources)) {
    const own = "named" in source ? ownOf(places.named, source.named) : source;
    if (!own) throw refusal(name, "is no secret that the config file defines");
    const read = await readOne(own, places);
    if (read.kind === "refused") throw refusal(name, read.reason);
    values[name] = textOf(name, read.bytes);
  }
  return values;
}

function ownOf(named: SecretPlaces["named"], name: string): OwnSecretSource | undefined {
  return Object.hasOwn(named, name) ? named[name] : undefined;
}

async function readOne(source: OwnSecretSource, places: SecretPlaces): Promise<SecretRead> {
  if ("env" in source) {
    const value = places.environment[source.env];
    if (value === undefined) return refused("names a variable that the server does not have");
    return { kind: "bytes", bytes: Buffer.from(value) };
  }
  if ("command" in source) return places.run(source.command);
  const { file } = source;
  return readFile(file.startsWith("~/") ? join(places.home, file.slice(2)) : file);
}

/** A pipe in its place must not stop the server. */
async function readFile(path: string): Promise<SecretRead> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return refused("names a file that is none");
      const bytes = Buffer.alloc(limits.secretBytes + 3);
      let size = 0;
      while (size < bytes.length) {
        const { bytesRead } = await file.read(bytes, size, bytes.length - size, size);
        if (bytesRead === 0) break;
        size += bytesRead;
      }
      return { kind: "bytes", bytes: bytes.subarray(0, size) };
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return refused(`names a file that cannot be read (${code})`);
  }
}

/** As a shell's `$(…)` gives it: without the line breaks at its end. */
function textOf(name: string, bytes: Uint8Array): string {
  let value: string;
  try {
    value = new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/[\r\n]+$/, "");
  } catch {
    throw refusal(name, "is not text in UTF-8");
  }
  if (value === "") throw refusal(name, "is empty");
  if (value.includes("\0")) throw refusal(name, "contains NUL");
  if (Buffer.byteLength(value) > limits.secretBytes)
    throw refusal(name, `is longer than ${limits.secretBytes} bytes`);
  return value;
}

function refused(reason: string): SecretRead {
  return { kind: "refused", reason };
}

function refusal(name: string, reason: string): TermError {
  return new TermError("BAD_REQUEST", `the secret ${name} ${reason}`, {
    errors: [{ path: `body.secrets.${name}`, message: reason }],
  });
}
