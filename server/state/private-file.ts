// Files that only their owner may read or write (SE5, T10C): written whole under a fresh name and renamed into place, read without
// following links. Small files only; everything is synchronous, so that a record is on disk before the next line runs.
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants;

/** Far above every file kept this way; a bigger one is not ours. */
const maxBytes = 4 * 1024 * 1024;

/** A name beside `path` that nothing else uses. */
export function freshName(path: string): string {
  return `${path}.${process.pid}.${randomBytes(6).toString("hex")}`;
}

/** Removes what processes that were killed in the middle of writing left in `folder`. Files of living processes stay. */
export function sweepFreshNames(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /\.(\d+)\.[0-9a-f]{12}$/.exec(name)?.[1];
    if (pid && !existsProcess(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function existsProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Creates `path` with 0600; throws EEXIST when anything, even a dangling link, has that name. */
export function createPrivateFile(path: string, text: string): void {
  const fd = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
}

/** Replaces `path` in one step: a reader sees the old text or the new one. A link of that name is replaced, not followed. */
export function writePrivateFile(path: string, text: string): void {
  const temporary = freshName(path);
  try {
    createPrivateFile(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** The text of `path`; undefined when there is no such file. Throws when others could read or have written it. */
export function readPrivateFile(path: string): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") throw new Error(`${path} is a link; remove it`);
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw new Error(`${path} is not a file`);
    if (stat.uid !== process.getuid?.()) throw new Error(`${path} belongs to another user`);
    if ((stat.mode & 0o077) !== 0) {
      throw new Error(`${path} can be read by others; run: chmod 600 ${path}`);
    }
    if (stat.size > maxBytes) throw new Error(`${path} is larger than cotty writes it`);
    return readFileSync(fd, "utf8");
  } finally {
    closeSync(fd);
  }
}
