// What all waits of a host share: the count of each actor's, and the thread for patterns.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { WaitRequest } from "#lib/protocol/wait.ts";
import { PatternThread, patternFault } from "./pattern-thread.ts";
import type { WaitTerms } from "./wait-condition.ts";
import { Waiters } from "./waiters.ts";

export class WaitDesk implements Disposable {
  readonly waiters = new Waiters();
  readonly patterns: PatternThread;

  constructor(clock: Clock) {
    this.patterns = new PatternThread(clock);
  }

  dispose(): void {
    this.patterns.dispose();
  }
}

/** Throws BAD_PATTERN. */
export function termsOf(
  request: Pick<WaitRequest, "for" | "timeout_ms" | "through_credential">,
): WaitTerms {
  const conditions = request.for ?? null;
  for (const [i, condition] of conditions?.entries() ?? []) {
    const fault = "regex" in condition ? patternFault(condition.regex) : undefined;
    if (fault === undefined) continue;
    throw new TermError("BAD_PATTERN", `body.for.${i}.regex: ${fault.slice(0, 200)}`);
  }
  return {
    conditions,
    timeoutMs: request.timeout_ms ?? limits.waitMs.default,
    throughCredential: request.through_credential ?? false,
  };
}
