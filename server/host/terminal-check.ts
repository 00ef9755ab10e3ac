// Whether this machine can start terminals, found out the way the host does it (PT1, HO5): for `cotty doctor`.
import type { PtyAvailability } from "./pty/pty.ts";
import { createPtyFactory } from "./pty/pty-factory.ts";

export async function checkTerminals(): Promise<PtyAvailability> {
  return (await createPtyFactory({ noTerminal: false })).availability;
}
