// dist/ (server and CLI, esbuild) and out/ (dashboard, Next's static export): each built only when its inputs changed.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { jsonSchemaApart, laterOnOneBase, withoutUnused } from "./bundle-plugins.mjs";
import { makeModulesEager } from "./eager-modules.mjs";
import { fingerprint } from "./fingerprint.mjs";
import { withLock } from "./lock.mjs";
import { root, run, say } from "./run.mjs";

const common = [
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "scripts/steps/build.mjs",
  "scripts/steps/bundle-plugins.mjs",
];

/** What earlier builds left: parts are named after their content. */
function removeOthers(outputs) {
  const kept = new Set(Object.keys(outputs).map((path) => join(root, path)));
  for (const name of readdirSync(join(root, "dist"))) {
    const path = join(root, "dist", name);
    if (/\.js(?:\.map)?$/.test(name) && !kept.has(path)) rmSync(path);
  }
}

const parts = {
  server: {
    inputs: [...common, "lib", "server"],
    result: "dist/cotty.js",
    async build() {
      const { build } = await import("esbuild");
      const { metafile } = await build({
        absWorkingDir: root,
        entryPoints: {
          cotty: "server/main.ts",
          host: "server/host/main.ts",
          tui: "server/cli/tui/main.tsx",
          client: "server/library/client.ts",
          library: "server/library/host.ts",
        },
        jsx: "automatic",
        plugins: [withoutUnused, jsonSchemaApart, laterOnOneBase],
        outdir: "dist",
        bundle: true,
        // What is shared is there once, and what a command imports when it runs is loaded by no other: each takes half the time.
        splitting: true,
        chunkNames: "[name]-[hash]",
        metafile: true,
        format: "esm",
        platform: "node",
        target: "node20.9",
        // Small packages of many files are copied in: a start, and each command, takes a third less time. What is native, loaded
        // only sometimes, or one file anyway stays in node_modules.
        external: [
          "@lydell/node-pty",
          "@modelcontextprotocol/*",
          "@xterm/*",
          "next",
          "node-pty",
          "pino",
        ],
        // React's production half; its development half is twice as large and slower.
        define: { "process.env.NODE_ENV": '"production"' },
        // For the CommonJS among them.
        banner: {
          js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
        },
        // A third less to install and to read at each start; names stay, and so does what a stack trace says.
        minifyWhitespace: true,
        minifySyntax: true,
        sourcemap: true,
        logLevel: "warning",
      });
      removeOthers(metafile.outputs);
      // Shells read these as files: beside the bundle as they are beside the source (server/host/pty/shell-hooks.ts).
      cpSync(join(root, "server/host/pty/shell-scripts"), join(root, "dist/shell-scripts"), {
        recursive: true,
      });
      return true;
    },
  },
  dashboard: {
    inputs: [
      ...common,
      "lib",
      "components",
      "app",
      "public",
      "next.config.ts",
      "instrumentation-client.ts",
      "postcss.config.mjs",
      "scripts/steps/eager-modules.mjs",
    ],
    result: "out/index.html",
    async build() {
      const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
      // A first line that the person need not wait for a minute in silence; Next's own output only if it fails.
      const next = join(root, "node_modules/next/dist/bin/next");
      if ((await run(process.execPath, [next, "build"], { env })) !== 0) return false;
      makeModulesEager(join(root, "out/_next/static/chunks"));
      return true;
    },
  },
};

const stampFile = (name) => join(root, ".cache", `built-${name}`);

function isFresh(name) {
  const { inputs, result } = parts[name];
  if (!existsSync(join(root, result)) || !existsSync(stampFile(name))) return false;
  return readFileSync(stampFile(name), "utf8") === fingerprint(root, inputs);
}

/** Builds what is stale of `names` (default: everything). Ends this process when a build fails. */
export async function ensureBuilt(names = Object.keys(parts)) {
  if (names.every(isFresh)) return;
  await withLock("build", async () => {
    mkdirSync(join(root, ".cache"), { recursive: true });
    for (const name of names) {
      if (isFresh(name)) continue;
      say(`cotty: building the ${name} …`);
      const startedAt = Date.now();
      const before = fingerprint(root, parts[name].inputs);
      rmSync(stampFile(name), { force: true });
      let ok = false;
      try {
        ok = await parts[name].build();
      } catch (error) {
        say(error instanceof Error ? error.message : String(error));
      }
      if (!ok) {
        say(`cotty: building the ${name} failed (see above).`);
        process.exit(1);
      }
      writeFileSync(`${stampFile(name)}.new`, before);
      renameSync(`${stampFile(name)}.new`, stampFile(name));
      say(`cotty: built the ${name} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    }
  });
}
