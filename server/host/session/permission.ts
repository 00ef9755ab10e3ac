// Whether one actor may do something with one session now: decide.ts, asked with the facts of the moment. Remembers no answer.
import type { Actor } from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { type ActFacts, type ActKind, decide, type Refusal, termError } from "./decide.ts";
import type { Session } from "./session.ts";

export class Permission {
  constructor(
    private readonly session: Pick<Session, "actFacts">,
    readonly actor: Actor,
    /** May not type: by role, or because it attached so. */
    readonly isReader: boolean,
  ) {}

  /** null: it may. */
  refusal(act: ActKind, ifDraft?: ActFacts["ifDraft"]): Refusal | null {
    return decide(act, this.session.actFacts(this.actor, this.isReader, ifDraft));
  }

  /** Throws the refusal. */
  demand(act: ActKind, ifDraft?: ActFacts["ifDraft"]): void {
    const refusal = this.refusal(act, ifDraft);
    if (refusal) throw termError(refusal);
  }

  /** The gate's table says the same; this is for those who come another way. */
  demandPerson(): void {
    if (this.actor.kind === "human") return;
    throw new TermError(
      "FORBIDDEN",
      `${this.actor.name} is no person; the keyboard is given by people`,
    );
  }
}
