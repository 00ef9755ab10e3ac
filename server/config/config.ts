// Settings read once into one frozen object: flag over variable over config file over default. Leaves get only their fields.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { Politeness } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SessionLimits } from "#lib/protocol/session-limits.ts";
import { defaultStateRoot, type Environment } from "#server/state/state-dir.ts";
import { ConfigError } from "./config-error.ts";
import { readConfigFile } from "./config-file.ts";
import { readProfiles } from "./profiles.ts";
import { readOwnSecrets } from "./secrets.ts";
import { type LogLevel, type SettingName, settings } from "./settings.ts";

export interface Config {
  /** null: 7070 or the next free one. */
  readonly port: number | null;
  readonly host: string;
  readonly allowHosts: readonly string[];
  readonly tlsCert: string | null;
  readonly tlsKey: string | null;
  readonly behindTls: boolean;
  /** Port of the line service (TC1); null: off. */
  readonly tcp: number | null;
  readonly noOpen: boolean;
  readonly noTerminal: boolean;
  /** Shells are started as they are (SI1). */
  readonly noShellIntegration: boolean;
  readonly stateDir: string;
  readonly maxSessions: number;
  /** Milliseconds; null: never. */
  readonly leaseIdle: number | null;
  readonly politeness: Politeness;
  /** What the programs of one session may use up (T105). */
  readonly sessionLimits: SessionLimits;
  readonly logLevel: LogLevel;
  /** Absolute; need not exist. The host reads the launch profiles from it, again when it changes. */
  readonly configFile: string;
}

/** Text of flags as given on the command line; switches are `true`. */
export type Flags = Partial<Record<SettingName, string | readonly string[] | boolean>>;

/** `--config`'s value, else $XDG_CONFIG_HOME/cotty/config.json or ~/.config/cotty/config.json. */
export function defaultConfigPath(env: Environment): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "cotty", "config.json");
}

/** `configPath`: a file that must exist; absent: the default file, if it exists. */
export function readConfig(flags: Flags, env: Environment, configPath?: string): Config {
  const configFile = resolve(configPath ?? env.COTTY_CONFIG ?? defaultConfigPath(env));
  const file = readWhole(configFile, configPath !== undefined || env.COTTY_CONFIG !== undefined);
  const value = <T>(name: SettingName, fallback: T): T => {
    const setting = settings[name];
    const flag = flags[name];
    if (flag !== undefined) {
      if (typeof flag === "boolean") return flag as T;
      return tried(
        () => setting.parse(typeof flag === "string" ? flag : flag.join(",")) as T,
        setting.flag,
        String(flag),
      );
    }
    const variable = env[setting.env];
    if (variable !== undefined)
      return tried(() => setting.parse(variable) as T, setting.env, variable);
    if (file && setting.key in file.values) {
      const found = file.values[setting.key];
      return tried(
        () => setting.fromJson(found) as T,
        `${setting.key} in ${file.path}`,
        JSON.stringify(found),
      );
    }
    return fallback;
  };
  const config: Config = {
    port: value<number | null>("port", null),
    host: value("host", "127.0.0.1"),
    allowHosts: value<readonly string[]>("allowHosts", []),
    tlsCert: value<string | null>("tlsCert", null),
    tlsKey: value<string | null>("tlsKey", null),
    behindTls: value("behindTls", false),
    tcp: value<number | null>("tcp", null),
    noOpen: value("noOpen", false),
    noTerminal: value("noTerminal", false),
    noShellIntegration: value("noShellIntegration", false),
    stateDir: value("stateDir", defaultStateRoot(env)),
    maxSessions: value<number>("maxSessions", limits.sessions.default),
    leaseIdle: value<number | null>("leaseIdle", limits.leaseIdleMs.default),
    politeness: value<Politeness>("politeness", "polite"),
    sessionLimits: value<SessionLimits>("sessionLimits", {}),
    logLevel: value<LogLevel>("logLevel", "info"),
    configFile,
  };
  if ((config.tlsCert === null) !== (config.tlsKey === null)) {
    throw new ConfigError("--tls-cert and --tls-key go together; give both or neither");
  }
  return Object.freeze(config);
}

function tried<T>(read: () => T, source: string, shown: string): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(
      `${source} ${error instanceof Error ? error.message : String(error)}, not ${JSON.stringify(shown)}`,
    );
  }
}

/** What the file holds, judged as a whole: an unknown key or a broken profile stops the start. null: there is none. */
function readWhole(
  path: string,
  mustExist: boolean,
): { path: string; values: Record<string, unknown> } | null {
  const file = readConfigFile(path);
  if (file.kind === "missing") {
    if (!mustExist) return null;
    throw new ConfigError(`the config file ${path} cannot be read: it does not exist`);
  }
  if (file.kind === "broken") {
    const place = file.line === null ? "" : ` in line ${file.line}`;
    throw new ConfigError(`the config file ${path}${place} ${file.reason}`);
  }
  const { values, lines } = file;
  const known: ReadonlySet<string> = new Set([
    ...Object.values(settings).map((setting) => setting.key),
    "profiles",
    "secrets",
  ]);
  for (const key of Object.keys(values)) {
    if (!known.has(key)) {
      throw new ConfigError(
        `the config file ${path} has an unknown key "${key}" in line ${lines.lineOf([key])}; known are ${[...known].join(", ")}`,
      );
    }
  }
  const [problem] = readProfiles(values.profiles, lines).problems;
  if (problem)
    throw new ConfigError(
      `the config file ${path} has a broken profile in line ${problem.line}: ${problem.message}`,
    );
  const [flaw] = readOwnSecrets(values.secrets, lines).problems;
  if (flaw)
    throw new ConfigError(
      `the config file ${path} has a broken secret in line ${flaw.line}: ${flaw.message}`,
    );
  return { path, values };
}
