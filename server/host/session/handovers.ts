// What happened while people had the keyboard, for the agent that reads next: told once per agent and time. Remembers times, not text; the
// commands are looked up when they are told.
import type { Clock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import type { Handover, Lease } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import { plainLine } from "#lib/terminal/visible-bytes.ts";
import type { JournalApi } from "#server/host/journal/journal-api.ts";

export interface HandoverParts {
  readonly journal: Pick<JournalApi, "nextIndex" | "list" | "integration">;
  /** Number of the line on which the cursor stands. */
  seq(): number;
  place(): { readonly cwd: string; readonly foreground: string | null };
}

interface Begun {
  readonly sinceMs: number;
  readonly by: Set<string>;
  readonly cwd: string;
  readonly seq: number;
  /** Index of the first command that may be theirs. */
  readonly first: number;
}

interface Time extends Begun {
  readonly number: number;
  readonly untilMs: number;
  readonly cwdTo: string;
  readonly lines: number;
  readonly openProgram: string | null;
  /** Indices from here on are of later. */
  readonly end: number;
}

export class Handovers {
  private begun: Begun | null = null;
  private times: Time[] = [];
  private count = 0;
  /** By agent: how many times it knows of. In order of their last reading. */
  private readonly known = new Map<string, number>();

  constructor(
    private readonly parts: HandoverParts,
    private readonly clock: Clock,
  ) {}

  leaseChanged({ holder, actor }: Lease): void {
    if (holder === "human") {
      this.begun ??= this.begin();
      if (actor !== null && this.begun.by.size < limits.handover.readers) this.begun.by.add(actor);
    } else if (this.begun) {
      // A password prompt that went away by itself was nobody's.
      if (this.begun.by.size > 0) this.end(this.begun);
      this.begun = null;
    }
  }

  /** What `agent` has not been told yet, and from now on has; undefined: nothing. */
  tell(agent: Actor): Handover | undefined {
    if (agent.kind !== "agent" || this.count === 0) return undefined;
    const told = this.known.get(agent.id) ?? 0;
    this.known.delete(agent.id);
    this.known.set(agent.id, this.count);
    for (const id of this.known.keys()) {
      if (this.known.size <= limits.handover.readers) break;
      this.known.delete(id);
    }
    const times = this.times.filter(({ number }) => number >= told);
    const [first] = times;
    const last = times.at(-1);
    if (!first || !last) return undefined;
    return {
      since: iso(first.sinceMs),
      until: iso(last.untilMs),
      by: [...new Set(times.flatMap(({ by }) => [...by]))].slice(0, limits.handover.kept),
      commands: this.commands(times),
      cwd_from: first.cwd,
      cwd_to: last.cwdTo,
      lines_of_output: times.reduce((sum, { lines }) => sum + lines, 0),
      open_program: last.openProgram,
    };
  }

  private begin(): Begun {
    const { parts, clock } = this;
    const { cwd } = parts.place();
    const first = parts.journal.nextIndex;
    return { sinceMs: clock.now(), by: new Set(), cwd, seq: parts.seq(), first };
  }

  private end(begun: Begun): void {
    const { parts, clock } = this;
    const { cwd, foreground } = parts.place();
    const time: Time = {
      ...begun,
      number: this.count,
      untilMs: clock.now(),
      cwdTo: cwd,
      lines: Math.max(0, parts.seq() - begun.seq),
      openProgram: foreground === null ? null : plainLine(foreground, limits.nameChars),
      end: parts.journal.nextIndex,
    };
    this.count += 1;
    this.times = [...this.times, time].slice(-limits.handover.kept);
  }

  private commands(times: readonly Time[]): Handover["commands"] {
    const { journal } = this.parts;
    const { integration } = journal;
    if (integration === "none" || integration === "off") return null;
    const first = times[0]?.first ?? 0;
    const isTheirs = ({ index, by }: CommandRecord) =>
      times.some(
        // A line that was sent in the last moment begins to run after it.
        (time) => index >= time.first && (index < time.end || by.some((who) => time.by.has(who))),
      );
    return journal
      .list(first, limits.journalRecords)
      .filter(isTheirs)
      .slice(-limits.handover.commands)
      .map(({ command, exit_code }) => ({
        command: command === null ? null : plainLine(command, limits.handover.commandChars),
        exit_code: exit_code ?? null,
      }));
  }
}

function iso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
