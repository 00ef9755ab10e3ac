import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Marker } from "#lib/terminal/osc-marker.ts";
import type { ShellState } from "./journal-api.ts";
import { type Machine, type MachineEvent, newMachine, step } from "./journal-machine.ts";

const nonce = "n0nce";
const here = { seq: 7, col: 3 };
const typed = { seq: 5, col: 2 };

const events = {
  A: { kind: "prompt", dialect: "osc133" },
  B: { kind: "input", dialect: "osc133" },
  C: { kind: "output", dialect: "osc133", commandLine: null },
  "C;cmdline": { kind: "output", dialect: "osc133", commandLine: "own" },
  D: { kind: "done", dialect: "osc133", status: null },
  "D;3": { kind: "done", dialect: "osc133", status: 3 },
  E: { kind: "command_line", text: "told", nonce: null },
  "E;nonce": { kind: "command_line", text: "sure", nonce },
} as const satisfies Record<string, Marker>;

const run = (machine: Machine, name: keyof typeof events | "exit") =>
  step(
    machine,
    name === "exit" ? { kind: "exited" } : { kind: "marker", marker: events[name], at: here },
    nonce,
  );

/** Every state that the machine can be in: where the shell is, and whether a record is open. */
const states: Record<string, Machine> = {
  unknown: newMachine,
  idle: { ...newMachine, dialect: "osc133", shell: "idle" },
  prompt: { ...newMachine, dialect: "osc133", shell: "prompt" },
  input: { ...newMachine, dialect: "osc133", shell: "input", input: typed },
  "input, open": { ...newMachine, dialect: "osc133", shell: "input", input: typed, isOpen: true },
  running: { ...newMachine, dialect: "osc133", shell: "running", isOpen: true },
  "running, told": {
    ...newMachine,
    dialect: "osc133",
    shell: "running",
    isOpen: true,
    told: { text: "held", from: "program" },
  },
};

/** state | event -> next state, then what happens to records. The reference's table, cell by cell. */
const table = `
unknown       | A         | prompt  |
unknown       | B         | input   |
unknown       | C         | running | open nothing
unknown       | C;cmdline | running | open own
unknown       | D         | idle    |
unknown       | D;3       | idle    |
unknown       | E         | unknown |
unknown       | E;nonce   | unknown |
unknown       | exit      | idle    |
idle          | A         | prompt  |
idle          | B         | input   |
idle          | C         | running | open nothing
idle          | C;cmdline | running | open own
idle          | D         | idle    |
idle          | D;3       | idle    |
idle          | E         | idle    |
idle          | E;nonce   | idle    |
idle          | exit      | idle    |
prompt        | A         | prompt  |
prompt        | B         | input   |
prompt        | C         | running | open nothing
prompt        | C;cmdline | running | open own
prompt        | D         | prompt  |
prompt        | D;3       | prompt  |
prompt        | E         | prompt  |
prompt        | E;nonce   | prompt  |
prompt        | exit      | idle    |
input         | A         | prompt  |
input         | B         | input   |
input         | C         | running | open from screen
input         | C;cmdline | running | open own
input         | D         | input   |
input         | D;3       | input   |
input         | E         | input   |
input         | E;nonce   | input   |
input         | exit      | idle    |
input, open   | A         | prompt  | close incomplete
input, open   | B         | input   |
input, open   | C         | running | close incomplete, open from screen
input, open   | C;cmdline | running | close incomplete, open own
input, open   | D         | idle    | close announced
input, open   | D;3       | idle    | close announced 3
input, open   | E         | input   |
input, open   | E;nonce   | input   |
input, open   | exit      | idle    | close pty_exited
running       | A         | prompt  | close incomplete
running       | B         | input   |
running       | C         | running | close incomplete, open nothing
running       | C;cmdline | running | close incomplete, open own
running       | D         | idle    | close announced
running       | D;3       | idle    | close announced 3
running       | E         | running |
running       | E;nonce   | running | amend sure
running       | exit      | idle    | close pty_exited
running, told | A         | prompt  | close incomplete
running, told | B         | input   |
running, told | C         | running | close incomplete, open held
running, told | C;cmdline | running | close incomplete, open own
running, told | D         | idle    | close announced
running, told | D;3       | idle    | close announced 3
running, told | E         | running |
running, told | E;nonce   | running | amend sure
running, told | exit      | idle    | close pty_exited
`;

const rows = table
  .trim()
  .split("\n")
  .map((row) => row.split("|").map((cell) => cell.trim()));

function actsOf({ acts }: ReturnType<typeof step>): string {
  return acts
    .map((act) =>
      act.kind === "close"
        ? `close ${act.end}${act.status === null ? "" : ` ${act.status}`}`
        : act.kind === "amend"
          ? `amend ${act.told.text}`
          : `open ${act.told?.text ?? (act.input === typed ? "from screen" : "nothing")}`,
    )
    .join(", ");
}

