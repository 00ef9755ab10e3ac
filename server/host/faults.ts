// What the host does about a fault that nobody caught (T137): it goes on, because ending would end every shell, and says so in the log.
// Only a storm of faults, which means that nothing works any more, ends it; the next host then tidies up.
import type { Clock } from "#lib/base/clock.ts";
import type { ApiLog } from "./api/problem.ts";

const windowMs = 60_000;
/** Logged per window; a fault that repeats must not push everything else out of the log. */
const loggedFaults = 100;
const endingFaults = 1_000;

/** The listener for `uncaughtException` and `unhandledRejection`. */
export function faultPolicy(log: ApiLog, clock: Clock, end: () => void): (fault: unknown) => void {
  let windowStart = clock.monotonic();
  let faults = 0;
  return (fault) => {
    const now = clock.monotonic();
    if (now - windowStart >= windowMs) {
      windowStart = now;
      faults = 0;
    }
    faults += 1;
    if (faults <= loggedFaults) log.error({ err: fault }, "unexpected fault; the sessions go on");
    if (faults !== endingFaults) return;
    log.error({ faults }, "too many faults within a minute; the host ends");
    end();
  };
}
