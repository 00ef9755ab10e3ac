// The commands under "The server:" in the help, loaded together: one file each would take longer to find than to read.
import { completionCommand } from "../completion.ts";
import { doctorCommand } from "../doctor.ts";
import { hostCommand } from "../host.ts";
import { openCommand } from "../open.ts";
import { startCommand } from "../start.ts";
import { stopCommand } from "../stop.ts";

export const serving = {
  start: startCommand,
  stop: stopCommand,
  open: openCommand,
  host: hostCommand,
  doctor: doctorCommand,
  completion: completionCommand,
};
