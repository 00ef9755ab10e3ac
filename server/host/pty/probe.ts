// Proves on this machine what the host relies on before anybody does (PT1, HO5): that a terminal starts at all, that its program
// inherits nothing else, that writing never blocks, that the end of the output arrives. Costs three or four short processes.
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import type { Clock } from "#lib/base/clock.ts";
import { inheritedDescriptors } from "./inherited-descriptors.ts";
import { messageOf, spawnNodePty } from "./node-pty.ts";
import type { Pty } from "./pty.ts";
import type { PtyModule } from "./pty-module.ts";
import type { SpawnSpec } from "./spawn-spec.ts";

export type Check = { state: "passed" } | { state: "failed"; reason: string };

export type ProbeReport =
  /** No terminal can be started with this module. */
  | { kind: "unusable"; reason: string }
  | {
      kind: "usable";
      /** A program inherits no descriptor but its own terminal. When it does, the module must not be used. */
      descriptors: Check;
      /** Writing to a program that does not read leaves the event loop free. */
      blocking: Check;
      /** The output of programs that end at once arrives whole. */
      tail: Check;
      elapsedMs: number;
    };

const passed: Check = { state: "passed" };
/** For a machine under load, which must not lose its terminals to it; the probe ends far earlier on a quiet one. */
const patienceMs = 15_000;
const tailRuns = 3;
const tailBytes = 20_480;

export async function probePtyModule(module: PtyModule, clock: Clock): Promise<ProbeReport> {
  const start = clock.monotonic();
  if (process.platform === "win32") {
    // Ending a fresh ConPTY can take the process with it: that the module loads is all we ask.
    return { kind: "usable", descriptors: passed, blocking: passed, tail: passed, elapsedMs: 0 };
  }
  const open: Pty[] = [];
  const begin = (script: string) => {
    const pty = spawnNodePty(module, shellSpec(script), clock);
    open.push(pty);
    return pty;
  };
  try {
    // A gap below the first terminal's master: there the module's own guard looks away (descriptor-gaps.ts).
    const gap = Array.from({ length: 24 }, () => openSync("/dev/null", "r"));
    const stuck = begin("stty raw -echo; printf READY; exec sleep 30");
    for (const descriptor of gap) closeSync(descriptor);
    // Stays the shell that said READY: whatever it had to load is loaded, and its descriptors are what it inherited.
    const second = begin("printf READY; read -r nothing");
    await within(Promise.all([printed(stuck, "READY"), printed(second, "READY")]), clock);
    const descriptors = checkDescriptors(second.pid);
    const blocking = checkBlocking(stuck);
    const tail = await checkTail(begin, clock);
    return { kind: "usable", descriptors, blocking, tail, elapsedMs: clock.monotonic() - start };
  } catch (error) {
    return { kind: "unusable", reason: messageOf(error) };
  } finally {
    for (const pty of open) pty.dispose();
  }
}

function shellSpec(script: string): SpawnSpec {
  const env = { PATH: process.env.PATH ?? "/usr/bin:/bin", TERM: "dumb", LANG: "C" };
  const size = { cols: 80, rows: 24 };
  const file = "/bin/sh";
  const args = ["-c", script];
  const integration = { kind: "none" } as const;
  return { file, args, cwd: "/", env, size, term: "dumb", command: [file, ...args], integration };
}

/** T100: whoever holds another terminal's master can type into it. */
function checkDescriptors(pid: number): Check {
  const leaked = inheritedDescriptors(pid).filter(({ number }) => number > 2);
  if (leaked.length === 0) return passed;
  const list = leaked.map(({ number, target }) => `${number} -> ${target}`).join(", ");
  return { state: "failed", reason: `programs inherit the server's files: ${list}` };
}

/** Facts, not times: a machine under load must not lose its terminals to a slow second. */
function checkBlocking(stuck: Pty): Check {
  if (blockingMasters().length > 0) {
    return { state: "failed", reason: "the module opens terminals in blocking mode" };
  }
  stuck.write(new Uint8Array(256 * 1024).fill(120));
  return stuck.backlogBytes > 0
    ? passed
    : { state: "failed", reason: "input for a program that does not read is not kept back" };
}

/** Our terminals' masters on which a write would block; they would hold up the server, so nobody tries. */
function blockingMasters(): string[] {
  const nonBlocking = 0o4000;
  try {
    return readdirSync("/proc/self/fd").filter((name) => {
      try {
        if (!readlinkSync(`/proc/self/fd/${name}`).endsWith("ptmx")) return false;
        const info = readFileSync(`/proc/self/fdinfo/${name}`, "utf8");
        const flags = Number.parseInt(/flags:\s*([0-7]+)/.exec(info)?.[1] ?? "0", 8);
        return (flags & nonBlocking) === 0;
      } catch {
        return false;
      }
    });
  } catch {
    return [];
  }
}

async function checkTail(start: (script: string) => Pty, clock: Clock): Promise<Check> {
  const script = `head -c ${tailBytes} /dev/zero | tr '\\0' x`;
  const runs = Array.from({ length: tailRuns }, () => outputOf(start(script)));
  const received = await within(Promise.all(runs), clock);
  const short = received.filter((count) => count !== tailBytes);
  if (short.length === 0) return passed;
  return {
    state: "failed",
    reason: `${short.length} of ${tailRuns} programs lost output at their end (${short.join(", ")} of ${tailBytes} bytes arrived)`,
  };
}

function outputOf(pty: Pty): Promise<number> {
  return new Promise((resolve) => {
    let count = 0;
    pty.onData((bytes) => {
      count += bytes.length;
    });
    pty.onExit(() => resolve(count));
  });
}

function printed(pty: Pty, word: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = "";
    pty.onData((bytes) => {
      if (text.length < 4_096) text += Buffer.from(bytes).toString("latin1");
      if (text.includes(word)) resolve();
    });
    pty.onExit(() =>
      reject(new Error(`a trial program ended at once: ${text.trim() || "silently"}`)),
    );
  });
}

async function within<T>(promise: Promise<T>, clock: Clock): Promise<T> {
  let timer: { dispose(): void } | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = clock.after(patienceMs, () =>
      reject(new Error(`a trial program did not answer within ${patienceMs} ms`)),
    );
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    timer?.dispose();
  }
}
