// The web process that serves a state directory, as its record tells, and the host behind it.
import { hostname, userInfo } from "node:os";
import * as z from "zod/mini";
import { sleep, systemClock } from "#lib/base/clock.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { connectHost, findHost, type HostEndpoint } from "#server/state/host-endpoint.ts";
import { readPrivateFile } from "#server/state/private-file.ts";
import { isRunning, processIdentitySchema } from "#server/state/process-identity.ts";
import { openStateDir, type StateDir } from "#server/state/state-dir.ts";
import { CliError, exitCodes } from "./exit.ts";

const webRecordSchema = z.object({
  ...processIdentitySchema.shape,
  url: z.string(),
  port: z.int(),
});
export type WebRecord = z.infer<typeof webRecordSchema>;

/** The living web process of `dir`, or undefined. */
export function findWeb(dir: StateDir): WebRecord | undefined {
  const text = readPrivateFile(dir.webRecord);
  if (text === undefined) return undefined;
  try {
    const record = webRecordSchema.safeParse(JSON.parse(text)).data;
    return record && isRunning(record) ? record : undefined;
  } catch {
    // Not JSON: cut off by a crash; nothing runs there that we know of.
    return undefined;
  }
}

/** Opens the state directory or fails with its reason. */
export function stateOf(root: string): StateDir {
  try {
    return openStateDir(root);
  } catch (error) {
    throw new CliError(exitCodes.failed, error instanceof Error ? error.message : String(error));
  }
}

/** The person at this machine's keyboard: whoever may read the host's key may do everything anyway (HO4). */
export function localActor(): Actor {
  return { kind: "human", id: "local", name: userInfo().username || hostname(), role: "owner" };
}

/** The living host, or a failure that says how to start one. */
export async function hostOf(dir: StateDir): Promise<HostEndpoint> {
  try {
    return await connectHost(dir);
  } catch (error) {
    if (error instanceof TermError)
      throw new CliError(exitCodes.unreachable, error.message, "Start it with `cotty start`.");
    throw error;
  }
}

const statusSchema = z.object({
  version: z.string(),
  sessions: z.int(),
  sockets: z.int(),
  terminals: z.union([
    z.object({ state: z.literal("ready") }),
    z.object({ state: z.enum(["disabled", "unavailable"]), reason: z.string() }),
  ]),
  warnings: z.array(z.string()),
});
export type HostStatus = z.infer<typeof statusSchema>;

/** What the host says of itself; undefined when it does not answer. */
export async function hostStatus(host: HostEndpoint): Promise<HostStatus | undefined> {
  try {
    const reply = await host.request("GET", "/internal/status", { timeoutMs: 2_000 });
    return statusSchema.safeParse(reply.json()).data;
  } catch {
    // It ended between the look and the question.
    return undefined;
  }
}

/** How many sessions have a living process; undefined when no host answers. */
export async function runningSessions(dir: StateDir): Promise<number | undefined> {
  const host = findHost(dir);
  return host && (await hostStatus(host))?.sessions;
}

export function terminals(count: number): string {
  return `${count} terminal${count === 1 ? "" : "s"}`;
}

export function keepRunning(count: number): string {
  if (count === 0) return "no terminal is running";
  return `${terminals(count)} keep${count === 1 ? "s" : ""} running; \`cotty start\` shows them again, \`cotty stop --all\` ends them`;
}

/** Waits until `gone` is true; false after `timeoutMs`. */
export async function until(gone: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = systemClock.monotonic() + timeoutMs;
  while (!gone()) {
    if (systemClock.monotonic() > deadline) return false;
    await sleep(systemClock, 25);
  }
  return true;
}
