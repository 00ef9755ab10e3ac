// The commands under "Typing and looking:" in the help, loaded together: one file each would take longer to find than to read.
import { keysCommand } from "../keys.ts";
import { mouseCommand } from "../mouse.ts";
import { resizeCommand } from "../resize.ts";
import { screenCommand } from "../screen.ts";
import { sendCommand } from "../send.ts";

export const looking = {
  send: sendCommand,
  keys: keysCommand,
  mouse: mouseCommand,
  resize: resizeCommand,
  screen: screenCommand,
};
