// What is remembered of who did what in one session: for the audit, for people who look back, and for the agent that reads next. Decides nothing.
import type { Clock } from "#lib/base/clock.ts";
import type { Event } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { AuditSink } from "#server/audit/audit-sink.ts";
import type { JournalApi } from "#server/host/journal/journal-api.ts";
import type { Arbiter } from "#server/host/lease/arbiter.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import { LastAgentView } from "./agent-view.ts";
import { AuditTrail } from "./audit-trail.ts";
import { type HandoverParts, Handovers } from "./handovers.ts";
import type { LinePlaces } from "./line-places.ts";
import type { Hide } from "./typed-text.ts";
import { WriteHistory, type WriteHistoryParts } from "./write-history.ts";
import type { Written } from "./written.ts";

export interface TracedParts {
  readonly id: string;
  readonly sink: AuditSink;
  readonly screen: Pick<ScreenApi, "isAlternate" | "position">;
  readonly journal: JournalApi;
  readonly arbiter: Pick<Arbiter, "lease" | "onChange">;
  readonly wrote: Event<Written>;
  readonly place: HandoverParts["place"];
  readonly lines: LinePlaces;
  readonly tell: WriteHistoryParts["tell"];
  /** Values of the session's secrets are taken out of everything that is kept. Left out: it has none. */
  readonly hide?: Hide;
}

export class Traces implements Disposable {
  private readonly owned = new DisposableStore();
  readonly trail: AuditTrail;
  readonly writes: WriteHistory;
  readonly handovers: Handovers;
  readonly view = new LastAgentView();
  private holder = "agent";

  constructor(
    private readonly parts: TracedParts,
    clock: Clock,
  ) {
    const { owned } = this;
    const { id, sink, screen, journal, arbiter, wrote, place, lines, tell } = parts;
    const { hide = (text: string) => text } = parts;
    this.trail = owned.add(new AuditTrail(sink, id, clock, hide));
    const cursor = () => (screen.isAlternate ? null : screen.position());
    this.writes = owned.add(new WriteHistory({ place: cursor, lines, tell, hide }, clock));
    this.handovers = new Handovers({ journal, place, seq: () => screen.position().seq }, clock);
    owned.add(
      wrote((written) => {
        this.trail.typed(written);
        this.writes.wrote(written);
      }),
    );
    owned.add(arbiter.onChange(() => this.leaseChanged()));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private leaseChanged(): void {
    const lease = this.parts.arbiter.lease();
    this.handovers.leaseChanged(lease);
    const { holder, cause, actor, actor_id: id } = lease;
    // A password prompt is an entry of its own.
    if (cause === "credential") return;
    this.trail.answered();
    const now = holder === "agent" ? "agent" : (id ?? "");
    if (now === this.holder) return;
    this.holder = now;
    if (holder === "agent") this.trail.handed(null, "back to the agents");
    else this.trail.handed({ kind: "human", id: id ?? "", name: actor ?? "" }, "taken by typing");
  }
}
