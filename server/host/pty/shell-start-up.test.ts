// [SI1] Real shells, once as they are and once with marks: what their start-up files did and what people can see must be the same.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shells expand these.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { CreateSession } from "#lib/protocol/session.ts";
import { fishHome } from "#server/testing/fish-home.ts";
import { PtyTranscript } from "#server/testing/pty.contract.ts";
import { createPtyFactory } from "./pty-factory.ts";
import { resolveSpawnSpec } from "./spawn-spec.ts";

const folder = mkdtempSync(join(tmpdir(), "cotty-start-up-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const factory = await createPtyFactory({ noTerminal: false });

interface Case {
  readonly command: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

function homeOf({ files }: Case): string {
  const home = fishHome(mkdtempSync(join(folder, "home-")));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
}

/** Types `lines` into the shell and ends with it; what it printed. */
async function typed(one: Case, home: string, lines: readonly string[], isMarked: boolean) {
  const request: CreateSession = {
    command: [...one.command],
    env: { HOME: home, PATH: process.env.PATH ?? "/usr/bin:/bin", ...one.env },
    cwd: home,
    cols: 200,
  };
  const defaults = { sessionId: "s".repeat(26), environment: { LANG: "C.UTF-8" } };
  const spec = resolveSpawnSpec(request, { ...defaults, shellIntegration: isMarked });
  expect(spec.integration.kind).toBe(isMarked ? "hooked" : "off");
  const shell = new PtyTranscript(await factory.spawn(spec));
  try {
    for (const line of lines) shell.pty.write(Buffer.from(`${line}\n`));
    await shell.exited;
    return shell.text;
  } finally {
    shell.pty.dispose();
  }
}

const bashDump = [
  'echo "status $?"',
  "declare -p; declare -F; alias; shopt -o; shopt; trap -p; enable; umask; ulimit -a",
  'echo "flags $- zero $0 args $# login $(shopt login_shell) source ${BASH_SOURCE-} depth ${#BASH_SOURCE[@]}"',
  "env",
].join("; ");
const zshDump = [
  "typeset -p; print -l ${(ok)functions}; alias; setopt; trap; print -l $zsh_eval_context",
  'echo "flags $- zero $0 args $#"',
  "env",
].join("; ");
const fishDump =
  "set --show | string match -v '*history*'; functions --all --names | string split ', '; abbr; bind; status; env; complete | count";

/**
 * Different from one shell to the next without anybody's doing; and what only the first prompt has of the start-up files' last command
 * (PIPESTATUS) or of a file having been read at all (BASH_ARGC).
 */
const restless =
  /^(?:declare -\S+ |typeset (?:-\S+ )?|export |\$)?(?:BASHPID|PPID|PID|RANDOM|SRANDOM|EPOCH\w+|SECONDS|LINENO|BASH_LINENO|_|HISTCMD|PIPESTATUS|BASH_ARGC|BASH_ARGV|TTYIDLE|TTY|fish_pid|fish_killring|last_pid|status_generation|CMD_DURATION|__fish_\w*pid\w*|argv|XDG_COTTY\w*)\b/;

function lines(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line !== "" && !restless.test(line));
}

/** Lines that only one of the two shells has, ours named by their names only. */
async function differences(one: Case, dump: string) {
  const home = homeOf(one);
  const dumpOf = async (isMarked: boolean) => {
    const file = join(home, "dump");
    await typed(one, home, [`{ ${dump}; } >'${file}' 2>&1`, "exit"], isMarked);
    return lines(readFileSync(file, "utf8"));
  };
  const isFish = one.command[0] === "fish";
  const run = isFish
    ? async (isMarked: boolean) => {
        const file = join(home, "dump");
        await typed(one, home, [`begin; ${dump}; end >'${file}' 2>&1`, "exit"], isMarked);
        return lines(readFileSync(file, "utf8"));
      }
    : dumpOf;
  const plain = await run(false);
  const marked = await run(true);
  const [had, has] = [new Set(plain), new Set(marked)];
  return {
    lost: plain.filter((line) => !has.has(line)),
    added: marked.filter((line) => !had.has(line) && !/__cotty_/.test(line)),
    // Function names and variables of ours, and what names them.
    ours: marked.filter((line) => !had.has(line) && /__cotty_/.test(line)).length,
  };
}

function withoutMarks(text: string): string {
  return text.replaceAll(/\x1b\][^\x07]*\x07/g, "");
}

const rc = [
  "FROM_RC=1; export EXPORTED=2; alias ll='ls -l'; set -o vi; shopt -s autocd globstar",
  'their() { echo "${BASH_SOURCE[0]##*/}"; }; WHERE=$(their); HISTCONTROL=ignorespace:erasedups',
  "trap 'echo usr1' USR1; declare -a LIST=(a b); set -- one two; [ -n \"$PS1\" ] && SAW_PS1=$PS1; SAW_FLAGS=$-",
  "PS1='mine \\$ '; PS2='more> '",
  "[ -n x ]; return",
].join("\n");

describe("a shell that starts with marks", () => {
  it.each<[string, Case]>([
    ["bash", { command: ["/bin/bash"], files: { ".bashrc": rc } }],
    ["bash with no files at all", { command: ["/bin/bash"], files: {} }],
    ["bash --norc", { command: ["/bin/bash", "--norc"], files: { ".bashrc": rc } }],
    [
      "bash with an rc file of its own",
      { command: ["/bin/bash", "--rcfile", "/etc/skel/.bashrc", "-i"], files: { ".bashrc": rc } },
    ],
    [
      "a login bash with .bash_profile before .profile",
      {
        command: ["/bin/bash", "-l"],
        files: { ".bash_profile": rc, ".profile": "WRONG=1", ".bashrc": "WRONG=2" },
      },
    ],
    [
      "a login bash with .bash_login",
      { command: ["/bin/bash", "-il"], files: { ".bash_login": rc, ".profile": "WRONG=1" } },
    ],
    [
      "a login bash with .profile",
      {
        command: ["/bin/bash", "--login"],
        files: {
          ".profile": `${rc.replace("[ -n x ]; return", "")}\n. ~/.bashrc`,
          ".bashrc": "BOTH=1",
        },
      },
    ],
    [
      "bash with ENV, BASH_ENV, HISTFILE and MAILCHECK of the person's",
      {
        command: ["/bin/bash", "-l"],
        files: { ".profile": "" },
        env: { ENV: "/x/env", BASH_ENV: "/x/bash-env", HISTFILE: "/x/history", MAILCHECK: "7" },
      },
    ],
    [
      "bash with strict options",
      { command: ["/bin/bash"], files: { ".bashrc": `set -uE; set -o pipefail noclobber\n${rc}` } },
    ],
  ])(
    "[SI1] %s: only PS1, PS0 and PROMPT_COMMAND differ, and names with __cotty_",
    async (_, one) => {
      const { lost, added, ours } = await differences(one, bashDump);
      expect(lost.filter((line) => !/^declare -- (?:PS1|PROMPT_COMMAND)=/.test(line))).toEqual([]);
      expect(added).toEqual([]);
      expect(ours).toBeGreaterThan(5);
    },
  );

  it.each<[string, Case]>([
    [
      "zsh",
      {
        command: ["zsh"],
        files: {
          ".zshenv": "FROM_ENV=1; export EXPORTED=2",
          ".zshrc":
            "FROM_RC=$ZDOTDIR$FROM_ENV; setopt autocd; alias ll='ls -l'; PS1='mine %# '; WHERE=${(%):-%x}; ZERO=$0",
        },
      },
    ],
    [
      "a login zsh with a ZDOTDIR in the environment",
      {
        command: ["zsh", "-l"],
        env: { ZDOTDIR: "/nowhere" },
        files: { ".zshenv": "WRONG=1", ".zshrc": "WRONG=1" },
      },
    ],
    [
      "a login zsh whose .zshenv sets ZDOTDIR",
      {
        command: ["zsh", "-l"],
        files: {
          ".zshenv": "ZDOTDIR=$HOME/z",
          "z/.zprofile": "PROFILE=1",
          "z/.zshrc": "RC=1; setopt no_unset err_return",
          "z/.zlogin": "LOGIN=1",
          ".zshrc": "WRONG=1",
        },
      },
    ],
  ])("[SI1] %s: only the two lists of hooks and PROMPT_EOL_MARK differ", async (_, one) => {
    const { lost, added, ours } = await differences(one, zshDump);
    expect(lost).toEqual([]);
    const allowed = /^(?:typeset (?:-a )?(?:PROMPT_EOL_MARK|precmd_functions|preexec_functions)=)/;
    expect(added.filter((line) => !allowed.test(line))).toEqual([]);
    expect(ours).toBeGreaterThan(3);
  });

  it("[SI1] fish: only names with __cotty_ are new, and fish_prompt calls what it was", async () => {
    const one = {
      command: ["fish"],
      files: { ".config/fish/config.fish": "set -g from_config 1; abbr -a gs 'git status'" },
    };
    const { lost, added, ours } = await differences(one, fishDump);
    expect({ lost, added }).toEqual({ lost: [], added: [] });
    expect(ours).toBeGreaterThan(3);
  });

  it("[SI1] [JR1] the nonce reaches no program that the shell starts, nor start-up files", async () => {
    const names = "env | grep -c COTTY_SHELL >>$HOME/seen";
    for (const [command, files] of [
      [["/bin/bash"], { ".bashrc": names }],
      [["/bin/bash", "-l"], { ".profile": names }],
      [["zsh"], { ".zshenv": names, ".zshrc": names }],
      [["fish"], {}],
    ] as const) {
      const one: Case = { command, files };
      const home = homeOf(one);
      await typed(one, home, ["env | grep -c COTTY_SHELL >>$HOME/seen", "exit"], true);
      expect(new Set(lines(readFileSync(join(home, "seen"), "utf8")))).toEqual(new Set(["0"]));
    }
  });

  it("[SI1] [B079] a DEBUG trap runs for what is typed and for the person's hooks, and for nothing of ours", async () => {
    const one = {
      command: ["/bin/bash"],
      files: {
        ".bashrc": [
          "theirs() { :; }",
          "PROMPT_COMMAND=theirs",
          'trap \'echo "$BASH_COMMAND" >>"$HOME/ran"\' DEBUG',
        ].join("\n"),
      },
    };
    const ran = async (isMarked: boolean) => {
      const home = homeOf(one);
      await typed(one, home, ["true", "false", "echo a | cat", "exit"], isMarked);
      return lines(readFileSync(join(home, "ran"), "utf8"));
    };
    const plain = await ran(false);
    const marked = await ran(true);
    // Once, when the start-up files have been read and the trap is not known yet.
    expect(marked.filter((line) => !/__cotty_start/.test(line) && line !== ":")).toEqual(plain);
    expect(marked.length - plain.length).toBeLessThanOrEqual(3);
  });

  it("[SI1] [B079] a DEBUG trap may still veto, and sees no command of ours with extdebug", async () => {
    const one = {
      command: ["/bin/bash"],
      files: {
        ".bashrc": [
          "shopt -s extdebug",
          'veto() { echo "$BASH_COMMAND" >>"$HOME/ran"; [[ $BASH_COMMAND != *forbidden* ]]; }',
          "trap veto DEBUG",
        ].join("\n"),
      },
    };
    const home = homeOf(one);
    const said = await typed(
      one,
      home,
      ["echo forbidden $((1+1))", "echo allowed $((1+1))", "exit"],
      true,
    );
    expect(withoutMarks(said)).toContain("\rallowed 2\r");
    expect(withoutMarks(said)).not.toContain("\rforbidden 2");
    const ran = lines(readFileSync(join(home, "ran"), "utf8"));
    const first = ran.findIndex((line) => line.startsWith("echo forbidden"));
    expect(ran.slice(first)).toEqual(["echo forbidden $((1+1))", "echo allowed $((1+1))", "exit"]);
  });

  it("[SI1] status and PIPESTATUS are the command's in PROMPT_COMMAND, as a string and as an array, and in PS1", async () => {
    for (const hooks of ["PROMPT_COMMAND=note", "PROMPT_COMMAND=(note note)"]) {
      const one = {
        command: ["/bin/bash"],
        files: {
          ".bashrc": `note() { echo "$? \${PIPESTATUS[*]}" >>"$HOME/seen"; }\n${hooks}\nPS1='<$?>'`,
        },
      };
      const seen = async (isMarked: boolean) => {
        const home = homeOf(one);
        const said = await typed(one, home, ["false", "true | (exit 4) | true", "exit"], isMarked);
        return [lines(readFileSync(join(home, "seen"), "utf8")), said.match(/<\d+>/g)];
      };
      expect(await seen(true)).toEqual(await seen(false));
    }
  });

  it("[SI1] errexit, xtrace and nounset show and end nothing that they would not without us", async () => {
    const one = { command: ["/bin/bash"], files: { ".bashrc": "PS1='$ '" } };
    const home = homeOf(one);
    const said = await typed(
      one,
      home,
      ["set -eux", "! true", "echo still $((1+1))", "exit"],
      true,
    );
    expect(said).toContain("still 2");
    expect(said).toContain("+ echo still 2");
    expect(withoutMarks(said)).not.toContain("cotty");
  });

  it("[SI1] a start-up file that ends the shell, or becomes another program, still does", async () => {
    const ends = { command: ["/bin/bash"], files: { ".bashrc": "echo bye; exit 7" } };
    expect(await typed(ends, homeOf(ends), [], true)).toContain("bye");
    const becomes = { command: ["zsh"], files: { ".zshrc": "exec sh -c 'echo other'" } };
    expect(await typed(becomes, homeOf(becomes), [], true)).toContain("other");
  });
});
