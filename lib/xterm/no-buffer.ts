// In place of Node's Buffer in browsers (next.config.ts): there is none. xterm's Unicode tables only ask whether there is one, and are quick
// without; the stand-in that Next would bring is 23 KB to load and to run with each first terminal.
export const Buffer = undefined;
