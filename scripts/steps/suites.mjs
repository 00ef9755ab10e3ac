// The two test runners, each with its second try. Most of our tests run real programs on a real clock; when one fails because the
// processors were busy elsewhere, that says nothing of the product. So a file in which something fails is run once more, alone, and
// what passes only then is named (docs/decisions/017-a-second-try.md). Failures all over are no chance: they are not tried again.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { root, run, say } from "./run.mjs";

/** Files with failures, at most, for which chance may be the reason. */
const mostByChance = 10;

const bin = (path) => join(root, "node_modules", path);

// A runner's `read` turns its report into a list of `{file, passed, skipped, failures}`, `failures` being titles.

const vitest = {
  report: join(root, ".cache/vitest.json"),
  command: (report) => [
    bin("vitest/vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
  ],
  alone: ["--maxWorkers=1"],
  read: ({ testResults }) =>
    testResults.map(({ name, status, message, assertionResults }) => {
      const of = (...wanted) => assertionResults.filter((test) => wanted.includes(test.status));
      const failures = of("failed").map(({ fullName }) => fullName);
      // A file can fail by itself: an import, a hook, an error that nobody caught.
      if (failures.length === 0 && status === "failed") failures.push(message.split("\n", 1)[0]);
      const passed = of("passed").length;
      return {
        file: relative(root, name),
        passed,
        skipped: assertionResults.length - passed - of("failed").length,
        failures,
      };
    }),
};

const playwright = {
  report: join(root, ".cache/playwright.json"),
  command: () => [bin("@playwright/test/cli.js"), "test", "--reporter=list,json"],
  alone: ["--workers=1"],
  read({ suites, errors }) {
    const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)];
    const files = suites.map((suite) => {
      const specs = specsOf(suite);
      const skipped = specs.filter(({ tests }) =>
        tests.every(({ status }) => status === "skipped"),
      );
      const failed = specs.filter(({ ok }) => !ok);
      return {
        file: suite.file,
        passed: specs.length - skipped.length - failed.length,
        skipped: skipped.length,
        failures: failed.map(({ title }) => title),
      };
    });
    const elsewhere = errors.map(({ message = "" }) => message.split("\n", 1)[0]);
    return [...files, { file: "", passed: 0, skipped: 0, failures: elsewhere }];
  },
};

async function once(runner, env, files = []) {
  rmSync(runner.report, { force: true });
  const args = [
    ...runner.command(runner.report),
    ...(files.length > 0 ? runner.alone : []),
    ...files,
  ];
  const code = await run(process.execPath, args, {
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: runner.report },
  });
  const results = existsSync(runner.report)
    ? runner.read(JSON.parse(readFileSync(runner.report, "utf8")))
    : [];
  // Green by its report, and yet not: no report, or an error outside of any test.
  if (code !== 0 && results.every(({ failures }) => failures.length === 0))
    results.push({ file: "", passed: 0, skipped: 0, failures: [`ended with ${code}`] });
  return results;
}

const failuresOf = (results) =>
  results.flatMap(({ file, failures }) => failures.map((title) => `${file}: ${title}`));

function sum(results, second) {
  const total = { passed: 0, failed: 0, skipped: 0, second };
  for (const { passed, skipped, failures } of results) {
    total.passed += passed;
    total.skipped += skipped;
    total.failed += failures.length;
  }
  return total;
}

/** Answers `{passed, failed, skipped, second}`; `second`: what passed at the second try only, as "file: title". */
export async function withSecondTry(runner, env) {
  const first = await once(runner, env);
  const failures = failuresOf(first);
  const files = first.filter((result) => result.failures.length > 0).map(({ file }) => file);
  if (files.length === 0 || files.length > mostByChance || files.includes(""))
    return sum(first, []);
  say(`\n── once more, alone:\n${failures.join("\n")}\n`);
  const again = await once(runner, env, files);
  // A file of which the second run says nothing keeps what the first one said.
  const told = new Set(again.map(({ file }) => file));
  const results = [...first.filter(({ file }) => !told.has(file)), ...again];
  const stillFailing = failuresOf(results);
  return sum(
    results,
    failures.filter((failure) => !stillFailing.includes(failure)),
  );
}

export const unitTests = (env) => withSecondTry(vitest, env);
export const browserTests = (env) => withSecondTry(playwright, env);
