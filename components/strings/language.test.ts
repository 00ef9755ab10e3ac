import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import type { Settings } from "#lib/store/settings.ts";
import { languageFor } from "./language.ts";

type Case = readonly [choice: Settings["language"], wanted: readonly string[], spoken: string];

const cases: readonly Case[] = [
  ["system", ["zh-CN", "en"], "zh-CN"],
  ["system", ["zh"], "zh-CN"],
  ["system", ["zh-Hans-SG"], "zh-CN"],
  ["system", ["zh-TW", "zh"], "zh-CN"],
  ["system", ["zh-Hant-HK", "en-US"], "zh-CN"],
  ["system", ["en-US", "zh-TW"], "en"],
  ["system", ["de-DE", "zh-CN", "en"], "zh-CN"],
  ["system", ["de-DE", "fr"], "en"],
  // No Chinese, though it begins like it.
  ["system", ["zha", "fr"], "en"],
  ["system", [], "en"],
  ["en", ["zh-CN"], "en"],
  ["zh-CN", ["en-US"], "zh-CN"],
];

it("the page speaks what was chosen, else the first language of the browser that it has", () => {
  for (const [choice, wanted, spoken] of cases)
    expect(languageFor(choice, wanted), `${choice} ${wanted}`).toBe(spoken);
});

it("theme.js says the same before the first paint, whatever is saved", () => {
  const source = readFileSync("public/theme.js", "utf8");
  const langOf = (saved: string | null, languages: readonly string[]) => {
    const documentElement = { dataset: {}, lang: "en" };
    runInNewContext(source, {
      document: { documentElement },
      localStorage: { getItem: () => saved },
      matchMedia: () => ({ matches: false }),
      navigator: { languages },
    });
    return documentElement.lang;
  };
  for (const [language, wanted, spoken] of cases)
    expect(langOf(JSON.stringify({ language }), wanted), `${language} ${wanted}`).toBe(spoken);
  for (const saved of [null, "{", "null", "7", '{"language":7}'])
    expect(langOf(saved, ["zh-CN"]), `${saved}`).toBe("zh-CN");
});
