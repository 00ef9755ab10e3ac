// `npm test`: sets everything up, then lint, types, unit and API tests, browser tests, and a look at what outlived them; the last
// line is the count.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";
import { endLeftovers, mark } from "./steps/leftovers.mjs";
import { ensureChromium, ensureTestPrograms } from "./steps/programs.mjs";
import { root, run, say } from "./steps/run.mjs";

await ensureInstalled();
const chromium = await ensureChromium();
await ensureTestPrograms();
await ensureBuilt();

const node = process.execPath;
const bin = (path) => join(root, "node_modules", path);
const vitestReport = join(root, ".cache/vitest.json");
const playwrightReport = join(root, ".cache/playwright.json");
// Colour codes in a log help nobody, and a developer's own settings must not reach the servers under test.
const env = {
  ...process.env,
  CHROMIUM_PATH: chromium,
  NEXT_TELEMETRY_DISABLED: "1",
  PLAYWRIGHT_JSON_OUTPUT_NAME: playwrightReport,
  ...mark,
};
for (const name of Object.keys(env)) if (/^COTTY_/.test(name)) delete env[name];

const total = { passed: 0, failed: 0, skipped: 0 };

function add(counts) {
  for (const key of Object.keys(total)) total[key] += counts[key];
}

function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** A step with tests of its own counts those; one without counts as one test. A failed step never counts as nothing. */
async function step(name, command, args, count) {
  say(`\n── ${name}`);
  const startedAt = Date.now();
  const code = await run(command, args, { env });
  const counts = count?.() ?? {
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    skipped: 0,
  };
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  add(counts);
  say(
    `── ${name}: ${code === 0 ? "ok" : `failed (exit ${code})`}, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`,
  );
}

rmSync(vitestReport, { force: true });
rmSync(playwrightReport, { force: true });

await step("lint", node, [bin("@biomejs/biome/bin/biome"), "check", "."]);
await step("types", node, [bin("typescript/bin/tsc"), "--noEmit"]);
await step(
  "unit and API tests",
  node,
  [
    bin("vitest/vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${vitestReport}`,
  ],
  () => {
    const report = read(vitestReport);
    return (
      report && {
        passed: report.numPassedTests,
        failed: report.numFailedTests,
        skipped: report.numPendingTests + report.numTodoTests,
      }
    );
  },
);
await step(
  "browser tests",
  node,
  [bin("@playwright/test/cli.js"), "test", "--reporter=list,json"],
  () => {
    const stats = read(playwrightReport)?.stats;
    return (
      stats && {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        skipped: stats.skipped,
      }
    );
  },
);

const left = await endLeftovers();
add({ passed: left === 0 ? 1 : 0, failed: left === 0 ? 0 : 1, skipped: 0 });
say(`── processes that outlived the tests: ${left}`);

if (process.env.CI && total.skipped > 0)
  say("\nA skipped test in CI is a failure: nothing may be skipped there.");
console.log(`\ntests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode =
  total.failed > 0 || total.passed === 0 || (process.env.CI && total.skipped > 0) ? 1 : 0;
