// Whether a program can be executed and a directory entered, judged before any process exists (PT7). Reads the file system, changes nothing.
import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";

/** What stands in the way, as the end of a sentence that begins with the path; null when nothing does. */
export type Obstacle = string | null;

export type Lookup = { kind: "found"; file: string } | { kind: "refused"; reason: string };

/** As execvp(3): a name with a slash is a path (relative to `cwd`), another is looked for in the folders of `path`. */
export function findProgram(name: string, cwd: string, path: string): Lookup {
  if (name.includes("/")) {
    const file = isAbsolute(name) ? name : resolve(cwd, name);
    const obstacle = obstacleToExecute(file);
    return obstacle === null
      ? { kind: "found", file }
      : { kind: "refused", reason: `${file} ${obstacle}` };
  }
  let nearMiss: string | null = null;
  for (const folder of path.split(":")) {
    const file = join(isAbsolute(folder) ? folder : resolve(cwd, folder), name);
    const obstacle = obstacleToExecute(file);
    if (obstacle === null) return { kind: "found", file };
    if (obstacle !== missing) nearMiss ??= `${file} ${obstacle}`;
  }
  return { kind: "refused", reason: nearMiss ?? `${name} was not found in PATH` };
}

const missing = "does not exist";

export function obstacleToExecute(file: string): Obstacle {
  const info = look(file);
  if (typeof info === "string") return info;
  if (info.isDirectory()) return "is a directory";
  if (!info.isFile()) return "is not a regular file";
  // access(2) tells root that it may; execve(2) still wants one execute bit.
  if ((info.mode & 0o111) === 0 || !mayAccess(file, constants.X_OK)) return "is not executable";
  return interpreterObstacle(file);
}

export function obstacleToEnter(directory: string): Obstacle {
  const info = look(directory);
  if (typeof info === "string") return info;
  if (!info.isDirectory()) return "is not a directory";
  // Root may enter what nobody may: a directory without any such bit is meant to be closed.
  if ((info.mode & 0o111) === 0 || !mayAccess(directory, constants.X_OK))
    return "may not be entered";
  return null;
}

/** A script whose interpreter is missing would look like a program that failed at once. */
function interpreterObstacle(file: string): Obstacle {
  const head = Buffer.alloc(256);
  let length: number;
  try {
    const descriptor = openSync(file, "r");
    try {
      length = readSync(descriptor, head, 0, head.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Executable without being readable: nothing to see, and nothing wrong.
    return null;
  }
  const interpreter = /^#![ \t]*([^\s\0]+)/.exec(head.toString("latin1", 0, length))?.[1];
  if (!interpreter?.startsWith("/")) return null;
  const info = look(interpreter);
  if (typeof info === "string") return `names an interpreter, ${interpreter}, that ${info}`;
  if (!info.isFile() || (info.mode & 0o111) === 0)
    return `names an interpreter, ${interpreter}, that is not executable`;
  return null;
}

function look(path: string) {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES") return "may not be reached";
    if (code === "ELOOP") return "is a loop of links";
    if (code === "ENAMETOOLONG") return "is too long a path";
    return missing;
  }
}

function mayAccess(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}
