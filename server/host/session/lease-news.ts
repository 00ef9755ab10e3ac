// Who has the keyboard, for the people who watch: told at once when it is another's, and now and then while only its deadline moves.
// Knows nothing of how that is decided (host/lease does).
import type { Clock } from "#lib/base/clock.ts";
import { type Disposable, DisposableStore } from "#lib/base/lifecycle.ts";
import type { Lease } from "#lib/protocol/lease.ts";
import type { Arbiter } from "#server/host/lease/arbiter.ts";
import type { Fanout } from "#server/host/viewer/fanout.ts";
import { Coalesced } from "./coalesced.ts";

const paceMs = 100;
/** With every keystroke `until` moves on; that is told so often, for the countdown. */
const countdownMs = 500;

export class LeaseNews implements Disposable {
  private readonly owned = new DisposableStore();
  private readonly pace: Coalesced;
  private readonly countdown: Coalesced;
  private told = "";

  constructor(
    private readonly arbiter: Pick<Arbiter, "lease" | "onChange">,
    fanout: Pick<Fanout, "notice">,
    /** The keyboard is another's. */
    private readonly changed: () => void,
    clock: Clock,
  ) {
    const { owned } = this;
    const tell = () => fanout.notice({ type: "lease", lease: arbiter.lease() });
    this.pace = owned.add(new Coalesced(clock, paceMs, tell));
    this.countdown = owned.add(new Coalesced(clock, countdownMs, () => this.pace.poke()));
    owned.add(arbiter.onChange(() => this.moved()));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private moved(): void {
    const now = withoutTime(this.arbiter.lease());
    if (now === this.told) {
      this.countdown.poke();
      return;
    }
    this.told = now;
    this.pace.poke();
    this.changed();
  }
}

function withoutTime(lease: Lease): string {
  const { holder, cause, actor_id, epoch, draft, left_by, politeness } = lease;
  return JSON.stringify([holder, cause, actor_id, epoch, !draft, left_by, politeness]);
}
