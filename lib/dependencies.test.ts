// What is installed is what was chosen (T150): exact versions, no scripts of theirs, and none from before a hole was closed.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const { dependencies, optionalDependencies, devDependencies } = read("package.json");
const direct: Record<string, string> = {
  ...dependencies,
  ...optionalDependencies,
  ...devDependencies,
};

/** The first version without a known hole of each (SECURITY.md). */
const floors = { ws: "8.23.0", next: "16.3.8", "@lydell/node-pty": "1.2.0-beta.15" };

/** Numbers in order; enough for versions of one line. */
const parts = (version: string) => version.split(/[.-]/).map((part) => Number(part) || 0);
function isAtLeast(version: string, floor: string): boolean {
  const [a, b] = [parts(version), parts(floor)];
  const at = b.findIndex((part, i) => part !== (a[i] ?? 0));
  return at < 0 || (a[at] ?? 0) > (b[at] as number);
}

describe("[T150] dependencies", () => {
  it("are named with their exact version; only types may move", () => {
    const loose = Object.entries(direct).filter(([, version]) => !/^\d[\w.-]*$/.test(version));
    expect(loose.map(([name]) => name).filter((name) => !name.startsWith("@types/"))).toEqual([]);
  });

  it("are locked in the same versions, each with its checksum", () => {
    const { packages } = read("package-lock.json") as {
      packages: Record<string, { version: string; integrity?: string; inBundle?: true }>;
    };
    for (const [name, version] of Object.entries(direct)) {
      if (name.startsWith("@types/")) continue;
      expect(packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
    // What comes inside of another package has that one's.
    const unchecked = Object.entries(packages).filter(
      ([path, { integrity, inBundle }]) => path !== "" && !inBundle && !integrity,
    );
    expect(unchecked.map(([path]) => path)).toEqual([]);
  });

  it("run no scripts when they are installed", () => {
    expect(readFileSync(join(root, ".npmrc"), "utf8")).toMatch(/^ignore-scripts=true$/m);
  });

  it.each(Object.entries(floors))("%s is not older than %s", (name, floor) => {
    const { version } = read(`node_modules/${name}/package.json`);
    expect(isAtLeast(version, floor), version).toBe(true);
    expect(isAtLeast("8.22.9", "8.23.0")).toBe(false);
  });
});
