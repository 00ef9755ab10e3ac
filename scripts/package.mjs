// `npm run package [FOLDER]`: a tarball that installs without scripts, with the dashboard, the CLI and the library's types in it. Not a lifecycle
// script of npm: those are off here (.npmrc), and whoever packs should see what is built.
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";
import { run } from "./steps/run.mjs";
import { ensureTypes } from "./steps/types.mjs";

await ensureInstalled();
await ensureBuilt();
await ensureTypes();
const folder = resolve(process.argv[2] ?? ".cache/package");
mkdirSync(folder, { recursive: true });
const npm = process.platform === "win32" ? "npm.cmd" : "npm";
process.exitCode = await run(npm, ["pack", "--ignore-scripts", "--pack-destination", folder], {
  stdio: ["ignore", 1, 2],
});
