// Running a program in front of the person: inherited output, exit code back. Plain Node: node_modules may not exist yet.
import { spawn } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..", "..");

/** Progress goes to stderr: stdout belongs to the command that was asked for. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Resolves with the exit code; 127 when the program cannot be started. Output goes to this process's stderr unless `stdio` says otherwise. */
export function run(
  command,
  args,
  { env = process.env, stdio = ["ignore", 2, 2], cwd = root } = {},
) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio });
    child.on("error", (error) => {
      say(`cannot run ${command}: ${error.message}`);
      resolve(127);
    });
    child.on("close", (code, signal) => resolve(signal ? 128 : (code ?? 1)));
  });
}