describe("journal machine", () => {
  it("[JR1] [B083] the table has every state with every event", () => {
    const names = [...Object.keys(events), "exit"];
    const cells = Object.keys(states).flatMap((state) => names.map((event) => `${state} ${event}`));
    expect(rows.map(([state, event]) => `${state} ${event}`)).toEqual(cells);
  });

  for (const [state = "", event = "", next = "", acts = ""] of rows) {
    it(`[JR1] ${state}, then ${event}: ${next}${acts ? `, ${acts}` : ""}`, () => {
      const done = run(states[state] as Machine, event as keyof typeof events);
      expect(done.machine.shell).toBe(next as ShellState);
      expect(actsOf(done)).toBe(acts);
    });
  }

  it("[JR1] a bare D is not zero", () => {
    const [act] = run(states.running as Machine, "D").acts;
    expect(act).toEqual({ kind: "close", end: "announced", status: null });
  });

  it("[JR1] [B086] the first of A, B, C and D chooses the dialect; the other one changes nothing from then on", () => {
    for (const name of ["A", "B", "C", "D", "D;3"] as const) {
      const { machine } = run(newMachine, name);
      expect(machine.dialect, name).toBe("osc133");
      for (const other of ["A", "B", "C", "D", "D;3"] as const) {
        const marker = { ...events[other], dialect: "osc633" } as MachineMarker;
        expect(step(machine, { kind: "marker", marker, at: here }, nonce)).toEqual({
          machine,
          acts: [],
        });
      }
    }
    for (const name of ["E", "E;nonce", "exit"] as const)
      expect(run(newMachine, name).machine.dialect, name).toBeNull();
  });

  it("[JR1] [B086] 633;E belongs to the next C, also of the other dialect, and to no later one", () => {
    const told = run(states.input as Machine, "E").machine;
    const begun = run(told, "C");
    expect(actsOf(begun)).toBe("open told");
    expect(actsOf(run(begun.machine, "C"))).toBe("close incomplete, open nothing");
  });

  it("[SI1] only a line with this session's nonce is the shell's, and nothing takes its place", () => {
    const from = (machine: Machine) => run(machine, "C").acts.find((act) => act.kind === "open");
    const sure = run(states.input as Machine, "E;nonce").machine;
    expect(from(sure)).toMatchObject({ told: { text: "sure", from: "shell" } });
    expect(from(run(sure, "E").machine)).toMatchObject({ told: { text: "sure", from: "shell" } });
    expect(actsOf(run(sure, "C;cmdline"))).toBe("open sure");
    const unsure = run(states.input as Machine, "E").machine;
    expect(from(unsure)).toMatchObject({ told: { text: "told", from: "program" } });
    expect(from(run(unsure, "E;nonce").machine)).toMatchObject({ told: { from: "shell" } });
    // Without a nonce of its own a session trusts nobody, whatever is sent.
    for (const given of [null, "", nonce]) {
      const marker = { ...events.E, nonce: given };
      const { machine } = step(newMachine, { kind: "marker", marker, at: here }, null);
      expect(machine.told?.from).toBe("program");
    }
  });

  it("[JR1] a B of an older prompt is forgotten at the next one", () => {
    const again = run(states.input as Machine, "A").machine;
    expect(actsOf(run(again, "C"))).toBe("open nothing");
  });

  it("[JR1] no sequence sticks or throws: records open and close in turn, and D;0 after C always closes", () => {
    const names = [...Object.keys(events), "exit"] as (keyof typeof events | "exit")[];
    const dialects = fc.constantFrom("osc133" as const, "osc633" as const);
    const sequence = fc.array(fc.tuple(fc.constantFrom(...names), dialects), { maxLength: 60 });
    fc.assert(
      fc.property(sequence, (list) => {
        let machine = newMachine;
        let isOpen = false;
        for (const [name, dialect] of list) {
          const marker = name === "exit" ? null : events[name];
          const event: MachineEvent = marker
            ? { kind: "marker", marker: withDialect(marker, dialect), at: here }
            : { kind: "exited" };
          const done = step(machine, event, nonce);
          for (const act of done.acts) {
            if (act.kind === "amend") {
              expect(isOpen).toBe(true);
              continue;
            }
            expect(act.kind === "open").toBe(!isOpen);
            isOpen = !isOpen;
          }
          machine = done.machine;
          expect(machine.isOpen).toBe(isOpen);
          if (machine.shell === "running") expect(isOpen).toBe(true);
          if (machine.shell === "prompt" || machine.shell === "idle") expect(isOpen).toBe(false);
          expect(machine.input !== null).toBe(machine.input === here);
        }
        const dialect = machine.dialect ?? "osc133";
        for (const [name, shell] of [
          ["A", "prompt"],
          ["B", "input"],
          ["C", "running"],
          ["D;3", "idle"],
        ] as const) {
          const marker = withDialect(events[name], dialect);
          machine = step(machine, { kind: "marker", marker, at: here }, nonce).machine;
          expect(machine.shell).toBe(shell);
        }
      }),
      { seed: 4, numRuns: 500 },
    );
  });
});

type MachineMarker = Extract<MachineEvent, { kind: "marker" }>["marker"];

function withDialect(marker: MachineMarker, dialect: "osc133" | "osc633"): MachineMarker {
  return marker.kind === "command_line" ? marker : { ...marker, dialect };
}
