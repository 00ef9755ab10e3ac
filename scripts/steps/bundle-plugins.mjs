// How esbuild is told what belongs together in dist/: parts of libraries that nobody here uses stay out, and what a command loads later comes in few files
// (docs/measurements.md, "What starting costs"). Where a library's text is matched, e2e/api/start-up.test.ts fails when it does not match any more.
import { readFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { root } from "./run.mjs";

/**
 * What libraries name and we have no use for: Ink's tools for its own developers, which are not installed, what Commander starts
 * subcommands with that are programs, `fetch` for Ink's layout.
 */
export const withoutUnused = {
  name: "without-unused",
  setup(build) {
    const nothing = ({ path }) => ({ path, namespace: "nothing" });
    build.onResolve({ filter: /^react-devtools-core$/ }, nothing);
    build.onResolve({ filter: /^node:child_process$/ }, (asked) =>
      /node_modules\/commander\//.test(asked.importer) ? nothing(asked) : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({
      contents: "export default {}",
    }));
    // It would fetch the address that it carries its own bytes in; without `fetch`, which takes longer to load than all of it, it decodes them.
    build.onLoad({ filter: /yoga-layout\/dist\/binaries\/.*\.js$/ }, async ({ path }) => ({
      contents: `const fetch = undefined;${await readFile(path, "utf8")}`,
    }));
  },
};

/**
 * zod's index files name what makes JSON Schemas, a third of it: whoever loads a schema would load that too. `zod/mini` goes without
 * it here; who describes schemas imports "zod/v4/core".
 */
export const jsonSchemaApart = {
  name: "json-schema-apart",
  setup(build) {
    const lean = async (path) => ({
      contents: (await readFile(path, "utf8")).replace(/^export .*json-schema.*$/gm, ""),
      resolveDir: dirname(path),
    });
    build.onResolve({ filter: /core\/index\.js$/ }, ({ path, resolveDir }) =>
      /zod\/v4\/mini$/.test(resolveDir)
        ? { path: join(resolveDir, path), namespace: "lean", sideEffects: false }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: "lean" }, ({ path }) => lean(path));
    build.onLoad({ filter: /zod\/v4\/mini\/external\.js$/ }, ({ path }) => lean(path));
  },
};

/**
 * A module that several parts share goes into a file with those that exactly the same parts share: with thirty parts that are loaded
 * one by one there would be thirty small files to a command, a millisecond each. What the command line loads later begins here with
 * what is loaded by then, so that this stays together.
 */
export const laterOnOneBase = {
  name: "later-on-one-base",
  setup(build) {
    build.onResolve({ filter: /^[#.]/ }, async ({ path, kind, importer, resolveDir }) => {
      const isOurs = /^server\/(?:cli\/|main\.ts$)/.test(relative(root, importer));
      // The host loads its parts too, and needs nothing of the command line.
      if (kind !== "dynamic-import" || !isOurs || path.startsWith("#server/host/"))
        return undefined;
      const found = await build.resolve(path, { kind: "import-statement", importer, resolveDir });
      return { path: relative(root, found.path), namespace: "later" };
    });
    build.onLoad({ filter: /.*/, namespace: "later" }, ({ path }) => ({
      contents: `import "./server/cli/base.ts"; export * from "./${path}";`,
      resolveDir: root,
    }));
  },
};
