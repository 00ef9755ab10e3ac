// `cotty mouse`: one mouse event for the program in a session.
import { Argument, type Command, Option } from "commander";
import type { MouseEvent } from "#lib/protocol/mouse.ts";
import { parseCell } from "./arguments.ts";
import { withExamples } from "./examples.ts";
import { remoteOf, withServer } from "./remote.ts";
import { sessionArgument, sessionHelp, sessionIdOf } from "./session-argument.ts";
import { data } from "./terminal-output.ts";

interface Wishes {
  button?: NonNullable<MouseEvent["button"]>;
  shift?: true;
  alt?: true;
  ctrl?: true;
  json?: true;
}

export function mouseCommand(parent: Command): void {
  const command = parent
    .command("mouse")
    .summary("click, drag, scroll")
    .description(
      "Send one mouse event to the program, at a cell counted from 0. Refused when the program listens to no such thing.",
    )
    .argument(sessionArgument, sessionHelp)
    .addArgument(
      new Argument("<EVENT>", "what the mouse does").choices([
        "click",
        "press",
        "release",
        "move",
        "drag",
        "scroll",
      ]),
    )
    .argument("<X,Y>", "the cell: column and row, from 0", parseCell)
    .addOption(
      new Option("--button <BUTTON>", "left unless given; scroll turns the wheel down").choices([
        "left",
        "middle",
        "right",
        "wheel-up",
        "wheel-down",
      ]),
    )
    .option("--shift", "with Shift held")
    .option("--alt", "with Alt held")
    .option("--ctrl", "with Ctrl held")
    .option("--json", "the answer as JSON");
  withExamples(command, [
    ["cotty mouse ID click 10,3", "column 10, row 3"],
    ["cotty mouse ID click 10,3 --button right --ctrl", ""],
    ["cotty mouse ID scroll 0,0 --button wheel-up", ""],
  ]);
  withServer(command).action(
    async (wanted: string, type: MouseEvent["type"], cell: { x: number; y: number }) => {
      const { button, shift, alt, ctrl, json } = command.opts<Wishes>();
      const { api } = remoteOf(command);
      const id = await sessionIdOf(api, wanted);
      const pressed = button ?? (type === "scroll" ? "wheel-down" : undefined);
      const modifiers = [
        ...(shift ? (["shift"] as const) : []),
        ...(alt ? (["alt"] as const) : []),
        ...(ctrl ? (["ctrl"] as const) : []),
      ];
      const reply = await api.sendMouse({
        params: { id },
        body: { type, ...cell, ...(pressed ? { button: pressed } : {}), modifiers },
      });
      if (json) data(JSON.stringify(reply));
    },
  );
}
