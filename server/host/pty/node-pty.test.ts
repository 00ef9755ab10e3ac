import { burstBytes, type ContractProgram, ptyContract } from "#server/testing/pty.contract.ts";
import { createPtyFactory } from "./pty-factory.ts";
import { resolveSpawnSpec } from "./spawn-spec.ts";

const factory = await createPtyFactory({ noTerminal: false });

const programs: Record<ContractProgram, string> = {
  echo: "stty raw -echo; printf READY; exec cat",
  stuck: "stty raw -echo isig; printf READY; exec sleep 60",
  burst: `head -c ${burstBytes} /dev/zero | tr '\\0' x; exit 3`,
  flood: "exec yes",
};

ptyContract("a real terminal", (program) =>
  factory.spawn(
    resolveSpawnSpec(
      { command: ["/bin/sh", "-c", programs[program]] },
      { sessionId: `contract-${program}`, environment: process.env },
    ),
  ),
);
