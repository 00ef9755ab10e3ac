// `web.json`: where the living web process is reached. Written by web; read by the CLI and, for COTTY_URL, by the host.
import * as z from "zod/mini";
import { readPrivateFile } from "./private-file.ts";
import { isRunning, processIdentitySchema } from "./process-identity.ts";
import type { StateDir } from "./state-dir.ts";

const webRecordSchema = z.object({ ...processIdentitySchema.shape, url: z.string() });

/** null when no web process lives in `dir`, or its record cannot be read: it is only a convenience. */
export function webUrl(dir: StateDir): string | null {
  try {
    const text = readPrivateFile(dir.webRecord);
    const record = webRecordSchema.safeParse(JSON.parse(text ?? "null")).data;
    return record && isRunning(record) ? record.url : null;
  } catch {
    return null;
  }
}
