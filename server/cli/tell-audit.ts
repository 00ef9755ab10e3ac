// What the CLI itself does, told to the host's audit, or kept in a file for the next host (AU1).
import { systemClock } from "#lib/base/clock.ts";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { spoolAct } from "#server/audit/spool.ts";
import { connectHost } from "#server/state/host-endpoint.ts";
import type { StateDir } from "#server/state/state-dir.ts";
import { tell } from "./terminal-output.ts";

export async function tellAudit(dir: StateDir, act: AuditAct): Promise<void> {
  const at = systemClock.now();
  try {
    const host = await connectHost(dir);
    const body = { acts: [{ act, at }] };
    const reply = await host.request("POST", "/internal/audit", { body, timeoutMs: 2_000 });
    if (reply.status === 200) return;
  } catch {
    // No host, or one that does not answer.
  }
  if (!spoolAct(dir.audit, act, at))
    tell("this could not be written to the audit: no host answers, and no file can be made");
}
