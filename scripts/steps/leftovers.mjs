// No process that our tests started may outlive them. Each carries a mark in its environment: every child inherits it, and a
// session's program too, because the host passes XDG_* on (server/host/pty/session-env.ts). Linux only: elsewhere nothing is found.
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { say } from "./run.mjs";

const name = "XDG_COTTY_TEST_RUN";
const value = randomUUID();

/** For the environment of everything that is started. */
export const mark = { [name]: value };

/** What is ending may take this long to be gone. */
const patienceMs = 10_000;

/** 0 when nothing is left. What is left is named, and ended: it would go on for ever. */
export async function endLeftovers() {
  const deadline = performance.now() + patienceMs;
  let left = marked();
  while (left.length > 0 && performance.now() < deadline) {
    await pause(100);
    left = marked();
  }
  for (const { pid, command } of left) {
    say(`left behind by the tests: ${pid} ${command}`);
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself after all.
    }
  }
  return left.length;
}

function marked() {
  let pids;
  try {
    pids = readdirSync("/proc").filter((entry) => /^\d+$/.test(entry));
  } catch {
    return [];
  }
  return pids.flatMap((pid) => {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
      if (!environment.includes(`${name}=${value}`)) return [];
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim();
      return [{ pid: Number(pid), command: command.slice(0, 200) }];
    } catch {
      // Gone meanwhile, or not ours to look at.
      return [];
    }
  });
}
