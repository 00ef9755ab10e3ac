// Whether a shell was started to run something, by its arguments: then it shows no prompt, whatever the terminal looks like.
import { readFileSync } from "node:fs";

/** A shell that was given something to run asks for no commands. */
export function hasScript(pid: number): boolean {
  try {
    const [, ...rest] = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
    return runsScript(rest);
  } catch {
    return false;
  }
}

/** `args`: of a shell. Options that take a value of their own are those of start-up files. */
export function runsScript(args: readonly string[]): boolean {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (/^(--rcfile|--init-file|-C|--init-command|-o|-O|\+o|\+O)$/.test(arg)) index++;
    else if (/^-[a-zA-Z]*c[a-zA-Z]*$/.test(arg) || arg === "--command") return true;
    else if (arg === "-s") return false;
    else if (!/^[-+]/.test(arg) && arg !== "") return true;
  }
  return false;
}
