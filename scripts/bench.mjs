// `npm run bench [-- NAME …]`: the benches of server/bench, one process each, compared with server/bench/baseline.json.
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";
import { run } from "./steps/run.mjs";

await ensureInstalled();
await ensureBuilt(["server"]);
process.exitCode = await run(
  process.execPath,
  ["--expose-gc", "--import", "tsx", "server/bench/main.ts", ...process.argv.slice(2)],
  { stdio: "inherit" },
);
