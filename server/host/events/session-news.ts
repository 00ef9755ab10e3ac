// From what the registry tells to events on the wire: only what differs from what was told before, and what a program can cause without
// end (titles, bells) at a pace at which it cannot push everything else out of the ring.
import { assertNever } from "#lib/base/assert.ts";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { NewsBody } from "#lib/protocol/events.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { Coalesced } from "#server/host/session/coalesced.ts";
import type { SessionEvent } from "#server/host/session/session-event.ts";
import { changesOf } from "./session-changes.ts";

interface Subject {
  told: SessionInfo;
  latest: SessionInfo;
  readonly title: Coalesced;
  readonly bell: Coalesced;
}

export class SessionNewsMaker implements Disposable {
  private readonly subjects = new Map<string, Subject>();

  constructor(
    private readonly clock: Clock,
    /** `isSealed`: it is about a session that was closed to agents before or after. */
    private readonly tell: (news: NewsBody, isSealed: boolean) => void,
  ) {}

  learn(event: SessionEvent): void {
    const { session: info } = event;
    if (event.kind === "created") {
      this.subjects.set(info.id, this.subject(info));
      this.tell({ type: "session_created", session: info.id, info }, isSealed(info));
      return;
    }
    const subject = this.subjects.get(info.id);
    if (!subject) return;
    subject.latest = info;
    switch (event.kind) {
      case "changed":
        this.tellChanges(subject, { ...info, title: subject.told.title });
        if (info.title !== subject.told.title) subject.title.poke();
        break;
      case "bell":
        subject.bell.poke();
        break;
      case "exited":
        this.tellChanges(subject, info);
        break;
      case "closed":
        this.tellChanges(subject, info);
        this.forget(subject);
        this.tell({ type: "closed", session: info.id }, isSealed(info));
        break;
      default:
        assertNever(event);
    }
  }

  dispose(): void {
    for (const subject of [...this.subjects.values()]) this.forget(subject);
  }

  private subject(info: SessionInfo): Subject {
    const { clock } = this;
    const subject: Subject = {
      told: info,
      latest: info,
      title: new Coalesced(clock, limits.eventPaceMs, () =>
        this.tellChanges(subject, { ...subject.told, title: subject.latest.title }),
      ),
      bell: new Coalesced(clock, limits.eventPaceMs, () =>
        this.tell({ type: "bell", session: info.id }, isSealed(subject.latest)),
      ),
    };
    return subject;
  }

  private tellChanges(subject: Subject, now: SessionInfo): void {
    const changes = changesOf(subject.told, now);
    const wasOrIs = isSealed(subject.told) || isSealed(now);
    subject.told = now;
    for (const change of changes) this.tell(change, wasOrIs);
  }

  private forget(subject: Subject): void {
    subject.title.dispose();
    subject.bell.dispose();
    this.subjects.delete(subject.told.id);
  }
}

function isSealed({ access }: SessionInfo): boolean {
  return access === "sealed";
}
