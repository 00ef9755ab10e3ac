// Puts the parentheses back that the minifier takes from around the modules in the dashboard's scripts. They tell a browser that a function
// is about to be run: it is then compiled with its script, on another thread. Without them its text is gone through twice, first to find
// its end and then again, on the page's thread, when it is run: a quarter of what opening the page cost there (docs/measurements.md).
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";

/** How Turbopack begins a script of modules: a list of ids and functions, which its runtime takes. */
const opening = "(globalThis.TURBOPACK||";

/**
 * The functions of a script, as they stand in it; none where it holds no modules. The engine itself is the parser: running such a script
 * only makes the list.
 *
 * @param {string} script
 * @returns {{ start: number, end: number }[]}
 */
export function modulesOf(script) {
  if (!script.startsWith(opening)) return [];
  const pushed = [];
  runInContext(script, createContext({ TURBOPACK: pushed }));
  let end = 0;
  return pushed
    .flat()
    .filter((entry) => typeof entry === "function")
    .map((module) => {
      const text = module.toString();
      const start = script.indexOf(text, end);
      // Between two modules there is nothing but ids: anything else is a script that was read wrongly.
      if (start < 0 || (end > 0 && !/^\)?(?:,[\w"-]+)*,\(?$/.test(script.slice(end, start))))
        throw new Error(`a module is not where it should be in a script (after ${end})`);
      end = start + text.length;
      return { start, end };
    });
}

/**
 * The script with each module in parentheses; one that has them stays as it is.
 *
 * @param {string} script
 * @returns {string}
 */
export function withEagerModules(script) {
  let at = 0;
  const parts = modulesOf(script).flatMap(({ start, end }) => {
    if (script[start - 1] === "(") return [];
    const part = `${script.slice(at, start)}(${script.slice(start, end)})`;
    at = end;
    return part;
  });
  return `${parts.join("")}${script.slice(at)}`;
}

/** All scripts in a folder of chunks. Their names, hashes of what Turbopack wrote, stay: what they name does the same. */
export function makeModulesEager(folder) {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(".js")) continue;
    const path = join(folder, name);
    const script = readFileSync(path, "utf8");
    const eager = withEagerModules(script);
    if (eager !== script) writeFileSync(path, eager);
  }
}
