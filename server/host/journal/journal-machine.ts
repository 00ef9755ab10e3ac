// From markers to commands (JR1): a pure step that is defined for every event in every state. Knows neither screen nor clock.
import { assertNever } from "#lib/base/assert.ts";
import type { Cursor } from "#lib/protocol/cursor.ts";
import type { Dialect, Marker } from "#lib/terminal/osc-marker.ts";
import type { ShellState } from "./journal-api.ts";

export type MachineEvent =
  | { kind: "marker"; marker: Exclude<Marker, { kind: "cwd" }>; at: Cursor }
  /** The session's process ended. */
  | { kind: "exited" };

/** A command line as a marker told it. `shell`: with this session's nonce. */
export interface ToldLine {
  readonly text: string;
  readonly from: "shell" | "program";
}

export interface Machine {
  readonly shell: ShellState;
  /** The dialect of the first A, B, C or D; the other one says nothing for the rest of the session's life. */
  readonly dialect: Dialect | null;
  /** A record is open. */
  readonly isOpen: boolean;
  /** B since the last A and C: of an older prompt's line nothing is left. */
  readonly input: Cursor | null;
  /** 633;E since the last C. */
  readonly told: ToldLine | null;
}

export const newMachine: Machine = {
  shell: "unknown",
  dialect: null,
  isOpen: false,
  input: null,
  told: null,
};

export type MachineAct =
  /** Of the record that is open. `incomplete`: its end was not announced. */
  | { kind: "close"; end: "announced" | "incomplete" | "pty_exited"; status: number | null }
  /** The line of the record that is open, told behind its C: where the shell makes that mark before it calls its hooks (fish 4). */
  | { kind: "amend"; told: ToldLine }
  /** `told` null: the line stands on the screen from `input` on, or nowhere. */
  | { kind: "open"; told: ToldLine | null; input: Cursor | null };

export interface Step {
  readonly machine: Machine;
  readonly acts: readonly MachineAct[];
}

/** `nonce`: of this session; null: its shell was given none, and nothing told is trusted. */
export function step(machine: Machine, event: MachineEvent, nonce: string | null): Step {
  if (event.kind === "exited")
    return {
      machine: { ...machine, shell: "idle", isOpen: false, input: null, told: null },
      acts: closing(machine, "pty_exited"),
    };
  const { marker, at } = event;
  if (marker.kind === "command_line") return heard(machine, marker, nonce);
  if (machine.dialect !== null && machine.dialect !== marker.dialect) return { machine, acts: [] };
  const { dialect } = marker;
  switch (marker.kind) {
    case "prompt":
      return {
        machine: { ...machine, dialect, shell: "prompt", isOpen: false, input: null },
        acts: closing(machine, "incomplete"),
      };
    case "input":
      // Leaves an open record open: whether it is over, the next A, C or D says.
      return { machine: { ...machine, dialect, shell: "input", input: at }, acts: [] };
    case "output": {
      const told = lineOf(machine.told, marker.commandLine);
      return {
        machine: { dialect, shell: "running", isOpen: true, input: null, told: null },
        acts: [
          ...closing(machine, "incomplete"),
          { kind: "open", told, input: told === null ? machine.input : null },
        ],
      };
    }
    case "done":
      // Of a command that was never announced: the first prompt of most shells begins with one.
      if (!machine.isOpen)
        return {
          machine: {
            ...machine,
            dialect,
            shell: machine.shell === "unknown" ? "idle" : machine.shell,
          },
          acts: [],
        };
      return {
        machine: { ...machine, dialect, shell: "idle", isOpen: false },
        acts: [{ kind: "close", end: "announced", status: marker.status }],
      };
    default:
      return assertNever(marker);
  }
}

function closing(machine: Machine, end: "incomplete" | "pty_exited"): readonly MachineAct[] {
  return machine.isOpen ? [{ kind: "close", end, status: null }] : [];
}

/** What the shell told is not replaced by what a program prints, and while a command runs the shell tells nothing of another one. */
function heard(
  machine: Machine,
  { text, nonce: given }: { text: string; nonce: string | null },
  nonce: string | null,
): Step {
  const from = nonce !== null && given === nonce ? "shell" : "program";
  if (machine.told?.from === "shell" && from === "program") return { machine, acts: [] };
  const told: ToldLine = { text, from };
  if (from === "shell" && machine.shell === "running")
    return { machine, acts: [{ kind: "amend", told }] };
  return { machine: { ...machine, told }, acts: [] };
}

/** C's own line came from whoever said that the command runs; an E without the nonce may be anybody's from before. */
function lineOf(told: ToldLine | null, own: string | null): ToldLine | null {
  if (told?.from === "shell" || own === null) return told;
  return { text: own, from: "program" };
}
