// The commands under "Sessions:" in the help, loaded together: one file each would take longer to find than to read.
import { attachCommand } from "../attach.ts";
import { killCommand } from "../kill.ts";
import { lsCommand } from "../ls.ts";
import { newCommand } from "../new.ts";
import { runCommand } from "../run.ts";
import { signalCommand } from "../signal.ts";
import { tuiCommand } from "../tui.ts";

export const sessions = {
  new: newCommand,
  run: runCommand,
  ls: lsCommand,
  attach: attachCommand,
  tui: tuiCommand,
  kill: killCommand,
  signal: signalCommand,
};
