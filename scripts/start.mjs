// `npm start`: installs what is missing, builds what is stale, then is `cotty start` with the same arguments.
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";

await ensureInstalled();
await ensureBuilt();
// In this process, so that Ctrl-C and signals reach the server once and its exit code is ours.
process.argv.splice(2, 0, "start");
await import("../dist/cotty.js");
