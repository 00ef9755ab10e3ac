// Chooses how terminals are made here: by a native module that passed its trial, or not at all, with the reason (PT1, PT2, HO5).
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { confirmExec } from "./exec-check.ts";
import { endBeforeUs } from "./first-to-end.ts";
import { messageOf, spawnNodePty } from "./node-pty.ts";
import { type ProbeReport, probePtyModule } from "./probe.ts";
import type { Pty, PtyAvailability, PtyFactory } from "./pty.ts";
import { defaultPtyModules, loadPtyModule, type PtyModule } from "./pty-module.ts";
import type { SpawnSpec } from "./spawn-spec.ts";
import { heldTerminals } from "./terminal-descriptor.ts";

export interface PtyFactoryOptions {
  /** `--no-terminal`: no module is loaded. */
  readonly noTerminal: boolean;
  /** Packages or absolute paths, tried in order; for tests of machines where none works. */
  readonly modules?: readonly string[];
  readonly clock?: Clock;
}

/** Never throws: where no terminal can be had, the factory says why and refuses each spawn. About 0.1 s. */
export async function createPtyFactory(options: PtyFactoryOptions): Promise<PtyFactory> {
  if (options.noTerminal) return new DisabledPtyFactory();
  const { modules = defaultPtyModules, clock = systemClock } = options;
  const obstacles: string[] = [];
  for (const name of modules) {
    let module: PtyModule;
    try {
      module = loadPtyModule(name);
    } catch (error) {
      obstacles.push(`${name} cannot be loaded (${firstLine(messageOf(error))})`);
      continue;
    }
    let report = await probePtyModule(module, clock);
    // A machine in trouble may end one trial program; a whole host's terminals are not given up for that.
    if (report.kind === "unusable") report = await probePtyModule(module, clock);
    const obstacle = obstacleIn(report);
    if (obstacle === null) return new NodePtyFactory(module, warningsIn(report), clock);
    obstacles.push(`${name} cannot be used (${firstLine(obstacle)})`);
  }
  return new UnavailablePtyFactory(`no terminals on this machine: ${obstacles.join("; ")}`);
}

/** Leaking descriptors and blocking the server endanger every session; a lost tail is said, and lived with. */
function obstacleIn(report: ProbeReport): string | null {
  if (report.kind === "unusable") return report.reason;
  for (const check of [report.descriptors, report.blocking])
    if (check.state === "failed") return check.reason;
  return null;
}

function warningsIn(report: ProbeReport): string[] {
  return report.kind === "usable" && report.tail.state === "failed" ? [report.tail.reason] : [];
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? text;
}

class NodePtyFactory implements PtyFactory {
  readonly availability: PtyAvailability;

  constructor(
    private readonly module: PtyModule,
    warnings: readonly string[],
    private readonly clock: Clock,
  ) {
    this.availability = { state: "ready", warnings };
  }

  async spawn(spec: SpawnSpec): Promise<Pty> {
    const pty = spawnNodePty(this.module, spec, this.clock);
    endBeforeUs(pty.pid);
    const outcome = await confirmExec(pty.pid, heldTerminals, this.clock);
    if (outcome.kind !== "failed") return pty;
    pty.dispose();
    throw new TermError(
      "PTY_SPAWN_FAILED",
      `${spec.command[0] ?? spec.file} was not started: ${outcome.reason}`,
    );
  }
}

/** A watch-only server by choice. */
class DisabledPtyFactory implements PtyFactory {
  readonly availability: PtyAvailability = {
    state: "disabled",
    reason: "the server was started with --no-terminal",
  };

  async spawn(): Promise<never> {
    throw new TermError("TERMINALS_DISABLED", "terminals are turned off: --no-terminal");
  }
}

/** A watch-only server by need. */
class UnavailablePtyFactory implements PtyFactory {
  readonly availability: PtyAvailability;

  constructor(private readonly reason: string) {
    this.availability = { state: "unavailable", reason };
  }

  async spawn(): Promise<never> {
    throw new TermError("TERMINALS_UNAVAILABLE", this.reason);
  }
}
