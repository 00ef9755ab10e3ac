// `npm test`: sets everything up, then lint, types, unit and API tests, browser tests, and a look at what outlived them; the last
// line is the count.
import { join } from "node:path";
import { ensureBuilt } from "./steps/build.mjs";
import { checkNode, ensureInstalled } from "./steps/install.mjs";
import { endLeftovers, mark } from "./steps/leftovers.mjs";
import { checkTestPrograms, ensureChromium, ensurePackages } from "./steps/programs.mjs";
import { root, run, say } from "./steps/run.mjs";
import { browserTests, unitTests } from "./steps/suites.mjs";

checkNode();
// Both wait for a network most of the time.
await Promise.all([ensureInstalled(), ensurePackages()]);
checkTestPrograms();
const chromium = await ensureChromium();
await ensureBuilt();

// Colour codes in a log help nobody, and a developer's own settings must not reach the servers under test.
const env = {
  ...process.env,
  CHROMIUM_PATH: chromium,
  NEXT_TELEMETRY_DISABLED: "1",
  ...mark,
};
for (const name of Object.keys(env)) if (/^COTTY_/.test(name)) delete env[name];

const total = { passed: 0, failed: 0, skipped: 0 };
const second = [];

async function step(name, work) {
  say(`\n── ${name}`);
  const startedAt = Date.now();
  const counts = await work();
  for (const key of Object.keys(total)) total[key] += counts[key];
  second.push(...(counts.second ?? []));
  say(
    `── ${name}: ${counts.failed === 0 ? "ok" : `${counts.failed} failed`}, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}

/** Counts as one test. */
const tool = async (path, ...args) => {
  const code = await run(process.execPath, [join(root, "node_modules", path), ...args], { env });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
};

await step("lint", () => tool("@biomejs/biome/bin/biome", "check", "."));
await step("types", () => tool("typescript/bin/tsc", "--noEmit"));
await step("unit and API tests", () => unitTests(env));
await step("browser tests", () => browserTests(env));

const left = await endLeftovers();
await step("processes that outlived the tests", () => ({
  passed: left === 0 ? 1 : 0,
  failed: left,
  skipped: 0,
}));

if (second.length > 0)
  say(`\nPassed at the second try only, alone:\n${second.map((title) => `  ${title}`).join("\n")}`);
if (process.env.CI && total.skipped > 0)
  say("\nA skipped test in CI is a failure: nothing may be skipped there.");
console.log(`\ntests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode =
  total.failed > 0 || total.passed === 0 || (process.env.CI && total.skipped > 0) ? 1 : 0;
