// dist/types: declarations of the two entries that the package shows, and of what these name. Made for the package only; a checkout has the source.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { root, run, say } from "./run.mjs";

const folder = join(root, "dist/types");

const names = /(from\s+|import\s*\(\s*|import\s+)"(#(?:lib|server)\/[^"]+|\.{1,2}\/[^"]+)"/g;

/** The declaration that `name` means in `path`. */
function declarationOf(path, name) {
  const source = name.startsWith("#") ? join(folder, name.slice(1)) : join(dirname(path), name);
  return source.replace(/\.tsx?$/, ".d.ts");
}

/** A consumer's compiler knows neither our `#` names nor files that end in .ts: both become names of the declarations beside. */
function resolvable(path, text) {
  return text.replace(names, (_all, before, name) => {
    const target = relative(dirname(path), declarationOf(path, name)).split(sep).join("/");
    const plain = target.replace(/\.d\.ts$/, ".js");
    return `${before}"${plain.startsWith(".") ? plain : `./${plain}`}"`;
  });
}

export async function ensureTypes() {
  rmSync(folder, { recursive: true, force: true });
  const code = await run(process.execPath, [
    join(root, "node_modules/typescript/bin/tsc"),
    "-p",
    "tsconfig.library.json",
  ]);
  if (code !== 0) {
    say("cotty: making the library's types failed (see above).");
    process.exit(1);
  }
  // What the entries do not lead to is nobody's business, and would want types of packages that are not installed.
  const reached = new Set();
  const next = ["client", "host"].map((name) => join(folder, "server/library", `${name}.d.ts`));
  for (let path = next.pop(); path; path = next.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    const text = readFileSync(path, "utf8");
    for (const [, , name] of text.matchAll(names)) next.push(declarationOf(path, name));
    writeFileSync(path, resolvable(path, text));
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = join(folder, name);
    if (name.endsWith(".d.ts") && !reached.has(path)) rmSync(path);
  }
}
