// How a shell is started so that it announces its commands (SI1): which shells can be, with which words and variables. The scripts lie in
// shell-scripts/ and read the person's own start-up files; nothing is written anywhere. Knows nothing of what becomes of the marks.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";

/** What a session's shell was given. Nonce: comes back with what the shell itself tells of its commands. */
export type ShellIntegration =
  /** Asked for, at create or for the whole server. */
  | { kind: "off" }
  /** No shell that we know how to start, or one that was started for a script. */
  | { kind: "none" }
  | { kind: "hooked"; nonce: string };

export interface HookedStart {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly integration: ShellIntegration;
}

export interface ShellStart {
  /** The program's name as it was asked for. */
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Beside this file in the source, beside the bundle in a build. */
export const scriptsFolder = join(import.meta.dirname, "shell-scripts");

/** `args` and `env` come back as they are where nothing can be hung in. `folder`: where the scripts lie. */
export function hookShell(start: ShellStart, folder = scriptsFolder): HookedStart {
  const nonce = randomBytes(16).toString("hex");
  const hooked = hookOf({ ...start, nonce, folder });
  if (hooked === null) {
    return { args: start.args, env: start.env, integration: { kind: "none" } };
  }
  return {
    args: hooked.args,
    env: { ...start.env, ...hooked.env, COTTY_SHELL_NONCE: nonce },
    integration: { kind: "hooked", nonce },
  };
}

interface HookRequest extends ShellStart {
  readonly nonce: string;
  readonly folder: string;
}

interface Hook {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

function hookOf(request: HookRequest): Hook | null {
  switch (basename(request.name)) {
    case "bash":
      return hookBash(request);
    case "zsh":
      return hookZsh(request);
    case "fish":
      return hookFish(request);
    default:
      return null;
  }
}

/** Words that leave a shell interactive, by what they say; null: another one is among them. Options' values follow in the next word. */
function readWords(
  args: readonly string[],
  known: { readonly plain: RegExp; readonly valued: RegExp },
): { has(word: RegExp): boolean; value(word: RegExp): string | undefined } | null {
  const seen: { word: string; value?: string }[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (known.plain.test(word)) seen.push({ word });
    else if (known.valued.test(word) && at + 1 < args.length)
      seen.push({ word, value: args[++at] as string });
    else return null;
  }
  return {
    has: (pattern) => seen.some(({ word }) => pattern.test(word)),
    value: (pattern) => seen.findLast(({ word }) => pattern.test(word))?.value,
  };
}

const bashWords = {
  plain: /^(?:--login|--norc|--noprofile|--noediting|-[il]+)$/,
  valued: /^(?:--rcfile|--init-file|[-+][oO])$/,
};
const bashLogin = /^(?:--login|-i*l[il]*)$/;

/**
 * An interactive shell reads our file as its rc file, after the system's. A login shell, and one that is to read no rc file, reads only
 * $ENV, and that in POSIX mode, which the file leaves first of all.
 */
function hookBash({ args, env, folder }: HookRequest): Hook | null {
  const script = join(folder, "cotty.bash");
  const words = readWords(args, bashWords);
  if (words === null || !existsSync(script)) return null;
  const isLogin = words.has(bashLogin);
  const readsRc = !words.has(/^--norc$/);
  if (!isLogin && readsRc) {
    const rcFile = words.value(/^--(?:rcfile|init-file)$/);
    return {
      args: ["--rcfile", script, ...withoutRcFile(args)],
      env: {
        COTTY_SHELL_WAY: "rc",
        ...(rcFile === undefined ? {} : { COTTY_SHELL_RCFILE: rcFile }),
      },
    };
  }
  // With these set bash begins in POSIX mode by itself, and its own start would be another one.
  if (words.value(/^-o$/) === "posix" || env.POSIXLY_CORRECT !== undefined) return null;
  const given = ["HISTFILE", "MAILCHECK"].filter((name) => env[name] !== undefined);
  return {
    args: ["--posix", ...args],
    env: {
      COTTY_SHELL_WAY: isLogin && !words.has(/^--noprofile$/) ? "login" : "bare",
      ...(env.ENV === undefined ? {} : { COTTY_SHELL_ENV: env.ENV }),
      ...(given.length === 0 ? {} : { COTTY_SHELL_GIVEN: given.join(" ") }),
      ENV: script,
    },
  };
}

function withoutRcFile(args: readonly string[]): readonly string[] {
  const isRcFile = (word: string | undefined) => word === "--rcfile" || word === "--init-file";
  return args.filter((word, at) => !isRcFile(word) && !isRcFile(args[at - 1]));
}

const zshWords = { plain: /^(?:--login|--interactive|-[il]+)$/, valued: /^[-+]o$/ };

/** The folder holds a .zshenv only, which gives ZDOTDIR back: everything else zsh reads from where it always does. */
function hookZsh({ args, env, folder }: HookRequest): Hook | null {
  const words = readWords(args, zshWords);
  const zshFolder = join(folder, "zsh");
  if (words === null || words.has(/^\+o$/) || !existsSync(join(zshFolder, ".zshenv"))) return null;
  const option = words.value(/^-o$/);
  if (option !== undefined && /^no_?rcs$/i.test(option)) return null;
  return {
    args,
    env: {
      ZDOTDIR: zshFolder,
      ...(env.ZDOTDIR === undefined ? {} : { COTTY_SHELL_ZDOTDIR: env.ZDOTDIR }),
    },
  };
}

const fishWords = {
  plain:
    /^(?:--login|--interactive|--private|--no-config|--init-command=.*|--features=.*|-[ilPN]+)$/s,
  valued: /^(?:-C|--init-command|-f|--features)$/,
};

function hookFish({ args, folder }: HookRequest): Hook | null {
  const script = join(folder, "cotty.fish");
  if (readWords(args, fishWords) === null || !existsSync(script)) return null;
  const quoted = script.replace(/[\\']/g, "\\$&");
  return { args: [...args, "--init-command", `source '${quoted}'`], env: {} };
}
