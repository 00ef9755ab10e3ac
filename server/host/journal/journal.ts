// The commands of one session as its shell announced them (JR1-JR6): feeds the machine, keeps the newest records, and tells what began
// and ended. Fed in the order of the log; without markers it is never called and holds nothing.
import { assertNever } from "#lib/base/assert.ts";
import type { Clock } from "#lib/base/clock.ts";
import { Emitter } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { type Cursor, compareCursors } from "#lib/protocol/cursor.ts";
import type { Integration } from "#lib/protocol/integration.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { LastCommand } from "#lib/protocol/session.ts";
import type { Marker } from "#lib/terminal/osc-marker.ts";
import { keptLine, lineForLists } from "./command-line.ts";
import { type CommandPlaces, placesOf } from "./command-places.ts";
import { type KeptCommand, shown } from "./command-record.ts";
import type { JournalApi, JournalNews, ShellState } from "./journal-api.ts";
import {
  type MachineAct,
  type MachineEvent,
  newMachine,
  step,
  type ToldLine,
} from "./journal-machine.ts";
import type { JournalScreen } from "./journal-screen.ts";
import { ToldFolder } from "./told-folder.ts";
import { Typists } from "./typists.ts";

export interface JournalOptions {
  readonly screen: JournalScreen;
  readonly clock: Clock;
  /** Of the session's own shell integration; null: none was given. */
  readonly nonce: string | null;
  /** Asked for at create. */
  readonly isOff: boolean;
  /** Names of this machine, for OSC 7. */
  readonly hosts: readonly string[];
  /** Where the program in front works, where the shell tells nothing. */
  place(): string;
}

/** Beyond these, an agent's commands are listed as anybody's. */
const maxAgents = 64;

type OpenAct = Extract<MachineAct, { kind: "open" }>;
type CloseAct = Extract<MachineAct, { kind: "close" }>;

export class Journal implements JournalApi, Disposable {
  private machine = newMachine;
  private readonly kept: KeptCommand[] = [];
  private next = 1;
  private prompt: Cursor | null = null;
  /** `JournalScreen.widthChanges` at B. */
  private inputWidth = 0;
  private sentInput: { readonly start: Cursor; readonly end: Cursor } | null = null;
  private last: LastCommand | null = null;
  private isDisposed = false;
  private readonly typists = new Typists();
  /** Names of agents that typed here. */
  private readonly agents = new Set<string>();
  private readonly folder: ToldFolder;
  private readonly news = new Emitter<JournalNews>();

  readonly onNews = this.news.event;

  constructor(private readonly options: JournalOptions) {
    this.folder = new ToldFolder(options.hosts);
  }

  get state(): ShellState {
    return this.machine.shell;
  }

  get integration(): Integration {
    return this.machine.dialect ?? (this.options.isOff ? "off" : "none");
  }

  get nextIndex(): number {
    return this.next;
  }

  get oldestIndex(): number {
    return this.next - this.kept.length;
  }

  get inputStart(): Cursor | null {
    return this.machine.shell === "input" ? this.machine.input : null;
  }

  get lastInput(): { readonly start: Cursor; readonly end: Cursor } | null {
    return this.sentInput;
  }

  get cwd(): string | null {
    return this.folder.local;
  }

  /** For lists: the same object until a command begins or ends. */
  get lastCommand(): LastCommand | null {
    return this.last;
  }

  record(index: number): CommandRecord | undefined {
    const kept = this.kept[index - this.oldestIndex];
    return kept && this.show(kept);
  }

  latest(): CommandRecord | undefined {
    return this.record(this.next - 1);
  }

  list(from: number, limit: number): readonly CommandRecord[] {
    const first = Math.max(0, from - this.oldestIndex);
    return this.kept.slice(first, first + limit).map((kept) => this.show(kept));
  }

  /** Where they stand in the lines that are kept. Between writes. */
  places(): CommandPlaces {
    return placesOf(this.kept, this.inputStart, this.options.screen);
  }

  /** Right in the parse of the marker, with the cursor at its place. */
  marked(marker: Marker, at: Cursor): void {
    if (marker.kind === "cwd") this.folder.told(marker.path, marker.host);
    else this.advance({ kind: "marker", marker, at });
  }

  typed(name: string, bytes: Uint8Array, isAgent = false): void {
    if (isAgent && this.agents.size < maxAgents) this.agents.add(name);
    this.typists.typed(name, bytes);
  }

  /** The process ended, and everything that it printed is parsed. */
  exited(): void {
    if (!this.isDisposed) this.advance({ kind: "exited" });
  }

  dispose(): void {
    this.isDisposed = true;
    this.news.dispose();
  }

