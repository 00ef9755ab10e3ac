// Whether something made from files is stale: a hash of the files' names and contents.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const ignored = new Set(["node_modules", ".next", "out", "dist", ".cache", ".git", "test-results"]);

function walk(root, path, into) {
  const full = join(root, path);
  if (!existsSync(full)) return;
  if (statSync(full).isDirectory()) {
    for (const name of readdirSync(full).sort())
      if (!ignored.has(name)) walk(root, `${path}/${name}`, into);
  } else if (!/\.(test|contract)\.tsx?$/.test(path)) into.push(path);
}

/** Hex SHA-256 over `paths` (files or folders below `root`, tests left out) and `extra`. */
export function fingerprint(root, paths, extra = "") {
  const files = [];
  for (const path of paths) walk(root, path, files);
  const hash = createHash("sha256").update(extra);
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file}\n${content.length}\n`).update(content);
  }
  return hash.digest("hex");
}
