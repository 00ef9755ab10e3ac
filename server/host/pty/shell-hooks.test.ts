import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookShell, scriptsFolder } from "./shell-hooks.ts";

function hooked(command: readonly string[], env: Record<string, string> = {}) {
  const [name = "", ...args] = command;
  return hookShell({ name, args, env });
}

const bash = join(scriptsFolder, "cotty.bash");

describe("how a shell is started with marks", () => {
  it.each([
    ["bash", "-c", "true"],
    ["bash", "script.sh"],
    ["bash", "-s"],
    ["bash", "-ic", "true"],
    ["bash", "--posix"],
    ["bash", "-r"],
    ["bash", "-l", "-o", "posix"],
    ["bash", "-o"],
    ["/bin/sh"],
    ["dash"],
    ["rbash"],
    ["zsh", "-f"],
    ["zsh", "-c", "true"],
    ["zsh", "-o", "NO_RCS"],
    ["zsh", "+o", "rcs"],
    ["fish", "-c", "true"],
    ["fish", "script.fish"],
    ["fish", "-n"],
    ["vim", "bash"],
    ["ssh", "host"],
  ])("[SI1] [SI2] %s %s %s is started as it is", (...command) => {
    const words = command.filter((word) => word !== undefined);
    const env = { HOME: "/home/ada" };
    expect(hooked(words, env)).toEqual({
      args: words.slice(1),
      env,
      integration: { kind: "none" },
    });
  });

  it("[SI1] bash reads our file in the place of its rc file, and our file the person's", () => {
    expect(hooked(["/bin/bash"])).toMatchObject({
      args: ["--rcfile", bash],
      env: { COTTY_SHELL_WAY: "rc" },
    });
    expect(hooked(["bash", "--noediting", "-i"]).args).toEqual([
      "--rcfile",
      bash,
      "--noediting",
      "-i",
    ]);
    expect(hooked(["bash", "--rcfile", "/x/rc", "-o", "vi"])).toMatchObject({
      args: ["--rcfile", bash, "-o", "vi"],
      env: { COTTY_SHELL_RCFILE: "/x/rc" },
    });
  });

  it.each([
    [["bash", "-l"], "login"],
    [["bash", "--login"], "login"],
    [["bash", "-il"], "login"],
    [["bash", "--noprofile", "-l"], "bare"],
    [["bash", "--norc"], "bare"],
  ])("[SI1] %j reads no rc file: $ENV is ours, and what it was comes back", (command, way) => {
    const { args, env } = hooked(command, { ENV: "/x/env", HISTFILE: "/x/history" });
    expect(args).toEqual(["--posix", ...command.slice(1)]);
    expect(env).toMatchObject({
      ENV: bash,
      COTTY_SHELL_ENV: "/x/env",
      COTTY_SHELL_WAY: way,
      COTTY_SHELL_GIVEN: "HISTFILE",
    });
    expect(hooked(command, { POSIXLY_CORRECT: "1" }).integration.kind).toBe("none");
  });

  it("[SI1] zsh and fish are given a folder and a word; a ZDOTDIR of the person's comes back", () => {
    expect(hooked(["zsh", "-l"], { ZDOTDIR: "/x" })).toMatchObject({
      args: ["-l"],
      env: { ZDOTDIR: join(scriptsFolder, "zsh"), COTTY_SHELL_ZDOTDIR: "/x" },
    });
    expect(hooked(["fish", "-C", "true"]).args).toEqual([
      "-C",
      "true",
      "--init-command",
      `source '${join(scriptsFolder, "cotty.fish")}'`,
    ]);
  });

  it("[SI1] every session has a nonce of its own, and an installation without the scripts starts shells as they are", () => {
    const nonces = [1, 2, 3].map(() => {
      const { env, integration } = hooked(["bash"]);
      expect(integration).toEqual({ kind: "hooked", nonce: env.COTTY_SHELL_NONCE });
      return env.COTTY_SHELL_NONCE;
    });
    expect(new Set(nonces).size).toBe(3);
    expect(nonces[0]).toMatch(/^[0-9a-f]{32}$/);
    for (const name of ["bash", "zsh", "fish"])
      expect(hookShell({ name, args: [], env: {} }, "/nowhere").integration.kind).toBe("none");
  });

  it("[SI2] the script for bash uses nothing that came after 4.4", () => {
    const script = readFileSync(bash, "utf8");
    // 5.0: EPOCH*, BASH_ARGV0, localvar_inherit, history -d ranges. 5.1: SRANDOM, @U @u @L @K. 5.2: @k, patsub_replacement, varredir_close.
    // 5.3: ${ command; }.
    expect(script).not.toMatch(
      /EPOCH|BASH_ARGV0|localvar|SRANDOM|@[UuLKk]\}|patsub|varredir|\$\{ |\$\{\||wait -p|GLOBSORT/,
    );
  });
});
