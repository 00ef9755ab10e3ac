// [T10B] What host and web hold in memory must not be left in a file when one of them dies; what is debugged in a session still can be.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Server } from "../server.ts";
import { Caller } from "./caller.ts";

/** Of core files, as the kernel prints them. */
function coreLimits(pid: number | "self"): { soft: string; hard: string } {
  const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
  const [, soft = "", hard = ""] = /^Max core file size +(\S+) +(\S+)/m.exec(limits) ?? [];
  return { soft, hard };
}

function setSoft(value: string): void {
  execFileSync("prlimit", ["--pid", String(process.pid), `--core=${value}:`]);
}

describe.runIf(process.platform === "linux")("core dumps", () => {
  const before = coreLimits("self");
  let server: Server;
  let owner: Caller;
  beforeAll(async () => {
    // As on systems that keep dumps.
    setSoft(before.hard);
    server = new Server();
    await server.start();
    owner = await Caller.owner(server);
  });
  afterAll(async () => {
    setSoft(before.soft);
    owner?.dispose();
    await server?.stop();
  });

  it("[T10B] are off in host and web, and a session may have them back", async () => {
    expect(coreLimits("self").soft).toBe(before.hard);
    const off = { soft: "0", hard: before.hard };
    expect(coreLimits(server.hostPid())).toEqual(off);
    expect(coreLimits(server.webPid())).toEqual(off);
    const raised = 'ulimit -Sc; ulimit -Sc "$(ulimit -Hc)" && echo "raised to $(ulimit -Sc)"';
    const { id } = await owner.create({ command: ["sh", "-c", `${raised}; sleep 60`] });
    const { lines } = await owner.untilText(id, "raised to");
    expect(lines.slice(0, 2)).toEqual(["0", `raised to ${before.hard}`]);
  });
});
