// The host as a process: `--state-dir DIR [--max-sessions N] [--lease-idle S] [--politeness P] [--log-level L] [--no-terminal] [--no-shell-integration] [--session-limits L] [--config FILE]`. Detached by whoever launched it, it lives
// until it is told to end; a fault in one session is logged and the others go on, because ending here would end every shell.
import { parseArgs } from "node:util";
import { systemClock } from "#lib/base/clock.ts";
import type { Politeness } from "#lib/protocol/lease.ts";
import { limits } from "#lib/protocol/limits.ts";
import { parseSessionLimits, type SessionLimits } from "#lib/protocol/session-limits.ts";
import { type LogLevel, logLevels, settings } from "#server/config/settings.ts";
import { hostAlreadyRunsCode } from "#server/state/host-launch.ts";
import { openStateDir } from "#server/state/state-dir.ts";
import { faultPolicy } from "./faults.ts";
import { openHostLog } from "./log.ts";
import { HostAlreadyRuns, startHost } from "./start.ts";

interface Flags {
  stateRoot: string;
  maxSessions: number;
  leaseIdleMs: number | null;
  politeness: Politeness;
  logLevel: LogLevel;
  noTerminal: boolean;
  noShellIntegration: boolean;
  sessionLimits: SessionLimits;
  configFile?: string;
}

function readFlags(argv: string[]): Flags {
  const { values } = parseArgs({
    args: argv,
    options: {
      "state-dir": { type: "string" },
      "max-sessions": { type: "string", default: String(limits.sessions.default) },
      "lease-idle": { type: "string", default: String(limits.leaseIdleMs.default / 1_000) },
      politeness: { type: "string", default: "polite" },
      "log-level": { type: "string", default: "info" },
      "no-terminal": { type: "boolean", default: false },
      "no-shell-integration": { type: "boolean", default: false },
      "session-limits": { type: "string", default: "none" },
      config: { type: "string" },
    },
  });
  const stateRoot = values["state-dir"];
  if (!stateRoot) throw new Error("--state-dir is needed");
  const maxSessions = Number(values["max-sessions"]);
  const { min, max } = limits.sessions;
  if (!Number.isInteger(maxSessions) || maxSessions < min || maxSessions > max) {
    throw new Error(`--max-sessions must be a whole number from ${min} to ${max}`);
  }
  const logLevel = logLevels.find((level) => level === values["log-level"]);
  if (!logLevel) throw new Error(`--log-level must be one of ${logLevels.join(", ")}`);
  return {
    stateRoot,
    maxSessions,
    leaseIdleMs: settings.leaseIdle.parse(values["lease-idle"]),
    politeness: settings.politeness.parse(values.politeness),
    logLevel,
    noTerminal: values["no-terminal"],
    noShellIntegration: values["no-shell-integration"],
    sessionLimits: parseSessionLimits(values["session-limits"]),
    ...(values.config === undefined ? {} : { configFile: values.config }),
  };
}

async function main(): Promise<void> {
  process.title = "cotty-host";
  // Whoever started it may go, and their terminal too: neither ends a shell.
  process.on("SIGHUP", () => {});
  process.on("SIGINT", () => {});
  const flags = readFlags(process.argv.slice(2));
  const dir = openStateDir(flags.stateRoot);
  const log = openHostLog(dir.hostLog, flags.logLevel);
  // For machines where the known modules do not work, and for tests of such machines.
  const { COTTY_PTY_MODULE: ptyModule } = process.env;
  const host = await startHost({
    ...flags,
    log,
    ...(ptyModule ? { ptyModules: [ptyModule] } : {}),
  });
  const onFault = faultPolicy(log, systemClock, () => process.exit(1));
  process.on("uncaughtException", onFault);
  process.on("unhandledRejection", onFault);
  for (const warning of host.warnings) log.warn({}, warning);
  process.on("SIGTERM", () => {
    log.info({}, "told to end");
    void host.stop();
  });
  await host.stopped;
  process.exit(0);
}

main().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  // Plain text: the launcher shows it to the person who typed `cotty start`.
  process.stderr.write(`cotty host: ${text}\n`);
  process.exit(error instanceof HostAlreadyRuns ? hostAlreadyRunsCode : 1);
});
