// Whether terminals can be had here is found out by having one (PT1, PT2, HO5).
import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { systemClock } from "#lib/base/clock.ts";
import type { TermError } from "#lib/protocol/errors.ts";
import { probePtyModule } from "./probe.ts";
import { createPtyFactory } from "./pty-factory.ts";
import { loadPtyModule, type ModulePty, type PtyModule } from "./pty-module.ts";
import { resolveSpawnSpec } from "./spawn-spec.ts";

const broken = join(import.meta.dirname, "../../testing/broken-pty.cjs");
const folder = mkdtempSync(join(tmpdir(), "cotty-module-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const spec = resolveSpawnSpec(
  { command: ["/bin/true"] },
  { sessionId: "s", environment: process.env },
);
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => "spawned",
    (error: TermError) => error.code,
  );

/** The real module with something taken away. */
function weakened(change: (term: ModulePty, index: number) => void): PtyModule {
  const real = loadPtyModule("@lydell/node-pty");
  let count = 0;
  return {
    spawn(file, args, options) {
      const term = real.spawn(file, args, options);
      change(term, count++);
      return term;
    },
  };
}

describe("the availability of terminals", () => {
  it("[PT1] [HO5] is proven by a trial, quickly", async () => {
    const times: number[] = [];
    const warnings: (readonly string[])[] = [];
    for (let round = 0; round < 5; round++) {
      const start = performance.now();
      const { availability } = await createPtyFactory({ noTerminal: false });
      times.push(performance.now() - start);
      if (availability.state !== "ready") throw new Error(availability.state);
      warnings.push(availability.warnings ?? []);
    }
    // A machine that stands still for a moment makes a trial slow, or look blocked; the best of five is the module's own.
    expect(Math.min(...times)).toBeLessThan(1_000);
    expect(warnings).toContainEqual([]);
  });

  it("[PT1] is not there when the module loads but cannot spawn, and says why", async () => {
    const factory = await createPtyFactory({ noTerminal: false, modules: [broken] });
    const { availability } = factory;
    if (availability.state !== "unavailable") throw new Error(availability.state);
    expect(availability.reason).toContain("openpty(3) failed: out of devices");
    expect(await codeOf(factory.spawn(spec))).toBe("TERMINALS_UNAVAILABLE");
  });

  it("[PT1] tries the candidates in order, and names each that failed", async () => {
    const noSpawn = join(folder, "no-spawn.cjs");
    writeFileSync(noSpawn, "exports.fork = () => {};");
    const all = [noSpawn, "@cotty/no-such-module", broken];
    const { availability } = await createPtyFactory({ noTerminal: false, modules: all });
    if (availability.state !== "unavailable") throw new Error(availability.state);
    for (const name of all) expect(availability.reason).toContain(name);
    const last = await createPtyFactory({
      noTerminal: false,
      modules: [...all, "@lydell/node-pty"],
    });
    expect(last.availability.state).toBe("ready");
  });

  it("[PT2] --no-terminal refuses each spawn", async () => {
    const factory = await createPtyFactory({ noTerminal: true, modules: [broken] });
    expect(factory.availability.state).toBe("disabled");
    expect(await codeOf(factory.spawn(spec))).toBe("TERMINALS_DISABLED");
  });

  it("[PT2] --no-terminal never loads the native module", () => {
    const script = join(folder, "maps.mts");
    const url = (name: string) => JSON.stringify(join(import.meta.dirname, name));
    writeFileSync(
      script,
      `import { readFileSync } from "node:fs";
       const { createPtyFactory } = await import(${url("pty-factory.ts")});
       await createPtyFactory({ noTerminal: process.argv[2] === "off" });
       console.log(/pty\\.node/.test(readFileSync("/proc/self/maps", "latin1")));
       process.exit(0);`,
    );
    const tsx = createRequire(import.meta.url).resolve("tsx/cli");
    const loaded = (word: string) =>
      spawnSync(process.execPath, [tsx, script, word], { encoding: "utf8" }).stdout.trim();
    expect(loaded("off")).toBe("false");
    expect(loaded("on")).toBe("true");
  });
});

