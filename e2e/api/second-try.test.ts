// `npm test` itself: what it does with a failure (docs/decisions/017-a-second-try.md). The runner is a stand-in, in a process of its own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { withSecondTry } from "../../scripts/steps/suites.mjs";

interface Result {
  file: string;
  passed: number;
  skipped: number;
  failures: string[];
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cotty-second-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Each run writes the next of `reports` (null: none), and ends with 1 where something failed in it. */
function runner(...reports: (Result[] | null)[]) {
  const left = join(folder, "reports.json");
  const asked = join(folder, "asked.txt");
  writeFileSync(left, JSON.stringify(reports));
  writeFileSync(asked, "");
  const program = `
    const fs = require("node:fs");
    const [left, asked, report, ...args] = process.argv.slice(1);
    fs.appendFileSync(asked, args.join(" ") + "\\n");
    const [now, ...later] = JSON.parse(fs.readFileSync(left));
    fs.writeFileSync(left, JSON.stringify(later));
    if (now) fs.writeFileSync(report, JSON.stringify(now));
    process.exitCode = !now || now.some(({ failures }) => failures.length > 0) ? 1 : 0;`;
  return {
    report: join(folder, "report.json"),
    command: (report: string) => ["-e", program, left, asked, report],
    alone: ["--alone"],
    read: (report: Result[]) => report,
    asked: () => readFileSync(asked, "utf8").split("\n").slice(0, -1),
  };
}

const good = (file: string, passed: number) => ({ file, passed, skipped: 0, failures: [] });

it("counts once what passes at once", async () => {
  const once = runner([good("a", 3), good("b", 2)]);
  expect(await withSecondTry(once, process.env)).toEqual({
    passed: 5,
    failed: 0,
    skipped: 0,
    second: [],
  });
  expect(once.asked()).toEqual([""]);
});

it("runs a file with a failure once more, alone, and names what passed only then", async () => {
  const twice = runner(
    [good("a", 3), { file: "b", passed: 1, skipped: 1, failures: ["late", "later"] }],
    [{ file: "b", passed: 3, skipped: 0, failures: ["later"] }],
  );
  expect(await withSecondTry(twice, process.env)).toEqual({
    passed: 6,
    failed: 1,
    skipped: 0,
    second: ["b: late"],
  });
  expect(twice.asked()).toEqual(["", "--alone b"]);
});

it("does not try again what fails all over, nor what no file can be blamed for", async () => {
  const many = Array.from({ length: 11 }, (_, at) => ({ ...good(`f${at}`, 1), failures: ["x"] }));
  const everywhere = runner(many);
  expect(await withSecondTry(everywhere, process.env)).toMatchObject({ passed: 11, failed: 11 });
  expect(everywhere.asked()).toEqual([""]);
  const nothing = runner(null);
  expect(await withSecondTry(nothing, process.env)).toMatchObject({ passed: 0, failed: 1 });
});

it("a second run that ends without a report leaves the failure standing", async () => {
  const lost = runner([{ file: "b", passed: 1, skipped: 0, failures: ["late"] }], null);
  expect(await withSecondTry(lost, process.env)).toMatchObject({
    passed: 1,
    failed: 2,
    second: [],
  });
});
