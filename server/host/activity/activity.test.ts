// The activity on a clock of its own, with looks and settings that a test plays: what is told while the machine is late.
import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import type { TtySettings } from "#server/host/pty/tty-settings.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { notReading, passwordMode, program, reading, shell } from "#server/testing/observations.ts";
import { Activity } from "./activity.ts";
import type { ShellView } from "./observation.ts";
import type { TerminalLook } from "./tty-read.ts";

const busyShell: TerminalLook = { foreground: shell("bash"), read: notReading };
const prompting: TerminalLook = {
  foreground: shell("bash"),
  read: reading("bash", { call: "pselect", wait: "200.2" }),
};
const sleeping: TerminalLook = { foreground: program("sleep"), read: notReading };

function rig() {
  const clock = new FakeClock();
  const world = { shell: "unknown" as ShellView, look: busyShell };
  /** On a machine that is busy beyond measure: it does not come. */
  let answer = (): Promise<TtySettings> => new Promise(() => {});
  const activity = new Activity(
    {
      lifecycle: () => "running",
      shell: () => world.shell,
      line: () => ({ text: "$ ", isAtEnd: true, altScreen: false }),
      title: () => "",
      backlogBytes: () => 0,
      look: () => world.look,
      settings: () => answer(),
    },
    clock,
  );
  const settings = (next: typeof answer) => {
    answer = next;
  };
  return { clock, world, activity, settings };
}

describe("a line that is sent to a shell", () => {
  it("[PH1] is answered when the shell announces the command, and the next prompt is told as one", async () => {
    const { clock, world, activity } = rig();
    world.shell = "prompt";
    activity.typed(utf8(":\r"), true);
    clock.advance(50);
    expect((await activity.explain()).observation).toMatchObject({ line_unanswered: true });

    world.shell = "running";
    world.look = sleeping;
    clock.advance(1_000);
    const { rung, confidence, observation } = await activity.explain();
    expect({ rung, confidence }).toEqual({ rung: "not_reading", confidence: "exact" });
    expect(observation).toMatchObject({ line_unanswered: false });

    world.shell = "input";
    world.look = prompting;
    clock.advance(1_000);
    expect(activity.state).toMatchObject({ phase: "idle", confidence: "marker" });
    activity.dispose();
  });

  it("[PH1] before the first prompt: settings that nobody tells do not hold up the prompt", () => {
    const { clock, world, activity } = rig();
    activity.typed(utf8(":\r"), true);
    activity.printed();
    // What bash's start-up files run reads the terminal, and its settings are asked for.
    world.look = { foreground: shell("bash"), read: reading("stty") };
    clock.advance(30);
    expect(activity.state.phase).toBe("running");

    world.shell = "input";
    world.look = prompting;
    clock.advance(1_000);
    expect(activity.state).toMatchObject({ phase: "idle", confidence: "marker" });
    activity.dispose();
    expect(clock.pending).toBe(0);
  });
});

describe("settings of the terminal", () => {
  it("[CR1] are asked for again when no answer came in time", async () => {
    const { clock, world, activity, settings } = rig();
    let asked = 0;
    settings(async () => {
      asked += 1;
      return asked < 3 ? { kind: "unknown", reason: "no answer in time" } : passwordMode;
    });
    world.look = { foreground: program("getpass"), read: reading("getpass") };
    for (let i = 0; i < 20; i++) {
      clock.advance(100);
      // The answers of this turn.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(asked).toBe(3);
    expect(activity.state).toMatchObject({ phase: "waiting_input", credential: "echo_off" });
    activity.dispose();
  });
});