describe("the self-test of a module", () => {
  it("[HO5] passes for the one we use", async () => {
    const report = await probePtyModule(loadPtyModule("@lydell/node-pty"), systemClock);
    expect(report).toMatchObject({
      kind: "usable",
      descriptors: { state: "passed" },
      blocking: { state: "passed" },
      tail: { state: "passed" },
    });
  });

  it("[HO5] says how much of the output was lost", async () => {
    const module = weakened((term) => {
      const listen = term.onData.bind(term);
      const value: ModulePty["onData"] = (listener) =>
        listen((data) => listener(Buffer.from(data as Buffer).subarray(0, 1_000)));
      Object.defineProperty(term, "onData", { value });
    });
    const report = await probePtyModule(module, systemClock);
    if (report.kind !== "usable" || report.tail.state !== "failed") throw new Error(report.kind);
    expect(report.tail.reason).toContain("of 20480 bytes arrived");
  });

  it("[HO5] a module whose programs end at once is unusable", async () => {
    const real = loadPtyModule("@lydell/node-pty");
    const module: PtyModule = {
      spawn: (_file, _args, options) => real.spawn("/bin/false", [], options),
    };
    const report = await probePtyModule(module, systemClock);
    expect(report).toMatchObject({ kind: "unusable", reason: /ended at once/ });
  });

  it("[HO5] [T100] a module that leaks descriptors is refused", async () => {
    const real = loadPtyModule("@lydell/node-pty");
    // The shell takes a descriptor more into the program, as an inherited one would be.
    const module: PtyModule = {
      spawn: (file, args, options) =>
        real.spawn(
          file,
          args.map((arg) => arg.replace("printf READY", "exec 7</dev/null; printf READY")),
          options,
        ),
    };
    const report = await probePtyModule(module, systemClock);
    if (report.kind !== "usable") throw new Error(report.reason);
    expect(report.descriptors).toMatchObject({ state: "failed", reason: /7 -> \/dev\/null/ });
  });

  it("[HO5] a library that the dynamic loader has open is nobody's file: a slow start is no leak", async () => {
    const library = join(folder, "library.so");
    execFileSync("mkfifo", [library]);
    // Held open and never written: the loader stands still in the middle of this library, with its descriptor open.
    const holder = openSync(library, "r+");
    const real = loadPtyModule("@lydell/node-pty");
    let sightings = 0;
    const module: PtyModule = {
      spawn(file, args, options) {
        const script = String(args.at(-1));
        if (!/printf READY/.test(script) || /stty/.test(script)) {
          return real.spawn(file, args, options);
        }
        const slow = `printf READY; LD_PRELOAD=${library} exec sleep 30`;
        const term = real.spawn(file, ["-c", slow], options);
        const listen = term.onData.bind(term);
        const value: ModulePty["onData"] = (listener) =>
          listen((data) => {
            const deadline = performance.now() + 5_000;
            while (!hasOpen(term.pid, library) && performance.now() < deadline) pauseThread(1);
            sightings += hasOpen(term.pid, library) ? 1 : 0;
            listener(data);
          });
        Object.defineProperty(term, "onData", { value });
        return term;
      },
    };
    try {
      const report = await probePtyModule(module, systemClock);
      expect(sightings).toBe(1);
      expect(report).toMatchObject({ kind: "usable", descriptors: { state: "passed" } });
    } finally {
      closeSync(holder);
    }
  });
});

function hasOpen(pid: number, path: string): boolean {
  return readdirSync(`/proc/${pid}/fd`).some((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`) === path;
    } catch {
      return false;
    }
  });
}

function pauseThread(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

// Last: the module's own writer goes on after its terminal was closed, and would type into the next one that gets its descriptor.
describe("the self-test of a module that queues input for itself", () => {
  it("[HO5] says that input is not kept back, when it goes through a module that queues for itself", async () => {
    const module = weakened((term) => Object.defineProperty(term, "fd", { value: undefined }));
    const report = await probePtyModule(module, systemClock);
    expect(report).toMatchObject({ kind: "usable", blocking: { state: "failed" } });
  });
});