  private advance(event: MachineEvent): void {
    const before = this.machine;
    const { machine, acts } = step(before, event, this.options.nonce);
    this.machine = machine;
    if (event.kind === "marker") this.notePlace(event, before.shell);
    const at = event.kind === "marker" ? event.at : this.options.screen.position();
    const happened: JournalNews[] = [];
    for (const act of acts) {
      switch (act.kind) {
        case "close":
          happened.push({ kind: "ended", record: this.close(act, at) });
          break;
        case "amend":
          // No news of its own: it stands beside the mark that the command runs.
          this.amend(act.told);
          break;
        case "open":
          this.sentInput = before.input && { start: before.input, end: at };
          happened.push({ kind: "began", record: this.open(act, at, before.input) });
          break;
        default:
          assertNever(act);
      }
    }
    // Whoever hears of it finds the journal in its new state.
    if (machine.shell !== before.shell) this.news.fire({ kind: "state", state: machine.shell });
    for (const one of happened) this.news.fire(one);
  }

  private notePlace({ marker, at }: Extract<MachineEvent, { kind: "marker" }>, before: ShellState) {
    if (marker.kind === "input" && this.machine.input === at)
      this.inputWidth = this.options.screen.widthChanges;
    if (marker.kind !== "prompt" || this.machine.shell !== "prompt") return;
    // Prompts that are drawn again while a line is typed (async prompts, a resize) stand where they stood.
    const isDrawnAgain =
      (before === "prompt" || before === "input") &&
      this.prompt !== null &&
      at.seq <= this.prompt.seq;
    this.prompt = at;
    if (!isDrawnAgain) this.typists.prompted();
  }

  private open(act: OpenAct, at: Cursor, typedAt: Cursor | null): CommandRecord {
    const { clock, place } = this.options;
    const line = this.lineOf(act, at);
    const by = this.typists.sent();
    const kept: KeptCommand = {
      index: this.next++,
      ...line,
      cwd: this.folder.shown ?? place(),
      by,
      isAgents: by.some((name) => this.agents.has(name)),
      integration: this.integration,
      line: typedAt,
      start: at,
      wallMs: clock.now(),
      monotonicMs: clock.monotonic(),
      end: null,
    };
    this.kept.push(kept);
    if (this.kept.length > limits.journalRecords) this.kept.shift();
    return this.told(kept);
  }

  private amend(told: ToldLine): void {
    const open = this.kept.pop() as KeptCommand;
    const line = toldLine(told);
    this.kept.push({ ...open, ...line });
    this.told(this.kept.at(-1) as KeptCommand);
  }

  private close(act: CloseAct, at: Cursor): CommandRecord {
    const open = this.kept.pop() as KeptCommand;
    const { clock } = this.options;
    const kept: KeptCommand = {
      ...open,
      end: {
        at,
        how: act.end,
        status: act.status,
        wallMs: clock.now(),
        monotonicMs: clock.monotonic(),
      },
    };
    this.kept.push(kept);
    return this.told(kept);
  }

  private lineOf({ told, input }: OpenAct, at: Cursor) {
    const { screen } = this.options;
    if (told) return toldLine(told);
    // Where the line was cut, wrapped anew or erased since, or typed on another screen, nothing is known; not the same as nothing typed.
    const isWhole = this.inputWidth === screen.widthChanges && !screen.isAlternate;
    if (input && (!isWhole || hasMoved(input, screen)))
      return { command: null, command_from: null, isEmpty: false } as const;
    const command = input ? keptLine(screen.lineText(input, at, limits.journalCommandBytes)) : "";
    return command === ""
      ? ({ command: null, command_from: null, isEmpty: true } as const)
      : ({ command, command_from: "screen", isEmpty: false } as const);
  }

  private told(kept: KeptCommand): CommandRecord {
    const record = this.show(kept);
    this.last = lastCommandOf(record);
    return record;
  }

  private show(kept: KeptCommand): CommandRecord {
    return shown(kept, this.options.screen, this.options.clock);
  }
}

function toldLine({ text, from }: ToldLine) {
  const command = keptLine(text);
  const isEmpty = command === "";
  return {
    command: isEmpty ? null : command,
    command_from: isEmpty ? null : from,
    isEmpty,
  } as const;
}

function hasMoved(input: Cursor, screen: JournalScreen): boolean {
  return compareCursors(screen.locate(input).at, input) !== 0;
}

function lastCommandOf(record: CommandRecord): LastCommand {
  const { index, command, exit_code = null, started_at, ended_at, duration_ms, by } = record;
  const running = ended_at === null;
  return {
    index,
    command: command === null ? null : lineForLists(command),
    running,
    exit_code,
    started_at,
    // A clock that runs would be news all the time.
    duration_ms: running ? null : duration_ms,
    by,
  };
}
