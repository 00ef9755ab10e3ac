// How much the dashboard makes a browser load at first. `npm test` builds it, as does `npm run build`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { modulesOf } from "../../scripts/steps/eager-modules.mjs";
import { scriptsOf } from "../fixtures/page-weight.ts";

const folder = join(import.meta.dirname, "../../out");

describe("the dashboard", () => {
  it.each(["index.html", "s/index.html", "welcome/index.html"])(
    "[UI 16] %s loads at most 230 KB of scripts, gzipped, before the terminal",
    (page) => {
      const scripts = scriptsOf(folder, page);
      // Next's runtime, React and pages of our own: fewer are a page that was read wrongly.
      expect(scripts.length).toBeGreaterThan(5);
      const bytes = scripts.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
      expect(bytes, JSON.stringify(scripts, null, 2)).toBeLessThanOrEqual(230_000);
    },
  );

  it.each(["index.html", "s/index.html"])(
    "[UI 16] %s has its modules compiled with their scripts, not on the page's thread when they are run",
    (page) => {
      const modules = scriptsOf(folder, page).flatMap(({ path }) => {
        const script = readFileSync(join(folder, path), "utf8");
        return modulesOf(script).map(({ start, end }) => script.slice(start - 1, end + 1));
      });
      expect(modules.length).toBeGreaterThan(100);
      const bare = modules.filter((module) => !/^\(.*\)$/s.test(module));
      expect(bare.map((module) => module.slice(0, 60))).toEqual([]);
    },
  );
});
