// Which known programs this machine has: looked for where a session would look. Reads the file system only; starts nothing (docs/decisions/007).
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Profile } from "#lib/protocol/profiles.ts";
import { findProgram, obstacleToExecute } from "#server/host/pty/program-lookup.ts";
import { type KnownProgram, knownAgents, knownShells } from "./known-programs.ts";

export interface SearchPlace {
  /** Folders with colons between, as in a session's environment. */
  readonly path: string;
  /** Absolute; what a session without a command starts. */
  readonly defaultShell: string;
  /** The system's list of login shells; /etc/shells. */
  readonly shellsFile: string;
}

/** Shells with the default one first, then agents; each once. */
export function foundPrograms(place: SearchPlace): Profile[] {
  const own = basename(place.defaultShell);
  const known = knownShells.find(({ program }) => program === own);
  const listed = listedShells(place.shellsFile);
  const first = profileOf("shell", known ?? unknownShell(own), place.defaultShell, true);
  const shells = knownShells
    .filter(({ program }) => program !== own)
    .flatMap((one) => {
      const file = onPath(one.program, place.path) ?? listed.get(one.program);
      return file === undefined ? [] : [profileOf("shell", one, file, false)];
    });
  const agents = knownAgents.flatMap((one) => {
    const file = onPath(one.program, place.path);
    return file === undefined ? [] : [profileOf("agent", one, file, false)];
  });
  return [first, ...shells, ...agents];
}

function onPath(program: string, path: string): string | undefined {
  // Folders of PATH that are relative depend on where a session starts; what is offered must not.
  const folders = path.split(":").filter((folder) => folder.startsWith("/"));
  const found = findProgram(program, "/", folders.join(":"));
  return folders.length > 0 && found.kind === "found" ? found.file : undefined;
}

/** Shells outside PATH that the system names: program -> file. */
function listedShells(shellsFile: string): ReadonlyMap<string, string> {
  const listed = new Map<string, string>();
  let text = "";
  try {
    text = readFileSync(shellsFile, "utf8").slice(0, 64 * 1024);
  } catch {
    // Systems without the list have their shells on PATH.
  }
  for (const line of text.split("\n").map((one) => one.trim()))
    if (line.startsWith("/") && !listed.has(basename(line)) && obstacleToExecute(line) === null)
      listed.set(basename(line), line);
  return listed;
}

function unknownShell(program: string): KnownProgram {
  return { program, title: program, icon: "terminal" };
}

function profileOf(
  kind: "shell" | "agent",
  { program, title, icon }: KnownProgram,
  file: string,
  isDefault: boolean,
): Profile {
  return {
    name: program,
    title,
    kind,
    icon,
    command: [file],
    cwd: null,
    env: [],
    is_default: isDefault,
  };
}
