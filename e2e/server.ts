// A real Cotty for an end-to-end test: the built CLI on a temporary state directory and a free port, killed and restarted at will.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "#lib/base/clock.ts";
import type { Role } from "#lib/protocol/roles.ts";
import { createLoginCode, createToken } from "#server/state/credential-store.ts";
import { isAlive } from "./api/process-facts.ts";

const built = join(import.meta.dirname, "../dist/cotty.js");

function cleanEnv(extra: Record<string, string>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, SHELL: "/bin/bash", PS1: "$ ", ...extra };
  for (const name of Object.keys(env))
    if (name.startsWith("COTTY_") && !(name in extra)) delete env[name];
  return env;
}

interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

export class Server {
  readonly stateDir = mkdtempSync(join(tmpdir(), "cotty-e2e-"));
  private web: ChildProcess | null = null;
  port = 0;
  link = "";
  private output = "";

  readonly cliPath = built;

  constructor(
    private readonly flags: readonly string[] = [],
    private readonly env: Record<string, string> = {},
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** What web has written since its start. */
  get said(): string {
    return this.output;
  }

  /** Starts web (and the host when none runs); resolves with the one-time link once it is printed. */
  async start(): Promise<string> {
    const args = [
      built,
      "start",
      "--no-open",
      "--state-dir",
      this.stateDir,
      "--port",
      String(this.port),
      ...this.flags,
    ];
    const child = spawn(process.execPath, args, {
      env: cleanEnv(this.env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.web = child;
    this.link = await new Promise<string>((resolve, reject) => {
      this.output = "";
      const read = (chunk: Buffer) => {
        this.output += chunk.toString();
        const link = /https?:\/\/\S+#code=\S+(?=\n)/.exec(this.output)?.[0];
        if (link) resolve(link);
      };
      child.stdout?.on("data", read);
      child.stderr?.on("data", read);
      child.once("exit", (code) =>
        reject(new Error(`cotty start ended with ${code}:\n${this.output}`)),
      );
    });
    this.port = Number(new URL(this.link).port);
    return this.link;
  }

  /** SIGKILL to web alone; the host and its shells live on. */
  async killWeb(): Promise<void> {
    const child = this.web;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    this.web = null;
  }

  /** SIGTERM to web; its exit code and all that it said. */
  async terminateWeb(): Promise<{ code: number | null; output: string }> {
    const child = this.web;
    if (!child) throw new Error("web does not run");
    const code = new Promise<number | null>((resolve) => child.once("close", resolve));
    child.kill("SIGTERM");
    const ended = await code;
    this.web = null;
    return { code: ended, output: this.output };
  }

  hostPid(): number {
    return JSON.parse(readFileSync(join(this.stateDir, "host.json"), "utf8")).pid;
  }

  webPid(): number {
    return this.web?.pid ?? 0;
  }

  /** Runs the CLI and resolves with its output. */
  cli(...args: string[]): Promise<CliResult> {
    return this.cliAt(this.stateDir, ...args);
  }

  async cliAt(stateDir: string, ...args: string[]): Promise<CliResult> {
    const child = spawn(process.execPath, [built, ...args, "--state-dir", stateDir], {
      env: cleanEnv(this.env),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise<number>((resolve) =>
      child.once("close", (value) => resolve(value ?? 1)),
    );
    return { code, stdout, stderr };
  }

  /** As `cotty token create` does it (e2e/api/cli.test.ts), without the process. */
  async token(role: Role = "owner", name = `test-${role}-${Date.now()}`): Promise<string> {
    return createToken(this.store, { role, name }).token;
  }

  /** As `cotty open` does it, for a person of another name. */
  linkFor(name: string): string {
    return `${this.url}/welcome/#code=${createLoginCode(this.store, { name }).code}`;
  }

  private get store() {
    return { folder: join(this.stateDir, "credentials"), clock: systemClock };
  }

  /** Throws when a process does not end: it would be somebody's, and go on for ever. */
  async stop(): Promise<void> {
    await this.killWeb();
    const hosts = this.hosts();
    for (const pid of hosts) signal(pid, "SIGTERM");
    const deadline = performance.now() + 20_000;
    while (hosts.some(isAlive) && performance.now() < deadline) await pause(10);
    const left = hosts.filter(isAlive);
    for (const pid of left) signal(pid, "SIGKILL");
    rmSync(this.stateDir, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`hosts that did not end: ${left.join(", ")}`);
  }

  /** Also those whose record is gone: a host's output goes to its log in the state directory. */
  private hosts(): number[] {
    const pids = readdirSync("/proc").map(Number).filter(Number.isInteger);
    const found = new Set(pids.filter((pid) => outputOf(pid).startsWith(`${this.stateDir}/`)));
    try {
      found.add(this.hostPid());
    } catch {
      // None was started, or it has ended.
    }
    return [...found];
  }
}

function outputOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/1`);
  } catch {
    return "";
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended by itself.
  }
}
