// One credential, one file: exclusive create, no links followed, 0600, a successful unlink is the proof of single use (T10C, T36).
import {
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  openSync,
  readdirSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type CredentialKind, type CredentialRecord, recordSchemas } from "./credential-record.ts";
import { isCredentialId } from "./credential-secret.ts";

/** A record is a few hundred bytes; a token limited to 64 sessions about 3 KB. */
const largestFile = 16 * 1024;
const namePattern = /^(token|login|code)-([a-z2-7]{16})\.json$/;

type RecordOf<K extends CredentialKind> = Extract<CredentialRecord, { kind: K }>;

export interface StoredCredential<R extends CredentialRecord> {
  readonly record: R;
  /** Wall time of the last use (the file's mtime). */
  readonly usedAt: number;
}

function fileOf(folder: string, kind: CredentialKind, id: string): string {
  if (!isCredentialId(id)) throw new Error("invariant: a credential id reached a file name");
  return join(folder, `${kind}-${id}.json`);
}

/** Throws EEXIST when the name is taken, by a link too. */
export function createCredentialFile(folder: string, record: CredentialRecord): void {
  const path = fileOf(folder, record.kind, record.id);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
  const fd = openSync(path, flags, 0o600);
  try {
    writeSync(fd, `${JSON.stringify(record)}\n`);
    futimesSync(fd, record.createdAt / 1000, record.createdAt / 1000);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** null when it is missing, a link, not ours, readable by others or damaged: such a file opens nothing. */
export function readCredentialFile<K extends CredentialKind>(
  folder: string,
  kind: K,
  id: string,
): StoredCredential<RecordOf<K>> | null {
  let fd: number;
  try {
    // NONBLOCK: a pipe laid in place of the file must not stop the server.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    fd = openSync(fileOf(folder, kind, id), flags);
  } catch {
    // Missing or a link: both mean "no such credential".
    return null;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.uid !== process.getuid?.() || (stat.mode & 0o077) !== 0) return null;
    if (stat.size === 0 || stat.size > largestFile) return null;
    const bytes = Buffer.alloc(stat.size);
    if (readSync(fd, bytes, 0, stat.size, 0) !== stat.size) return null;
    const parsed = recordSchemas[kind].safeParse(JSON.parse(bytes.toString("utf8")));
    if (!parsed.success || parsed.data.id !== id) return null;
    return { record: parsed.data as RecordOf<K>, usedAt: stat.mtimeMs };
  } catch {
    // Unreadable JSON or an I/O error: a damaged credential opens nothing (C-Z6).
    return null;
  } finally {
    closeSync(fd);
  }
}

/** Notes a use. Best effort: a lost note only shortens an idle time. */
export function touchCredentialFile(
  folder: string,
  kind: CredentialKind,
  id: string,
  wallMs: number,
): void {
  try {
    const flags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const fd = openSync(fileOf(folder, kind, id), flags);
    try {
      futimesSync(fd, wallMs / 1000, wallMs / 1000);
    } finally {
      closeSync(fd);
    }
  } catch {
    // Revoked in this moment: the next verification finds out.
  }
}

/** True for exactly one caller, whatever runs beside it. */
export function removeCredentialFile(folder: string, kind: CredentialKind, id: string): boolean {
  try {
    unlinkSync(fileOf(folder, kind, id));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

/** Kind and id of every credential file; other names are not ours and are skipped. */
export function listCredentialFiles(folder: string): { kind: CredentialKind; id: string }[] {
  return readdirSync(folder).flatMap((name) => {
    const match = namePattern.exec(name);
    return match?.[1] && match[2] ? [{ kind: match[1] as CredentialKind, id: match[2] }] : [];
  });
}
