// A program of ours as one file of JavaScript, for tests that start many processes of it: through tsx each costs a second of
// processor time more. Always of the source as it is now, unlike dist/.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(import.meta.dirname, "../..");

export interface BundledProgram {
  /** To be given to node. */
  readonly path: string;
  dispose(): void;
}

/** `source`: a file of this checkout by its path in it, or a script whose imports count from the checkout's folder. */
export async function bundledProgram(source: string | { script: string }): Promise<BundledProgram> {
  const parent = join(root, ".cache");
  mkdirSync(parent, { recursive: true });
  // Inside the checkout, so that packages that are not copied in are found.
  const folder = mkdtempSync(join(parent, "program-"));
  const path = join(folder, "program.mjs");
  const from =
    typeof source === "string"
      ? { entryPoints: [source] }
      : { stdin: { contents: source.script, resolveDir: root, loader: "ts" as const } };
  await build({
    absWorkingDir: root,
    ...from,
    outfile: path,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.9",
    external: [
      // Which no program here opens.
      "#server/cli/tui/main.tsx",
      "@lydell/node-pty",
      "@modelcontextprotocol/*",
      "@xterm/*",
      "next",
      "node-pty",
      "pino",
    ],
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    logLevel: "warning",
  });
  return { path, dispose: () => rmSync(folder, { recursive: true, force: true }) };
}
