// `npm run bench [-- NAME …] [--write]`: measures, prints, compares with baseline.json; `--write` stores a new baseline.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { api } from "./api.ts";
import { attach } from "./attach.ts";
import { commands } from "./commands.ts";
import { type Baseline, type Figure, isWithinBaseline, meetsAim } from "./figure.ts";
import { keystroke } from "./keystroke.ts";
import { memory } from "./memory.ts";
import { startUp } from "./start-up.ts";
import { throughput } from "./throughput.ts";

const benches: Record<string, () => Promise<Figure[]>> = {
  throughput,
  keystroke,
  attach,
  memory,
  api,
  commands,
  "start-up": startUp,
};
const baselinePath = join(import.meta.dirname, "baseline.json");

const wanted = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`no bench ${unknown.join(", ")}; there are ${Object.keys(benches).join(", ")}`);
  process.exit(2);
}

const baseline = JSON.parse(readFileSync(baselinePath, "utf8")) as Baseline;
const figures: Figure[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  for (const figure of await bench()) {
    figures.push(figure);
    console.log(`  ${line(figure)}`);
    if (figure.note) console.log(`      ${figure.note}`);
  }
}

function line(figure: Figure): string {
  const aim = figure.aim
    ? "max" in figure.aim
      ? `aim <= ${figure.aim.max}`
      : `aim >= ${figure.aim.min}`
    : "";
  const met = meetsAim(figure);
  const kept = isWithinBaseline(figure, baseline);
  const marks = [
    aim && `${aim}: ${met ? "met" : "missed"}`,
    kept === false && "WORSE THAN BASELINE",
  ]
    .filter(Boolean)
    .join(", ");
  return `${figure.name.padEnd(24)} ${figure.value.toFixed(2).padStart(9)} ${figure.unit.padEnd(11)} ${marks}`;
}

if (process.argv.includes("--write")) {
  const next: Baseline = { ...baseline };
  for (const figure of figures)
    next[figure.name] = {
      value: Number(figure.value.toFixed(3)),
      tolerance: baseline[figure.name]?.tolerance ?? 2,
    };
  writeFileSync(baselinePath, `${JSON.stringify(next, null, 2)}\n`);
  console.log("\nbaseline written");
} else if (figures.some((figure) => isWithinBaseline(figure, baseline) === false)) {
  console.log("\nsome figures are worse than the baseline allows");
  process.exitCode = 1;
}
