// What the line service asks of the process it runs in: who a token is, whether a place is left, and which host lives now. The gate of web
// answers (server/web/line-door.ts), so tokens, failures and revocation are the same for every way in.
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { ErrorCode } from "#lib/protocol/errors.ts";
import type { HostEndpoint } from "#server/state/host-endpoint.ts";

export interface LineRefusal {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly retryAfterMs?: number;
}

export interface LineDoor {
  /** Counts a wrong token against `peer`, and refuses without a look once there were too many. */
  identify(token: string, peer: string): Actor | LineRefusal;
  /** Takes a place among the actor's connections until disposed. `end` is called when its credential ends or the server leaves. */
  hold(actor: Actor, end: (reason: "revoked" | "restarting") => void): Disposable | LineRefusal;
  host(): HostEndpoint | null;
}

export function isRefusal(answer: object): answer is LineRefusal {
  return "code" in answer && "detail" in answer;
}
