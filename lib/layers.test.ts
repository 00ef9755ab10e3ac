// The house's arrows (docs/architecture.md). A file may import from its own room and from the rooms listed for it, nothing else.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");

/** Room (longest prefix wins) -> rooms it may import from. Tests may import anything. */
const table: Record<string, readonly string[]> = {
  "lib/base": [],
  "lib/protocol": ["lib/base"],
  "lib/terminal": ["lib/base", "lib/protocol"],
  "lib/client": ["lib/base", "lib/protocol"],
  "lib/store": ["lib/base", "lib/protocol", "lib/client"],
  "lib/xterm": ["lib/base", "lib/protocol", "lib/terminal", "lib/client"],
  components: ["lib/base", "lib/protocol", "lib/terminal", "lib/client", "lib/store", "lib/xterm"],
  app: ["components", "lib/base", "lib/protocol", "lib/client", "lib/store"],
  "server/state": ["lib/base", "lib/protocol"],
  "server/audit": ["lib/base", "lib/protocol", "lib/terminal", "server/state"],
  "server/config": ["lib/base", "lib/protocol", "server/state"],
  "server/host/pty": ["lib/base", "lib/protocol", "lib/terminal"],
  "server/host/output": ["lib/base", "lib/protocol", "lib/terminal"],
  "server/host/screen": ["lib/base", "lib/protocol", "lib/terminal"],
  "server/host/input": ["lib/base", "lib/protocol", "lib/terminal"],
  "server/host/journal": ["lib/base", "lib/protocol", "lib/terminal"],
  "server/host/activity": ["lib/base", "lib/protocol", "lib/terminal", "server/host/pty"],
  "server/host/wait": [
    "lib/base",
    "lib/protocol",
    "lib/terminal",
    "server/host/screen",
    "server/host/journal",
    "server/host/activity",
  ],
  "server/host/lease": ["lib/base", "lib/protocol", "lib/terminal"],
  "server/host/secrets": ["lib/base", "lib/protocol", "lib/terminal"],
  "server/host/viewer": ["lib/base", "lib/protocol", "server/host/output", "server/host/screen"],
  "server/host/session": [
    "lib/base",
    "lib/protocol",
    "lib/terminal",
    "server/host/pty",
    "server/host/output",
    "server/host/screen",
    "server/host/input",
    "server/host/journal",
    "server/host/activity",
    "server/host/wait",
    "server/host/lease",
    "server/host/secrets",
    "server/audit",
    "server/host/viewer",
  ],
  "server/host/profiles": ["lib/base", "lib/protocol", "server/config", "server/host/pty"],
  "server/host/events": ["lib/base", "lib/protocol", "server/host/session"],
  "server/host/api": [
    "lib/base",
    "lib/protocol",
    "server/host/events",
    "server/host/session",
    "server/host/viewer",
  ],
  "server/host/mcp": ["lib/base", "lib/protocol", "lib/client", "server/host/api"],
  "server/host": [
    "server/audit",
    "lib/base",
    "lib/protocol",
    "lib/terminal",
    "server/state",
    "server/config",
    "server/host/pty",
    "server/host/profiles",
    "server/host/secrets",
    "server/host/screen",
    "server/host/session",
    "server/host/events",
    "server/host/api",
    "server/host/mcp",
  ],
  // What the package shows: nothing inside imports it.
  "server/library": [
    "lib/base",
    "lib/protocol",
    "lib/client",
    "server/host",
    "server/host/session",
    "server/host/mcp",
  ],
  "server/web/gate": ["lib/base", "lib/protocol", "server/state"],
  // A client of the host's API like any other: it never sees the session core.
  "server/tcp": ["lib/base", "lib/protocol", "lib/client", "server/state"],
  "server/web": [
    "server/tcp",
    "lib/base",
    "lib/protocol",
    "server/state",
    "server/audit",
    "server/config",
    "server/web/gate",
  ],
  // Draws what sessions print on a terminal of its own.
  "server/cli/tui": [
    "lib/base",
    "lib/protocol",
    "lib/terminal",
    "lib/client",
    "server/cli",
    "server/host/screen",
  ],
  "server/cli": [
    "server/cli/tui",
    "server/audit",
    "lib/base",
    "lib/protocol",
    "lib/terminal",
    "lib/client",
    "server/state",
    "server/config",
    "server/web",
    "server/host",
    "server/host/api",
    "server/host/mcp",
  ],
};

/** Only these files may load the named package: one owner per library. */
const owners: Record<string, RegExp> = {
  "@xterm/headless": /^server\/host\/screen\//,
  "@lydell/node-pty": /^server\/host\/pty\//,
  "node-pty": /^server\/host\/pty\//,
  // Nobody: `zod/mini` is the same in half the bytes, and both together are more than either.
  zod: /(?!)/,
  // The stdio transport belongs to the command that has the stdin.
  "@modelcontextprotocol/server": /^server\/host\/mcp\//,
  "@modelcontextprotocol/server/stdio": /^server\/cli\/mcp\.ts$/,
  // The PTY module's masters stay inheritable in the host (docs/decisions/007): another child would get every terminal's.
  // tty-settings.ts starts its one helper before the first terminal, and never another.
  "node:child_process": /^server\/(state|cli)\/|^server\/host\/pty\/tty-settings\.ts$/,
};

function roomOf(file: string): string | undefined {
  return Object.keys(table)
    .filter((room) => file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sources(path);
    return /\.(ts|tsx)$/.test(entry.name) && !/\.(test|contract)\.tsx?$/.test(entry.name)
      ? [path]
      : [];
  });
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+)["']([^"']+)["']/g);
  return Array.from(found, (match) => match[1] ?? "");
}

/** Path of an import inside this repository, or undefined for a package. */
function resolveInside(file: string, specifier: string): string | undefined {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (specifier.startsWith("."))
    return normalize(relative(root, join(root, dirname(file), specifier)));
  return undefined;
}

const files = ["lib", "server", "components", "app"].flatMap(sources);

describe("layers", () => {
  it("every import follows an arrow of the table", () => {
    const wrong: string[] = [];
    for (const file of files) {
      const room = roomOf(file);
      if (!room) continue;
      for (const specifier of importsOf(file)) {
        const target = resolveInside(file, specifier);
        const targetRoom = target && roomOf(target);
        if (!targetRoom || targetRoom === room) continue;
        if (!table[room]?.includes(targetRoom)) wrong.push(`${file} -> ${target}`);
        else if (!specifier.startsWith("#") && targetRoom.split("/")[0] !== room.split("/")[0]) {
          wrong.push(`${file} -> ${target} (crossings use #)`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("each library with an owner is loaded by its owner only", () => {
    const wrong: string[] = [];
    for (const file of files) {
      for (const specifier of importsOf(file)) {
        const owner = owners[specifier];
        if (owner && !owner.test(file) && !/^server\/(testing|bench)\//.test(file))
          wrong.push(`${file} -> ${specifier}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it("finds the files it judges", () => {
    expect(files.length).toBeGreaterThan(20);
    expect(roomOf("server/host/pty/pty.ts")).toBe("server/host/pty");
    expect(roomOf("server/host/start.ts")).toBe("server/host");
  });
});
