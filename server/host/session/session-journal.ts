// A session's commands (JR), put together from its parts: markers and typing go in, news goes out to viewers and feeds. Decides nothing.
import { hostname } from "node:os";
import type { Clock } from "#lib/base/clock.ts";
import type { Event } from "#lib/base/emitter.ts";
import type { DisposableStore } from "#lib/base/lifecycle.ts";
import type { SnapshotCommands } from "#lib/protocol/attach.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import type { SessionState } from "#lib/protocol/session.ts";
import type { Marker } from "#lib/terminal/osc-marker.ts";
import { Journal } from "#server/host/journal/journal.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import { CommandFrames } from "./command-frames.ts";
import type { Written } from "./written.ts";

/** What the session's shell was started with. */
export interface ShellStart {
  /** In the markers of our own integration; null: none was loaded. */
  readonly nonce: string | null;
  readonly isOff: boolean;
}

export interface JournalSources {
  readonly screen: ScreenApi;
  readonly wrote: Event<Written>;
  readonly shell: ShellStart;
  /** The text without what must not be read (SX1, CR3). */
  hide(text: string): string;
  /** Where the program in front works. */
  place(): string;
  /** To viewers. */
  tell(record: CommandRecord): void;
  /** Something that `journalState` says is new. */
  changed(): void;
}

/** Everything that is made goes into `store`. */
export function journalOf(sources: JournalSources, clock: Clock, store: DisposableStore): Journal {
  const { screen, shell } = sources;
  const journal = store.add(
    new Journal({
      screen,
      clock,
      nonce: shell.nonce,
      isOff: shell.isOff,
      hosts: [hostname()],
      place: () => sources.place(),
    }),
  );
  const frames = store.add(new CommandFrames(clock, (record) => sources.tell(record)));
  store.add(
    screen.onFact((fact) => {
      if (fact.kind !== "marker") return;
      const { integration } = journal;
      journal.marked(withHidden(fact.marker, sources.hide), fact.at);
      if (journal.integration !== integration) sources.changed();
    }),
  );
  store.add(
    sources.wrote(({ actor, cause, bytes }) => {
      if (cause === "keys" || cause === "input") {
        journal.typed(actor.name, bytes, actor.kind === "agent");
      }
    }),
  );
  store.add(
    journal.onNews((news) => {
      if (news.kind === "state") return;
      frames.tell(news.record);
      sources.changed();
    }),
  );
  return journal;
}

function withHidden(marker: Marker, hide: (text: string) => string): Marker {
  switch (marker.kind) {
    case "command_line":
      return { ...marker, text: hide(marker.text) };
    case "output":
      return marker.commandLine === null
        ? marker
        : { ...marker, commandLine: hide(marker.commandLine) };
    case "cwd":
      return { ...marker, path: hide(marker.path) };
    default:
      return marker;
  }
}

export function journalState(journal: Journal): Pick<SessionState, "integration" | "last_command"> {
  return { integration: journal.integration, last_command: journal.lastCommand };
}

/** For viewers that mark commands themselves. Between writes. */
export function snapshotCommands(journal: Journal): SnapshotCommands {
  const { rows, inputRow } = journal.places();
  return {
    next_index: journal.nextIndex,
    integration: journal.integration,
    rows,
    input_row: inputRow,
  };
}
