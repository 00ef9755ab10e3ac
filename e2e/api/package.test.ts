// The package as a stranger gets it: packed, installed into an empty folder without scripts, started as npx starts it, compiled against. The
// packages it needs come from npm's cache where they are there, else from the registry.
import { execFile, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "./caller.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "cotty-package-"));
const consumer = join(folder, "consumer");
const installed = join(consumer, "node_modules/cotty");
let packed: string[] = [];
let tarball = "";

function cleanEnv(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, ...extra };
  for (const name of Object.keys(env))
    if (/^COTTY_|^npm_/i.test(name) && !(name in extra)) delete env[name];
  return env;
}

/** Sum of the sizes of all files below `path`. */
function bytesBelow(path: string): number {
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(path, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

beforeAll(async () => {
  await run(
    process.execPath,
    ["-e", "import('./scripts/steps/types.mjs').then((step) => step.ensureTypes())"],
    { cwd: root },
  );
  const { stdout } = await run(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", folder],
    { cwd: root, env: cleanEnv(), maxBuffer: 16 * 1024 * 1024 },
  );
  const [report] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  packed = report?.files.map(({ path }) => path) ?? [];
  tarball = join(folder, report?.filename ?? "");
  mkdirSync(consumer);
  writeFileSync(
    join(consumer, "package.json"),
    '{ "name": "consumer", "private": true, "type": "module" }',
  );
  await run(
    "npm",
    ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball],
    { cwd: consumer, env: cleanEnv() },
  );
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the package", () => {
  it("holds what runs and what is promised, and nothing of the workshop", () => {
    for (const path of [
      "README.md",
      "LICENSE",
      "package.json",
      "dist/cotty.js",
      "dist/host.js",
      "dist/tui.js",
      "dist/client.js",
      "dist/library.js",
      "dist/shell-scripts/cotty.bash",
      "dist/types/server/library/host.d.ts",
    ])
      expect(packed, path).toContain(path);
    // The dashboard, without which nothing below is measured as a stranger gets it; `npm test` builds it, as does `npm run build`.
    for (const path of ["out/index.html", "out/welcome/index.html"])
      expect(packed, `${path} is missing: run npm run build`).toContain(path);
    expect(packed.filter((path) => /^out\/_next\/static\/.*\.js$/.test(path))).not.toEqual([]);
    expect(
      packed.filter((path) =>
        /\.map$|\.test\.|^(?:server|lib|e2e|scripts|components|app|docs)\//.test(path),
      ),
    ).toEqual([]);
  });

  it("its own program is under 2 MB: what is shared is there once, and of zod only what is used", () => {
    const own = readdirSync(join(installed, "dist")).filter((name) => name.endsWith(".js"));
    const bytes = own.map((name) => statSync(join(installed, "dist", name)).size);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(2 * 1024 * 1024);
  });

  it("installs in under 35 MB, without a script of anybody's", () => {
    const modules = join(consumer, "node_modules");
    expect(bytesBelow(modules) / 1024 / 1024).toBeLessThan(35);
    const withScripts = readdirSync(modules, { recursive: true, encoding: "utf8" })
      .filter((name) => /(?:^|\/)(?:@[^/]+\/)?[^/@]+\/package\.json$/.test(name))
      .filter((name) => {
        const { scripts = {} } = JSON.parse(readFileSync(join(modules, name), "utf8"));
        return "preinstall" in scripts || "install" in scripts || "postinstall" in scripts;
      });
    expect(withScripts).toEqual([]);
  });

  it("its bin starts dashboard and host, as npx would, and a terminal runs in it", async () => {
    const state = join(folder, "state");
    const bin = join(consumer, "node_modules/.bin/cotty");
    const web = spawn(bin, ["--no-open", "--port", "0", "--state-dir", state], {
      cwd: consumer,
      env: cleanEnv({ SHELL: "/bin/sh" }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    try {
      let said = "";
      for (const stream of [web.stdout, web.stderr])
        stream.on("data", (chunk) => {
          said += chunk;
        });
      await until("the link", () => /#code=/.test(said), 30_000);
      const url = /ready at (http:\/\/[\d.]+:\d+)/.exec(said)?.[1] ?? "";
      const page = await fetch(url);
      expect(page.status).toBe(200);
      const html = await page.text();
      expect(html).toContain("<title>");
      // What the page is made of is there too.
      const scripts = [...html.matchAll(/<script[^>]* src="(\/_next\/[^"]+\.js)"/g)];
      expect(scripts).not.toEqual([]);
      for (const [, path = ""] of scripts) {
        const reply = await fetch(url + path);
        expect([path, reply.status]).toEqual([path, 200]);
        expect((await reply.arrayBuffer()).byteLength).toBeGreaterThan(0);
      }
      const cli = async (...args: string[]) =>
        (await run(bin, args, { env: cleanEnv({ COTTY_STATE_DIR: state }) })).stdout.trim();
      const id = await cli(
        "new",
        "--name",
        "packed",
        "--",
        "/bin/sh",
        "-c",
        "echo from the package; exec cat",
      );
      await until("its output", async () => (await cli("screen", id)).includes("from the package"));
    } finally {
      await run(bin, ["stop", "--all", "--state-dir", state], { env: cleanEnv() }).catch(() => {});
      web.kill("SIGKILL");
    }
  });

  it("a consumer's strict compile finds the types of both entries, and running them works", async () => {
    writeFileSync(
      join(consumer, "use.ts"),
      `import { ApiError, connect, type SessionInfo } from "cotty";
import { createTerminalTools, TermError, TerminalRegistry, toolIndex } from "cotty/host";

const registry = await TerminalRegistry.start({ maxSessions: 2 });
const session = await registry.open({ name: "build", cols: 100, rows: 30, command: ["/bin/sh"], secrets: { TOKEN: () => "x" } });
await session.write("echo ready in 5 ms");
const result = await session.wait({ for: [{ text: "ready in" }], timeout_ms: 20_000, since: "start" });
const info: SessionInfo = session.info();
const tools = toolIndex(createTerminalTools(registry));
const seen = await tools.get("terminal_snapshot")?.execute({ id: session.id });
let refused: string | undefined;
try { session.takeOver(); await session.write("ls"); } catch (error) { if (error instanceof TermError) refused = error.code; }
let unreachable = false;
try { await connect({ url: "http://127.0.0.1:1", token: "x" }).api.listSessions(); } catch (error) { unreachable = error instanceof ApiError; }
console.log(JSON.stringify([result.outcome, info.name, seen?.text.includes("ready in 5 ms"), refused, unreachable]));
await registry.close();
// @ts-expect-error sizes are numbers
const wrong: () => unknown = () => registry.open({ cols: "wide" });
`,
    );
    writeFileSync(
      join(consumer, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          module: "nodenext",
          target: "es2022",
          lib: ["ES2023", "DOM"],
          types: [],
          skipLibCheck: false,
          outDir: "out",
        },
        files: ["use.ts"],
      }),
    );
    // The consumer's compiler has nothing of ours but what the package brings.
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", consumer], { cwd: consumer }).catch(
      (error) => error as { stdout: string },
    );
    expect(stdout.replace(/.*Cannot find name 'console'.*/g, "").trim()).toBe("");
    const { stdout: printed } = await run(process.execPath, [join(consumer, "out/use.js")], {
      cwd: consumer,
      env: cleanEnv(),
    });
    expect(JSON.parse(printed)).toEqual(["matched", "build", true, "LEASE_DENIED", true]);
  });
});
