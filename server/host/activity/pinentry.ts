// Who asks for a passphrase in the name of gpg. gpg-agent starts it, elsewhere and once for all terminals, and it opens ours: no process of our
// session reads then, and gpg waits for a socket. Linux only.
import { readdirSync } from "node:fs";
import { type Member, memberAt } from "./group-members.ts";
import { readProcFile } from "./proc-file.ts";

const askers = /^(gpg2?|gpgsm|gpgconf|gpg-connect-agent)$/;
const pinentry = /^pinentry/;

/** Candidates, from all processes of the machine: some milliseconds, so that only who has gpg in front is asked about them. */
export function pinentriesFor(members: readonly Member[]): readonly Member[] {
  if (!members.some((member) => askers.test(member.comm))) return [];
  return readdirSync("/proc").flatMap((name) => {
    const member = /^\d+$/.test(name) && isPinentry(name) ? memberAt(Number(name)) : null;
    return member ? [member] : [];
  });
}

export function isPinentryName(program: string): boolean {
  return pinentry.test(program);
}

function isPinentry(pid: string): boolean {
  try {
    return pinentry.test(readProcFile(`/proc/${pid}/comm`));
  } catch {
    // It ended.
    return false;
  }
}
