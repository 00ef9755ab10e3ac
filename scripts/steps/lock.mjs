// One at a time: two `npm start` in one checkout must not install or build over each other.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root, say } from "./run.mjs";

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** Runs `work` while no other process holds `name`; a lock whose holder is gone is taken over. */
export async function withLock(name, work) {
  const folder = join(root, ".cache");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.lock`);
  let told = false;
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      break;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    let holder = Number.NaN;
    try {
      holder = Number(readFileSync(path, "utf8"));
    } catch {
      continue; // Its holder has just finished.
    }
    if (holder > 0 && !isAlive(holder)) {
      rmSync(path, { force: true });
      continue;
    }
    if (!told) say(`waiting for another ${name} (process ${holder})`);
    told = true;
    await sleep(250);
  }
  const release = () => rmSync(path, { force: true });
  process.once("exit", release);
  try {
    return await work();
  } finally {
    process.off("exit", release);
    release();
  }
}
