// node_modules as package-lock.json says: installed when missing or stale, otherwise untouched.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprint } from "./fingerprint.mjs";
import { withLock } from "./lock.mjs";
import { root, run, say } from "./run.mjs";

const stampPath = join(root, "node_modules", ".cotty-install");

function wanted() {
  return fingerprint(
    root,
    ["package.json", "package-lock.json", ".npmrc"],
    `${process.platform}-${process.arch}-${process.versions.modules}`,
  );
}

function isFresh() {
  return existsSync(stampPath) && readFileSync(stampPath, "utf8") === wanted();
}

/** Ends this process with a clear message where the Node version is too old: nothing later would say it as well. */
export function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 9)) return;
  say(`cotty needs Node.js 20.9 or newer; this is ${process.versions.node}.`);
  process.exit(1);
}

export async function ensureInstalled() {
  checkNode();
  if (isFresh()) return;
  await withLock("install", async () => {
    if (isFresh()) return;
    say("cotty: installing packages (npm ci) …");
    // Everything, whatever NODE_ENV says: the dashboard is built here, and node-pty is an optional package.
    const windows = process.platform === "win32";
    const code = await run(windows ? "npm.cmd" : "npm", [
      "ci",
      "--include=dev",
      "--include=optional",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
    ]);
    if (code !== 0) {
      say(
        "cotty: npm ci failed (see above). Check the network and the npm registry setting, then run the command again.",
      );
      process.exit(1);
    }
    writeFileSync(stampPath, wanted());
  });
}
