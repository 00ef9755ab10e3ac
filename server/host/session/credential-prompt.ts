// The password prompt of one session (CR): that one stands, or none any more, told to all whose behaviour depends on it: the lease, what needs
// a person, viewers, the audit, and what hides the typing. Decides nothing about when there is one (host/activity does).
import type { Clock } from "#lib/base/clock.ts";
import type { Activity } from "#server/host/activity/activity.ts";
import type { JournalApi } from "#server/host/journal/journal-api.ts";
import type { Arbiter } from "#server/host/lease/arbiter.ts";
import type { Needs } from "#server/host/lease/needs.ts";
import type { SecretTyping } from "#server/host/secrets/secret-typing.ts";
import type { Fanout } from "#server/host/viewer/fanout.ts";
import type { AuditTrail } from "./audit-trail.ts";
import { credentialOf } from "./session-activity.ts";

export interface CredentialParts {
  readonly activity: Activity;
  readonly journal: Pick<JournalApi, "state" | "latest">;
  readonly arbiter: Pick<Arbiter, "isCredential" | "credential">;
  readonly needs: Pick<Needs, "password">;
  readonly fanout: Pick<Fanout, "notice">;
  readonly trail: Pick<AuditTrail, "acted">;
  readonly typing: Pick<SecretTyping, "moved" | "typed" | "dismissed">;
}

export class CredentialPrompt {
  constructor(
    private readonly parts: CredentialParts,
    private readonly clock: Clock,
  ) {}

  /** What the session is doing changed. */
  moved(): void {
    const { activity, arbiter, needs, fanout, trail } = this.parts;
    const isAsked = activity.state.credential !== null;
    this.tellTyping();
    if (isAsked === arbiter.isCredential) return;
    arbiter.credential(isAsked);
    const credential = credentialOf(activity, this.clock);
    needs.password(credential && { since: credential.since });
    fanout.notice({ type: "credential", credential });
    const what = credential ? `asked for (${credential.source})` : "no more asked for";
    trail.acted(null, { act: "credential", what });
  }

  /** By a person, and not a report of their terminal: about to reach the program. */
  typed(bytes: Uint8Array): void {
    const { activity, arbiter, typing } = this.parts;
    if (arbiter.isCredential) this.tellTyping();
    const { phase } = activity.state;
    typing.typed(bytes, phase === "idle" || phase === "waiting_input");
  }

  /** A person says that a password is asked for, or that none is. */
  correct(action: "treat_as_secret" | "not_a_password"): void {
    const { activity, typing } = this.parts;
    if (action === "treat_as_secret") activity.treatAsSecret();
    else {
      // Which prompt is meant has to be known before it is none any more.
      this.tellTyping();
      typing.dismissed();
      activity.notAPassword();
    }
  }

  private tellTyping(): void {
    const { activity, journal, typing } = this.parts;
    const { state, hidesTyping, promptCount: prompt } = activity;
    const isHidden = state.credential === "echo_off" || hidesTyping;
    const command = () =>
      journal.state === "running" ? (journal.latest()?.command ?? null) : null;
    typing.moved(state.credential === null ? null : { isHidden, prompt, command });
  }
}
