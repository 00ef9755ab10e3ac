// Secrets that whoever runs a host in their own process hands over as functions: asked when a session starts, and for that session only (SX1).
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SecretSources } from "#lib/protocol/secrets.ts";

/** By the name under which a request names them. */
export type LentSecrets = ReadonlyMap<string, () => string | Promise<string>>;

/** `read` gets the sources that are not lent. */
export async function withLentSecrets(
  lent: LentSecrets | undefined,
  sources: SecretSources,
  read: (sources: SecretSources) => Promise<Record<string, string>>,
): Promise<Record<string, string>> {
  const values: Record<string, string> = {};
  const others: SecretSources = {};
  for (const [variable, source] of Object.entries(sources)) {
    const value = "named" in source ? lent?.get(source.named) : undefined;
    if (value) values[variable] = checked(variable, await value());
    else others[variable] = source;
  }
  return { ...(await read(others)), ...values };
}

function checked(variable: string, value: unknown): string {
  const isGood = typeof value === "string" && value !== "" && !value.includes("\0");
  if (isGood && Buffer.byteLength(value) <= limits.secretBytes) return value;
  throw new TermError(
    "BAD_REQUEST",
    `secrets.${variable} must be a text of 1 to ${limits.secretBytes} bytes without NUL`,
  );
}
