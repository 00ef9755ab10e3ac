// Loads a native terminal module and says exactly what we use of it (PT1). The only file that knows how such a module is found.
import { createRequire } from "node:module";

/** What we use of `@lydell/node-pty` 1.2.0-beta.15 and modules of its kind. */
export interface PtyModule {
  spawn(file: string, args: string[], options: ModuleSpawnOptions): ModulePty;
}

export interface ModuleSpawnOptions {
  /** Becomes TERM. */
  name: string;
  cols: number;
  rows: number;
  cwd: string;
  env: Record<string, string>;
  /** null: bytes, not strings. */
  encoding: null;
}

export interface ModulePty {
  readonly pid: number;
  /** Descriptor of the terminal's master; absent on Windows. */
  readonly fd?: number;
  /** Path of the slave; absent on Windows. */
  readonly ptsName?: string;
  onData(listener: (data: unknown) => void): unknown;
  onExit(listener: (exit: { exitCode: number; signal?: number }) => void): unknown;
  on?(event: "error" | "end", listener: () => void): unknown;
  write(data: Buffer): void;
  resize(cols: number, rows: number): void;
  pause(): void;
  resume(): void;
  kill(signal?: string): void;
  destroy?(): void;
}

/** In order of preference. Later ones serve platforms for which the first has no prebuilt binary. */
export const defaultPtyModules: readonly string[] = ["@lydell/node-pty", "node-pty"];

/** `name` is a package or an absolute path. Throws what loading throws. */
export function loadPtyModule(name: string): PtyModule {
  const loaded: unknown = createRequire(import.meta.url)(name);
  if (typeof (loaded as Partial<PtyModule> | null)?.spawn !== "function") {
    throw new Error(`${name} has no spawn function`);
  }
  return loaded as PtyModule;
}
