import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import {
  editorMode,
  lineMode,
  observation,
  program,
  reading,
  shell,
} from "#server/testing/observations.ts";
import { Activity } from "./activity.ts";
import { SettingsWatch } from "./settings-watch.ts";
import { isShellQuestion, nextShellLine, noShellLine, sentShellLine } from "./shell-line.ts";

const seen = (cursorLine: string, sinceWriteMs: number | null = 50) =>
  observation({ foreground: shell("bash"), cursorLine, sinceWriteMs });

describe("the line of a shell without markers", () => {
  it("[WT8] goes on after a line that is not whole, until one that is", () => {
    let line = nextShellLine(noShellLine, seen("$ ", null), true);
    expect(line).toMatchObject({ isContinued: false });
    line = nextShellLine(sentShellLine(line, 1), seen("> "), true);
    expect(line).toMatchObject({ isContinued: true });
    const typedOn = observation({ ...seen("> text"), isLineUntouched: false });
    expect(nextShellLine(line, typedOn, true)).toBe(line);
    line = nextShellLine(sentShellLine(line, 1), seen("quote> "), true);
    expect(line).toMatchObject({ isContinued: true });
    line = nextShellLine(sentShellLine(line, 1), seen("$ "), true);
    expect(line).toMatchObject({ isContinued: false });
  });

  it("[WT8] is a prompt where the prompt itself looks so", () => {
    for (const sinceWriteMs of [null, 50]) {
      let line = nextShellLine(noShellLine, seen("", sinceWriteMs), true);
      line = nextShellLine(line, seen("> ", sinceWriteMs), true);
      line = nextShellLine(sentShellLine(line, 1), seen("> "), true);
      expect(line).toMatchObject({ isContinued: false });
    }
  });

  it("[WT8] is a prompt from the first line on behind which something ran, where it was made to look so later", () => {
    const runs = observation({ foreground: program("sleep") });
    let line = nextShellLine(noShellLine, seen("$ ", null), true);
    line = nextShellLine(nextShellLine(sentShellLine(line, 2), runs, false), seen("> "), true);
    expect(line).toMatchObject({ isContinued: true });
    line = nextShellLine(nextShellLine(sentShellLine(line, 1), runs, false), seen("> "), true);
    expect(line).toMatchObject({ isContinued: false });
    line = nextShellLine(sentShellLine(line, 1), seen("> "), true);
    expect(line).toMatchObject({ isContinued: false });
  });

  it("[PH1] is a question where the shell itself asks", () => {
    for (const line of [
      "zsh: sure you want to delete all 2 files in /tmp/a [yn]? ",
      "zsh: correct 'lss' to 'ls' [nyae]? ",
      "zsh: do you wish to see all 1139 possibilities (285 lines)? ",
      "?# ",
      "Display all 1139 possibilities? (y or n)",
    ])
      expect([line, isShellQuestion(line)]).toEqual([line, true]);
    for (const line of ["$ ", "zsh: command not found: lss", "host$ zsh: sure [yn]? ", "# "])
      expect([line, isShellQuestion(line)]).toEqual([line, false]);
  });

  it("[PH1] of dash stays its prompt while a job prints behind it, and is one no more after Enter", async () => {
    const world = { text: "$ " };
    const foreground = shell("dash");
    const activity = new Activity(
      {
        lifecycle: () => "running",
        shell: () => "unknown",
        line: () => ({ text: world.text, isAtEnd: true, altScreen: false }),
        title: () => "",
        backlogBytes: () => 0,
        look: () => ({ foreground, read: reading("dash", { wait: world.text }) }),
        settings: async () => lineMode,
      },
      new FakeClock(),
    );
    expect(await activity.refresh()).toMatchObject({ phase: "idle" });
    world.text = "";
    activity.printed();
    expect(await activity.refresh()).toMatchObject({ phase: "idle" });
    activity.typed(utf8("read x\r"), true);
    world.text = "  ";
    await activity.refresh();
    expect(await activity.refresh()).not.toMatchObject({ phase: "idle" });
    activity.dispose();
  });
});

describe("the mode of a shell's terminal", () => {
  it("[PH2] is asked for anew at once when the answer was that of a command", async () => {
    const clock = new FakeClock();
    const answers = [lineMode, editorMode, editorMode];
    const watch = new SettingsWatch(async () => answers.shift() ?? lineMode, clock);
    const look = (wait: string) => reading("bash", { call: "pselect", wait });
    await watch.ask(look("200.1"), "if_new");
    clock.advance(10);
    await watch.ask(look("200.2"), "if_new");
    expect(watch.current).toEqual(editorMode);
    clock.advance(10);
    // Keys change nothing about a line editor's mode.
    expect(watch.ask(look("200.3"), "if_new")).toBeNull();
  });
});
