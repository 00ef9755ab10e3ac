// What agents do, for the people who watch: typed, looked, waits. At a pace an eye can follow; the last of it is never lost.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { ActingAgent } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import { plainLine } from "#lib/terminal/visible-bytes.ts";
import { Coalesced } from "./coalesced.ts";

export type AgentMessage = Extract<ServerMessage, { type: "agent" }>;

/** A banner shows a write for 900 ms and a look for 1.5 s; an agent may do a thousand of each in that time. */
const paceMs = 250;

export class AgentNews implements Disposable {
  private readonly latest = new Map<AgentMessage["did"], AgentMessage>();
  private readonly pace: Coalesced;
  private current: ActingAgent | null = null;
  private sinceMs = 0;
  private rest: Disposable | null = null;

  constructor(
    private readonly clock: Clock,
    tell: (message: AgentMessage) => void,
    /** `acting` is another. */
    private readonly changed: () => void,
  ) {
    this.pace = new Coalesced(clock, paceMs, () => {
      const messages = [...this.latest.values()];
      this.latest.clear();
      for (const message of messages) tell(message);
    });
  }

  /** Who acts here, for lists. Changes seldom, however much agents do. */
  get acting(): ActingAgent | null {
    return this.current;
  }

  did(did: AgentMessage["did"], name: string, detail?: string): void {
    // What an agent says about its typing is shown even when it types on within the period.
    const last = this.latest.get(did);
    const said = detail ?? (last?.name === name ? last.detail : undefined);
    this.latest.set(did, {
      type: "agent",
      did,
      name,
      ...(said === undefined ? {} : { detail: plainLine(said, limits.noteChars) }),
    });
    this.pace.poke();
    const isTyping = did === "typed";
    if (isTyping) this.restLater();
    const { current } = this;
    // Of several who act at once each is shown for a while: a name that alternates tells nothing.
    const isOther =
      current === null ||
      (current.name !== name && this.clock.monotonic() - this.sinceMs >= limits.agentTypingMs);
    if (isOther) this.set({ name, typing: isTyping });
    else if (isTyping && !current.typing) this.set({ ...current, typing: true });
  }

  dispose(): void {
    this.pace.dispose();
    this.rest?.dispose();
  }

  private restLater(): void {
    this.rest?.dispose();
    this.rest = this.clock.after(limits.agentTypingMs, () => {
      if (this.current?.typing) this.set({ ...this.current, typing: false });
    });
  }

  private set(acting: ActingAgent): void {
    this.current = acting;
    this.sinceMs = this.clock.monotonic();
    this.changed();
  }
}
