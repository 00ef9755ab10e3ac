// `npm run screenshots`: docs/screenshots, made by driving the real dashboard (e2e/screenshots.spec.ts) and the command line in a terminal
// (e2e/command-line.screenshots.spec.ts).
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";
import {
  checkTestPrograms,
  ensureChromium,
  ensureFonts,
  ensurePackages,
} from "./steps/programs.mjs";
import { run } from "./steps/run.mjs";

await Promise.all([ensureInstalled(), ensurePackages().then(ensureFonts)]);
const chromium = await ensureChromium();
checkTestPrograms();
await ensureBuilt();
process.exitCode = await run(
  process.execPath,
  ["node_modules/@playwright/test/cli.js", "test", "--config", "e2e/screenshots.config.ts"],
  {
    env: { ...process.env, CHROMIUM_PATH: chromium },
    stdio: "inherit",
  },
);
