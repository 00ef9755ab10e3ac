// The one table of settings: flag, COTTY_* variable, key in the config file, default, and how a value is read.
// README and docs/settings.md are checked against it by a test.
import { isAbsolute, resolve } from "node:path";
import { type Politeness, politenessSchema } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import { parseSessionLimits, sessionLimitsFromJson } from "#lib/protocol/session-limits.ts";

export interface Setting<T> {
  readonly flag: string;
  /** Shown after the flag in --help; absent for switches. */
  readonly placeholder?: string;
  readonly env: string;
  readonly key: string;
  readonly help: string;
  /** Shown in the table; the value itself is in `Config`'s defaults. */
  readonly shownDefault: string;
  /** From text (flag or variable); throws Error with the reason, without the value's source. */
  readonly parse: (text: string) => T;
  /** From the config file's JSON; throws likewise. */
  readonly fromJson: (value: unknown) => T;
  readonly repeatable?: true;
}

function text<T>(parse: (text: string) => T): Pick<Setting<T>, "parse" | "fromJson"> {
  return {
    parse,
    fromJson(value) {
      if (typeof value !== "string") throw new Error("must be a string");
      return parse(value);
    },
  };
}

function whole(min: number, max: number): Pick<Setting<number>, "parse" | "fromJson"> {
  const check = (value: number) => {
    if (!Number.isInteger(value) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
  return {
    parse: (written) => check(/^\d+$/.test(written) ? Number(written) : Number.NaN),
    fromJson: (value) => check(typeof value === "number" ? value : Number.NaN),
  };
}

const onOff: Pick<Setting<boolean>, "parse" | "fromJson"> = {
  parse(written) {
    if (["1", "true", "yes", "on"].includes(written)) return true;
    if (["0", "false", "no", "off", ""].includes(written)) return false;
    throw new Error("must be 1 or 0");
  },
  fromJson(value) {
    if (typeof value !== "boolean") throw new Error("must be true or false");
    return value;
  },
};

/** Asked the other way round than the switch: what is off there is on here. */
const offOn: Pick<Setting<boolean>, "parse" | "fromJson"> = {
  parse: (written) => {
    if (written === "auto") return false;
    try {
      return !onOff.parse(written);
    } catch {
      throw new Error("must be auto or off");
    }
  },
  fromJson: (value) => !onOff.fromJson(value),
};

const path = text((written) => {
  if (written === "" || written.includes("\0")) throw new Error("must be a path");
  return isAbsolute(written) ? written : resolve(written);
});

function hostName(written: string): string {
  if (!/^[A-Za-z0-9.-]{1,253}$/.test(written) && !/^\[[0-9A-Fa-f:.]+\]$/.test(written)) {
    throw new Error("must be a host name or address without a port, an IPv6 address in brackets");
  }
  return written.toLowerCase();
}

const hostNames: Pick<Setting<readonly string[]>, "parse" | "fromJson"> = {
  parse: (written) =>
    written
      .split(",")
      .filter((name) => name !== "")
      .map(hostName),
  fromJson(value) {
    if (!Array.isArray(value) || value.some((name) => typeof name !== "string"))
      throw new Error("must be a list of names");
    return value.map((name: string) => hostName(name));
  },
};

const { min: idleMin, max: idleMax } = limits.leaseIdleMs;
const idleSeconds = whole(idleMin / 1_000, idleMax / 1_000);
function idleReason(): Error {
  return new Error(
    `must be a whole number of seconds from ${idleMin / 1_000} to ${idleMax / 1_000}, or never`,
  );
}

/** Milliseconds; null: never. */
const leaseIdle: Pick<Setting<number | null>, "parse" | "fromJson"> = {
  parse(written) {
    if (written === "never") return null;
    try {
      return idleSeconds.parse(written) * 1_000;
    } catch {
      throw idleReason();
    }
  },
  fromJson(value) {
    if (value === "never") return null;
    try {
      return idleSeconds.fromJson(value) * 1_000;
    } catch {
      throw idleReason();
    }
  },
};

const politeness: Pick<Setting<Politeness>, "parse" | "fromJson"> = {
  parse(written) {
    const known = politenessSchema.safeParse(written);
    if (known.success) return known.data;
    throw new Error(`must be one of ${politenessSchema.options.join(", ")}`);
  },
  fromJson: (value) => politeness.parse(String(value)),
};

export const logLevels = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Every setting by its name in `Config`. */
export const settings = {
  port: {
    flag: "--port",
    placeholder: "N",
    env: "COTTY_PORT",
    key: "port",
    help: "TCP port of the dashboard and the API; if it is taken, the start fails",
    shownDefault: "7070, else the next free one",
    ...whole(0, 65_535),
  },
  host: {
    flag: "--host",
    placeholder: "ADDRESS",
    env: "COTTY_HOST",
    key: "host",
    help: "address to listen on; beyond loopback it needs --allow-host and TLS or --behind-tls",
    shownDefault: "127.0.0.1",
    ...text((written) => {
      if (!/^[A-Za-z0-9.:-]{1,253}$/.test(written))
        throw new Error("must be an address or a host name");
      return written;
    }),
  },
  allowHosts: {
    flag: "--allow-host",
    placeholder: "NAME",
    env: "COTTY_ALLOW_HOST",
    key: "allowHosts",
    help: "further host name under which browsers may reach this server (repeatable; commas in the variable)",
    shownDefault: "loopback names",
    repeatable: true,
    ...hostNames,
  },
  tlsCert: {
    flag: "--tls-cert",
    placeholder: "FILE",
    env: "COTTY_TLS_CERT",
    key: "tlsCert",
    help: "certificate chain (PEM); with --tls-key the server speaks HTTPS",
    shownDefault: "none",
    ...path,
  },
  tlsKey: {
    flag: "--tls-key",
    placeholder: "FILE",
    env: "COTTY_TLS_KEY",
    key: "tlsKey",
    help: "private key (PEM) of --tls-cert",
    shownDefault: "none",
    ...path,
  },
  behindTls: {
    flag: "--behind-tls",
    env: "COTTY_BEHIND_TLS",
    key: "behindTls",
    help: "a proxy in front speaks HTTPS for us",
    shownDefault: "off",
    ...onOff,
  },
  tcp: {
    flag: "--tcp",
    placeholder: "PORT",
    env: "COTTY_TCP",
    key: "tcp",
    help: "also serve terminals as lines of JSON on this port of 127.0.0.1 (docs/tcp.md); 0: any free one",
    shownDefault: "off",
    ...whole(0, 65_535),
  },
  noOpen: {
    flag: "--no-open",
    env: "COTTY_NO_OPEN",
    key: "noOpen",
    help: "do not open a browser",
    shownDefault: "off",
    ...onOff,
  },
  noTerminal: {
    flag: "--no-terminal",
    env: "COTTY_NO_TERMINAL",
    key: "noTerminal",
    help: "watch-only: no terminal can be started and the native module is never loaded",
    shownDefault: "off",
    ...onOff,
  },
  noShellIntegration: {
    flag: "--no-shell-integration",
    env: "COTTY_SHELL_INTEGRATION",
    key: "shellIntegration",
    help: "start shells without the marks that tell commands, exit codes and directories (variable: off; file: false)",
    shownDefault: "on",
    ...offOn,
  },
  stateDir: {
    flag: "--state-dir",
    placeholder: "DIR",
    env: "COTTY_STATE_DIR",
    key: "stateDir",
    help: "directory (0700) for the host's socket, credentials and logs",
    shownDefault: "$XDG_STATE_HOME/cotty or ~/.local/state/cotty",
    ...path,
  },
  maxSessions: {
    flag: "--max-sessions",
    placeholder: "N",
    env: "COTTY_MAX_SESSIONS",
    key: "maxSessions",
    help: `sessions that may exist at once (${limits.sessions.min}-${limits.sessions.max})`,
    shownDefault: String(limits.sessions.default),
    ...whole(limits.sessions.min, limits.sessions.max),
  },
  sessionLimits: {
    flag: "--session-limits",
    placeholder: "LIMITS",
    env: "COTTY_SESSION_LIMITS",
    key: "sessionLimits",
    help: "what the programs of one session may use up, such as open-files=1024,memory=8G (all kinds: docs/security.md)",
    shownDefault: "none",
    parse: parseSessionLimits,
    fromJson: sessionLimitsFromJson,
  },
  leaseIdle: {
    flag: "--lease-idle",
    placeholder: "SECONDS",
    env: "COTTY_LEASE_IDLE",
    key: "leaseIdle",
    help: `after so many seconds without typing a person's keyboard goes back to agents (${idleMin / 1_000}-${idleMax / 1_000}, or never)`,
    shownDefault: String(limits.leaseIdleMs.default / 1_000),
    ...leaseIdle,
  },
  politeness: {
    flag: "--politeness",
    placeholder: "MODE",
    env: "COTTY_POLITENESS",
    key: "politeness",
    help: "how another person's keys may take the keyboard from who has it, unless that person chose: polite (the second key within 2 s), immediate (the first one), ask (no key; only by taking it over)",
    shownDefault: "polite",
    ...politeness,
  },
  logLevel: {
    flag: "--log-level",
    placeholder: "LEVEL",
    env: "COTTY_LOG_LEVEL",
    key: "logLevel",
    help: `how much the host and web logs say (${logLevels.join(", ")})`,
    shownDefault: "info",
    ...text((written) => {
      const level = logLevels.find((known) => known === written);
      if (!level) throw new Error(`must be one of ${logLevels.join(", ")}`);
      return level;
    }),
  },
} as const satisfies Record<string, Setting<unknown>>;

export type SettingName = keyof typeof settings;
