// What is new in a session's info, and its bell: to viewers what they show of it, to feeds the whole. Paced; the last of it is never lost.
// Knows nothing of where the news comes from.
import type { Clock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { Fanout } from "#server/host/viewer/fanout.ts";
import { Coalesced } from "./coalesced.ts";
import type { SessionEvent } from "./session-event.ts";

/** Titles, counts and other news go out at most this often; a program may change its title ten thousand times a second. */
const paceMs = 50;
const bellMs = 100;

export class InfoNews implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly events = this.owned.add(new Emitter<SessionEvent>());
  private readonly pace: Coalesced;
  private readonly bell: Coalesced;
  private told: Pick<SessionInfo, "title" | "viewers" | "phase">;
  readonly onEvent = this.events.event;

  constructor(
    private readonly info: () => SessionInfo,
    private readonly fanout: Pick<Fanout, "notice">,
    clock: Clock,
  ) {
    this.pace = this.owned.add(new Coalesced(clock, paceMs, () => this.tell()));
    this.bell = this.owned.add(new Coalesced(clock, bellMs, () => this.tellBell()));
    this.told = info();
  }

  /** Something in the info is new: told soon. */
  changed(): void {
    this.pace.poke();
  }

  rang(): void {
    this.bell.poke();
  }

  /** At once and whatever the pace is. */
  tell(): void {
    const info = this.info();
    const { title, viewers, phase } = info;
    if (title !== this.told.title) this.fanout.notice({ type: "title", title });
    if (viewers !== this.told.viewers) this.fanout.notice({ type: "viewers", viewers });
    if (phase !== this.told.phase) this.fanout.notice({ type: "phase", phase });
    this.told = { title, viewers, phase };
    this.events.fire({ kind: "changed", session: info });
  }

  ended(how: "exited" | "closed"): void {
    this.events.fire({ kind: how, session: this.info() });
  }

  dispose(): void {
    this.owned.dispose();
  }

  private tellBell(): void {
    this.fanout.notice({ type: "bell" });
    this.events.fire({ kind: "bell", session: this.info() });
  }
}
