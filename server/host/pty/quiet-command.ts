// Runs a command for what it prints, in a terminal of its own that nobody sees. The host starts nothing but terminals once there are some
// (docs/decisions/007): another child would get every terminal's descriptors.
import { concatBytes } from "#lib/base/bytes.ts";
import type { Clock } from "#lib/base/clock.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { randomId } from "#lib/protocol/ids.ts";
import type { PtyFactory } from "./pty.ts";
import { resolveSpawnSpec } from "./spawn-spec.ts";

export interface QuietOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly maxBytes: number;
  readonly maxMs: number;
}

export type QuietResult =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  /** What it printed is gone. `reason` goes behind the name of what was wanted. */
  | { readonly kind: "refused"; readonly reason: string };

/** The terminal passes on what is printed as it is; there is nothing to read, and complaints go nowhere. */
const script = 'stty -opost -echo 2>/dev/null; exec "$@" </dev/null 2>/dev/null';

/** Throws what `spawn` does. */
export async function runQuietly(
  factory: PtyFactory,
  command: readonly string[],
  { environment, maxBytes, maxMs }: QuietOptions,
  clock: Clock,
): Promise<QuietResult> {
  const spec = resolveSpawnSpec(
    { command: ["/bin/sh", "-c", script, "sh", ...command], integration: "off" },
    { sessionId: randomId(16), environment },
  );
  const pty = await factory.spawn(spec);
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    let size = 0;
    const late = clock.after(maxMs, () => give(`comes from a command that took over ${maxMs} ms`));
    const give = (result: Uint8Array | string) => {
      late.dispose();
      pty.dispose();
      resolve(
        typeof result === "string"
          ? { kind: "refused", reason: result }
          : { kind: "bytes", bytes: result },
      );
    };
    pty.onData((bytes) => {
      parts.push(bytes);
      size += bytes.length;
      if (size > maxBytes) give(`comes from a command that printed over ${maxBytes} bytes`);
    });
    pty.onExit(({ exit_code, signal }) => {
      if (exit_code === 0) give(concatBytes(parts));
      else give(`comes from a command that ended with ${signal ?? exit_code}`);
    });
  });
}

/** A refusal to start is one of the secret, not of the session that wants it. */
export function refusedStart(error: unknown): QuietResult {
  if (!(error instanceof TermError)) throw error;
  return { kind: "refused", reason: `comes from a command that was not started: ${error.code}` };
}
