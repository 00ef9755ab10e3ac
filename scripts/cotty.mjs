// `npm run --silent cotty -- VERB …`: the CLI from a checkout. Installs and builds what it needs first; stdout stays the command's.
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";

await ensureInstalled();
await ensureBuilt(
  process.argv[2] === undefined || process.argv[2] === "start" ? undefined : ["server"],
);
await import("../dist/cotty.js");
