// `host.json`: which host lives in a state directory. Written last at start, so its presence means that the host answers.
import * as z from "zod/mini";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";
import { processIdentitySchema } from "./process-identity.ts";
import type { StateDir } from "./state-dir.ts";

/** Major version of what web and host say to each other (HO2, HO7). Raised only when an older web could not work with a newer host. */
export const hostProtocol = 1;

const hostRecordSchema = z.object({
  ...processIdentitySchema.shape,
  version: z.string(),
  protocol: z.int(),
});
export type HostRecord = z.infer<typeof hostRecordSchema>;

export function writeHostRecord(dir: StateDir, record: HostRecord): void {
  writePrivateFile(dir.hostRecord, `${JSON.stringify(record)}\n`);
}

/** Undefined when there is no record or it cannot be understood; the next host replaces it. */
export function readHostRecord(dir: StateDir): HostRecord | undefined {
  const text = readPrivateFile(dir.hostRecord);
  if (text === undefined) return undefined;
  try {
    return hostRecordSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Why a living host cannot be used by this version, as a sentence with what to do; undefined when it can. */
export function incompatibility(record: HostRecord): string | undefined {
  if (record.protocol === hostProtocol) return undefined;
  return (
    `a cotty host of another major version runs here (pid ${record.pid}, version ${record.version}, protocol ${record.protocol}; ` +
    `this is protocol ${hostProtocol}). End it with \`cotty stop --all\` of its own version, or use another state directory ` +
    "(--state-dir)."
  );
}
