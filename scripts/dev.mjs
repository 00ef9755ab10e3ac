// `npm run dev`: the server from source with Next's development pages inside it; restart it by hand after server changes.
import { ensureInstalled } from "./steps/install.mjs";
import { run } from "./steps/run.mjs";

await ensureInstalled();
const env = { ...process.env, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" };
// The terminal sends Ctrl-C to the whole group: this process only waits for the server to finish.
process.on("SIGINT", () => {});
process.exitCode = await run(
  process.execPath,
  ["--import", "tsx", "server/main.ts", "start", "--dev", ...process.argv.slice(2)],
  { env, stdio: "inherit" },
);
