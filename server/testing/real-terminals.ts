// Real terminals for tests: one probed factory, programs by shell script, and an end for everything that was opened.
import { afterAll, afterEach } from "vitest";
import { newSessionId } from "#lib/protocol/ids.ts";
import type { SessionLimits } from "#lib/protocol/session-limits.ts";
import type { Pty, PtyFactory } from "#server/host/pty/pty.ts";
import { createPtyFactory } from "#server/host/pty/pty-factory.ts";
import { resolveSpawnSpec } from "#server/host/pty/spawn-spec.ts";
import { PtyTranscript } from "./pty.contract.ts";

export interface RealTerminals {
  readonly factory: PtyFactory;
  /** Starts a program and collects what it says. Ended after the test. */
  run(command: readonly string[], options?: RunOptions): Promise<PtyTranscript>;
  /** The same with `/bin/sh -c`. */
  sh(script: string, options?: RunOptions): Promise<PtyTranscript>;
}

export interface RunOptions {
  readonly session?: string;
  readonly cols?: number;
  readonly rows?: number;
  readonly env?: Record<string, string>;
  readonly limits?: SessionLimits;
}

export async function realTerminals(): Promise<RealTerminals> {
  const factory = await createPtyFactory({ noTerminal: false });
  const open: Pty[] = [];
  const endAll = () => {
    for (const pty of open.splice(0)) pty.dispose();
  };
  afterEach(endAll);
  afterAll(endAll);
  const run: RealTerminals["run"] = async (command, options = {}) => {
    const { session = newSessionId(), limits = {}, ...request } = options;
    const pty = await factory.spawn(
      resolveSpawnSpec(
        { command: [...command], ...request },
        // What a program writes is compared byte for byte: a shell adds nothing of ours.
        { sessionId: session, environment: process.env, shellIntegration: false, limits },
      ),
    );
    open.push(pty);
    return new PtyTranscript(pty);
  };
  return { factory, run, sh: (script, options) => run(["/bin/sh", "-c", script], options) };
}
