// Why a session needs a person (OP5): a password, or an agent's call, which is kept until somebody types in the session or dismisses it.
import type { Clock } from "#lib/base/clock.ts";
import { Emitter, type Event } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Need } from "#lib/protocol/lease.ts";

export class Needs implements Disposable {
  private question: Need | null = null;
  private secret: Need | null = null;
  private readonly changes = new Emitter<void>();
  readonly onChange: Event<void> = this.changes.event;

  constructor(private readonly clock: Clock) {}

  /** The first of the reasons: a password goes before a question. */
  get need(): Need | null {
    return this.secret ?? this.question;
  }

  /** null: none is asked for (any more). */
  password(asked: { since: string } | null): void {
    if ((asked === null) === (this.secret === null)) return;
    this.secret = asked && {
      reason: "password",
      since: asked.since,
      detail: "the program asks for a password",
      by: null,
    };
    this.changes.fire();
  }

  /** A newer call replaces an older one. */
  ask(by: string, detail: string): void {
    const since = new Date(this.clock.now()).toISOString();
    this.question = { reason: "question", since, detail, by };
    this.changes.fire();
  }

  /** Somebody typed, or dismissed it, or the program ended. */
  clear(): void {
    if (this.question === null) return;
    this.question = null;
    this.changes.fire();
  }

  dispose(): void {
    this.changes.dispose();
  }
}
