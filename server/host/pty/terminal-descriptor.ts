// The descriptors of one terminal: what is opened, how it is written. Unix; elsewhere the module's own functions stand in.
import { closeSync, constants, openSync, writeSync } from "node:fs";
import type { ModulePty } from "./pty-module.ts";
import type { WriteSome } from "./pty-writer.ts";

/**
 * Our own end of the slave. While it is open the kernel keeps the output of a process that has ended. It makes the terminal
 * nobody's controlling terminal and never blocks. Null where the module names no slave.
 */
export function holdSlave(term: ModulePty): number | null {
  if (!term.ptsName) return null;
  const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;
  const slave = openSync(term.ptsName, O_RDWR | O_NOCTTY | O_NONBLOCK);
  held.add(terminalNumber(term));
  return slave;
}

/** Kernel numbers of the terminals whose slave we hold: those whose masters are open in this process. */
export function heldTerminals(): ReadonlySet<number> {
  return held;
}
const held = new Set<number>();

export function releaseSlave(term: ModulePty, slave: number): void {
  held.delete(terminalNumber(term));
  closeSync(slave);
}

function terminalNumber(term: ModulePty): number {
  return Number(/(\d+)$/.exec(term.ptsName ?? "")?.[1] ?? -1);
}

export function inputOf(term: ModulePty): WriteSome {
  const { fd } = term;
  if (fd !== undefined) return (bytes) => writeNow(fd, bytes);
  return (bytes) => {
    term.write(Buffer.from(bytes));
    return bytes.length;
  };
}

/** How many bytes a non-blocking descriptor takes now; 0 when it has no room. Throws EIO when the other end is gone. */
export function writeNow(descriptor: number, bytes: Uint8Array): number {
  try {
    return writeSync(descriptor, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return 0;
    throw error;
  }
}

/**
 * Makes the module report the exit when it happens and leave the terminal to us; otherwise it closes the terminal 200 ms
 * later, with whatever a paused reader has not read. The field is private: the self-test proves that it works (HO5).
 */
export function takeOverExit(term: ModulePty): void {
  (term as { _emittedClose?: boolean })._emittedClose = true;
}

/** Closes the master without the signal that the module sends to the pid, by then perhaps another process's (T107). */
export function closeMaster(term: ModulePty): void {
  term.kill = () => {};
  term.destroy?.();
}
