// What was done to one session, as the audit keeps it (AU1): every act of an agent by itself, a person's keys by the second and never their text
// (docs/decisions/013). Knows the shape of entries; the audit knows where they go.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { AuditSink } from "#server/audit/audit-sink.ts";
import { isFocusReport } from "#server/host/input/reports.ts";
import { type Hide, saidText, typedText } from "./typed-text.ts";
import type { Written } from "./written.ts";

/** Typing as it was tried: `Written`, before anybody knows what becomes of it. */
export type TriedTyping = Omit<Written, "epoch">;

export type Who = Pick<Actor, "kind" | "id" | "name">;

export interface Act {
  readonly act: AuditAct["act"];
  readonly what?: string;
  readonly request?: string | null;
  readonly note?: string | undefined;
}

interface Burst {
  readonly entry: AuditAct;
  readonly atMs: number;
  bytes: number;
  readonly end: Disposable;
}

export class AuditTrail implements Disposable {
  /** What people type, gathered. */
  private readonly bursts = new Map<string, Burst>();
  /** Who typed at the password prompt that stands: the first key of each is an entry, and the others none. */
  private readonly answering = new Set<string>();
  private isActing = false;

  constructor(
    private readonly sink: AuditSink,
    private readonly session: string,
    private readonly clock: Clock,
    private readonly hide: Hide,
  ) {}

  /** `actor` null: the session itself. */
  acted(actor: Who | null, act: Act, outcome = "done"): void {
    this.sink.record(this.entry(actor, act, outcome));
  }

  /** Runs it and records what became of it, also when it is refused. */
  around<T>(actor: Who, act: Act, run: () => T): T {
    const before = this.isActing;
    this.isActing = true;
    try {
      const result = run();
      if (result instanceof Promise)
        return result.then(
          (value: unknown) => {
            this.acted(actor, act);
            return value;
          },
          (error: unknown) => {
            this.acted(actor, act, codeOf(error));
            throw error;
          },
        ) as T;
      this.acted(actor, act);
      return result;
    } catch (error) {
      this.acted(actor, act, codeOf(error));
      throw error;
    } finally {
      this.isActing = before;
    }
  }

  /** Runs it and records only that it was refused. */
  refusals<T>(actor: Who, act: Act, run: () => T): T {
    try {
      return run();
    } catch (error) {
      this.acted(actor, act, codeOf(error));
      throw error;
    }
  }

  /** The keyboard changed hands without an act that says so: by typing, by silence, by a password prompt. */
  handed(actor: Who | null, what: string): void {
    if (!this.isActing) this.acted(actor, { act: "lease", what });
  }

  /** No password is asked for any more. */
  answered(): void {
    this.answering.clear();
  }

  /** `outcome`: done, or the code of the refusal. */
  typed(typing: TriedTyping, outcome = "done"): void {
    const { actor, cause, bytes, note, request, isSecret } = typing;
    if (cause === "report" && isFocusReport(Buffer.from(bytes).toString("latin1"))) return;
    const isMouse = cause === "mouse" || cause === "report";
    const act: Act = { act: isMouse ? "mouse" : "write", request, note };
    if (actor.kind === "human") {
      const entry: AuditAct = { ...this.entry(actor, act, outcome), redacted: true };
      if (isSecret) this.answers(entry);
      else this.gather(entry, bytes.length);
      return;
    }
    this.sink.record({
      ...this.entry(actor, act, outcome),
      ...(isSecret
        ? { redacted: true }
        : { bytes: bytes.length, summary: typedText(bytes, this.hide) }),
    });
  }

  dispose(): void {
    for (const key of [...this.bursts.keys()]) this.flush(key);
  }

  /** How many bytes a password has, and when they were typed, is part of the secret. */
  private answers(entry: AuditAct): void {
    const key = keyOf(entry);
    if (this.answering.has(key)) return;
    this.answering.add(key);
    // What was typed before it stays before it.
    this.flush(key);
    this.sink.record(entry);
  }

  private gather(entry: AuditAct, bytes: number): void {
    const key = keyOf(entry);
    const burst = this.bursts.get(key);
    if (burst) {
      burst.bytes += bytes;
      return;
    }
    this.bursts.set(key, {
      entry,
      atMs: this.clock.now(),
      bytes,
      end: this.clock.after(limits.typingEntryMs, () => this.flush(key)),
    });
  }

  private flush(key: string): void {
    const burst = this.bursts.get(key);
    if (!burst) return;
    this.bursts.delete(key);
    burst.end.dispose();
    const { entry, bytes, atMs } = burst;
    this.sink.record({ ...entry, bytes }, atMs);
  }

  private entry(actor: Who | null, act: Act, outcome: string): AuditAct {
    const { request = null, what, note } = act;
    return {
      act: act.act,
      actor: actor && { kind: actor.kind, id: actor.id, name: actor.name },
      session: this.session,
      outcome,
      ...(what === undefined ? {} : { what: saidText(what, 200, this.hide) }),
      ...(note === undefined ? {} : { note: saidText(note, limits.noteChars, this.hide) }),
      request,
    };
  }
}

/** Entries of one person that may be told as one. */
function keyOf({ actor, act, outcome }: AuditAct): string {
  return JSON.stringify([actor?.id, act, outcome]);
}

export function codeOf(error: unknown): string {
  return error instanceof TermError ? error.code : "INTERNAL";
}
