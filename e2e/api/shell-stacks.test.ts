// [SI2] Real shells with the prompts that people use, through the whole server: what is typed comes back as commands, each once, with its
// line, exit code, directory and output.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CommandList, CommandRecord, OutputReply } from "#lib/protocol/journal.ts";
import type { CreateSession, SessionInfo } from "#lib/protocol/session.ts";
import { fishHome } from "#server/testing/fish-home.ts";
import { furnish, type PromptStack, promptStacks } from "../fixtures/prompt-stacks.ts";
import { Server } from "../server.ts";
import { Caller, until } from "./caller.ts";

let server: Server;
let owner: Caller;
const homes = mkdtempSync(join(tmpdir(), "cotty-homes-"));

beforeAll(async () => {
  server = new Server();
  await server.start();
  owner = await Caller.owner(server);
});
afterAll(async () => {
  owner?.dispose();
  await server?.stop();
  rmSync(homes, { recursive: true, force: true });
});

/** One shell under test, and how many commands it has told. */
class Shell {
  private count = 0;

  private constructor(
    readonly id: string,
    readonly home: string,
  ) {}

  static async start(
    stack: Pick<PromptStack, "command" | "files" | "env">,
    more: CreateSession = {},
  ): Promise<Shell> {
    const home = fishHome(mkdtempSync(join(homes, "home-")));
    furnish(home, stack);
    const { id } = await owner.create({
      command: [...stack.command],
      env: { HOME: home, XDG_CONFIG_HOME: join(home, ".config"), ...stack.env },
      cwd: home,
      cols: 100,
      rows: 100,
      ...more,
    });
    return new Shell(id, home);
  }

  list(): Promise<CommandList> {
    return owner.call("GET", `/sessions/${this.id}/commands?limit=256`);
  }

  /** The shell shows a prompt. */
  async prompt(): Promise<void> {
    const told = ({ integration, phase }: SessionInfo) =>
      integration.startsWith("osc") && phase === "idle";
    await this.untilInfo("a prompt", told);
  }

  private async untilInfo(what: string, isTrue: (info: SessionInfo) => boolean): Promise<void> {
    try {
      await until(what, async () => isTrue(await owner.info(this.id)), 25_000);
    } catch (error) {
      const { lines } = await owner.screen(this.id);
      const { phase, last_command } = await owner.info(this.id);
      const said = (await this.said()).join(" / ");
      const shown = lines.filter((line) => line !== "").join("\n");
      throw new Error(`${error}\n${phase} ${JSON.stringify(last_command)} ${said}\n${shown}`);
    }
  }

  type(text: string): Promise<unknown> {
    return owner.line(this.id, text);
  }

  /** The next command's record once it has ended and the shell has its prompt again, and its output. */
  async ended(): Promise<{ record: CommandRecord; output: OutputReply }> {
    this.count += 1;
    const index = this.count;
    const isOver = ({ last_command, phase }: SessionInfo) =>
      last_command?.index === index && !last_command.running && phase === "idle";
    await this.untilInfo(`command ${index} to end`, isOver);
    return owner.call("GET", `/sessions/${this.id}/commands/${index}/output?max_bytes=1000000`);
  }

  async run(text: string) {
    await this.type(text);
    const { record, output } = await this.ended();
    return { line: record.command, code: record.exit_code, output: output.text, record };
  }

  /** Line and exit code of all commands. */
  async said(): Promise<string[]> {
    const { commands } = await this.list();
    return commands.map(
      ({ command, exit_code, flags }) =>
        `${command} ${exit_code ?? "-"} ${flags.filter((flag) => flag !== "has_exit").join()}`,
    );
  }
}

const loop = {
  bash: ["for i in 1 2\ndo echo n$i\ndone", "for i in 1 2; do echo n$i; done"],
  zsh: ["for i in 1 2\ndo echo n$i\ndone", "for i in 1 2\ndo echo n$i\ndone"],
  fish: ["for i in 1 2\necho n$i\nend", "for i in 1 2\necho n$i\nend"],
} as const;

describe.concurrent("[SI2] commands of a shell with its prompt", () => {
  it.each(promptStacks)("$name", async (stack) => {
    const shell = await Shell.start(stack);
    const { shell: kind } = stack;
    await shell.prompt();
    expect((await shell.list()).commands).toEqual([]);

    const ran = async (text: string, code: number, output: string, line = text) => {
      const got = await shell.run(text);
      expect({ line: got.line, code: got.code, output: got.output }).toEqual({
        line,
        code,
        output,
      });
      expect(got.record.flags).toEqual(["has_exit"]);
      expect(got.record.integration).toBe(stack.dialect);
      return got.record;
    };

    const first = await ran("true", 0, "");
    expect(first).toMatchObject({ cwd: shell.home, command_from: "shell" });
    await ran("false", 1, "");
    await ran(kind === "fish" ? "sh -c 'exit 3'" : "(exit 3)", 3, "");
    await ran("printf 'b\\na\\n' | sort", 0, "a\nb\n");
    await ran("printf 'no newline; \\\\ é'", 0, "no newline; \\ é");
    const unknown = await shell.run("no-such-command");
    expect([unknown.line, unknown.code]).toEqual(["no-such-command", 127]);
    expect(unknown.output).toMatch(/no-such-command/);

    const [typed, told] = loop[kind];
    await ran(typed, 0, "n1\nn2\n", told);
    if (kind !== "fish") await ran("cat <<E\n a;b\nE", 0, " a;b\n");

    // The same line again: the history may keep it once.
    await ran("echo again", 0, "again\n");
    const again = await ran("echo again", 0, "again\n");
    expect(again.command_from).toBe(stack.repeats ?? "shell");

    // Ctrl-C with a line half typed and on an empty one, Enter on an empty one: no commands.
    await owner.input(shell.id, { text: "half a li" });
    await owner.untilText(shell.id, "half a li");
    const before = (await owner.screen(shell.id)).cursor;
    await owner.input(shell.id, { key: "C-c" });
    await owner.untilScreen(
      shell.id,
      "a new prompt",
      ({ cursor }) => cursor.y !== before.y || cursor.x < before.x,
    );
    await shell.prompt();
    const empty = (await owner.screen(shell.id)).cursor;
    await owner.input(shell.id, { key: "C-c" });
    // fish shows nothing of it.
    if (kind !== "fish")
      await owner.untilScreen(shell.id, "another prompt", ({ cursor }) => cursor.y !== empty.y);
    await shell.prompt();
    await shell.type("");

    await shell.type("sleep 61");
    await until("sleep to run", async () => (await owner.info(shell.id)).foreground === "sleep");
    await owner.input(shell.id, { key: "C-c" });
    const stopped = await shell.ended();
    expect(stopped.record).toMatchObject({ command: "sleep 61", exit_code: 130 });

    await ran("true", 0, "");
    const job = await shell.run("sleep 0.3 &");
    expect([job.line, job.code]).toEqual(["sleep 0.3 &", 0]);
    // What the shell says of the job belongs to whichever command it ended in.
    expect((await shell.run("wait")).code).toBe(0);
    await ran("true", 0, "");
    await ran("cd /tmp", 0, "");
    const there = await ran("pwd", 0, "/tmp\n");
    expect(there.cwd).toBe("/tmp");
    if (kind !== "fish") await ran("echo !!", 0, "pwd\n", "echo pwd");

    const long = await shell.run("seq 1 100000");
    expect([long.line, long.code]).toEqual(["seq 1 100000", 0]);
    expect(long.record.flags).toEqual(["has_exit", "evicted"]);
    const tail = long.output.trimEnd().split("\n").map(Number);
    expect(tail.length).toBeGreaterThan(4_000);
    expect(tail.at(-1)).toBe(100_000);
    expect(tail.every((number, at) => number === 100_001 - tail.length + at)).toBe(true);
    const last = await ran("echo end", 0, "end\n");

    const { commands } = await shell.list();
    expect(commands.map(({ index }) => index)).toEqual(commands.map((_, at) => at + 1));
    expect(commands.at(-1)?.index).toBe(last.index);
    if (stack.heard !== undefined) {
      const heard = readFileSync(join(shell.home, stack.heard), "utf8");
      expect(heard).toContain("sleep 61");
      expect(heard.replaceAll("__cotty_start", "")).not.toContain("__cotty");
    }
    await owner.close(shell.id);
  });
});

describe.concurrent("[SI1] [SI2] shells without marks of ours", () => {
  it("[JR6] dash tells nothing, and nothing is invented", async () => {
    const shell = await Shell.start({ command: ["/bin/sh", "-i"], files: {} });
    await shell.type("echo plain-$((1+1))");
    await owner.untilText(shell.id, "plain-2");
    expect(await owner.info(shell.id)).toMatchObject({ integration: "none", last_command: null });
    expect(await shell.list()).toMatchObject({ commands: [], integration: "none" });
    await owner.close(shell.id);
  });

  it.each([
    ["/bin/bash", "declare -F; declare -p"],
    ["zsh", "typeset -p; typeset +f"],
    ["fish", "functions --all --names; set"],
  ])("%s with integration off is started as it is", async (name, names) => {
    const shell = await Shell.start(
      { command: [name], files: { ".zshrc": "" } },
      { integration: "off" },
    );
    await owner.untilScreen(shell.id, "a prompt", ({ cursor }) => cursor.x > 0);
    const all = name === "fish" ? `begin; ${names}; env; end` : `{ ${names}; env; }`;
    await shell.type(`${all} | grep -cE '__cotty|COTTY_SHELL'; echo off-'on'`);
    const { lines } = await owner.untilText(shell.id, "off-on");
    expect(lines).toContain("0");
    expect(await owner.info(shell.id)).toMatchObject({ integration: "off", last_command: null });
    await owner.close(shell.id);
  });

  it("a shell in the shell, and one far away, is one command until it exits; exec is one to the end", async () => {
    const shell = await Shell.start({
      command: ["/bin/bash"],
      // PS1 is exported by some: a shell that inherits it must print no marks.
      files: { ".bashrc": "export PS1='in $ ' PS0" },
    });
    await shell.prompt();
    for (const inner of [
      "bash --norc",
      "env -i TERM=$TERM HOME=/tmp bash --norc --noprofile -i",
      "sh",
    ]) {
      await shell.type(inner);
      // Its line is told when the outer shell has let go of the terminal.
      await until(`${inner} to run`, async () => {
        const { last_command } = await owner.info(shell.id);
        return last_command?.running === true && last_command.command === inner;
      });
      await shell.type("echo inner-$((1+1))");
      const { lines } = await owner.untilText(shell.id, "inner-2");
      expect(lines.join("\n")).not.toMatch(/cotty|\\\[/);
      await shell.type("clear");
      await owner.input(shell.id, { text: "exit 5\n" });
      const { record } = await shell.ended();
      expect([record.command, record.exit_code]).toEqual([inner, 5]);
    }
    await shell.run("true");
    await shell.type("exec bash --norc");
    await until("exec", async () => (await shell.said()).at(-1) === "exec bash --norc - running");
    await shell.type("echo after-$((1+1))");
    await owner.untilText(shell.id, "after-2");
    expect((await shell.said()).slice(-2)).toEqual(["true 0 ", "exec bash --norc - running"]);
    await shell.type("exit 3");
    await owner.untilExit(shell.id);
    expect((await shell.said()).at(-1)).toBe("exec bash --norc - incomplete,pty_exited");
  });

  it("[B081] [JR1] marks that a program prints are told from the shell's, and the shell goes on", async () => {
    const shell = await Shell.start({ command: ["/bin/bash"], files: {} });
    await shell.prompt();
    // Of the other family: not listened to.
    const other =
      "printf '\\e]133;D;0\\a\\e]133;A\\a\\e]133;C;cmdline=x\\aok\\n'; exit_with() { return 9; }; exit_with";
    expect(await shell.run(other)).toMatchObject({ code: 9, output: "ok\n" });
    await shell.type(
      "printf '\\e]633;D;0\\a\\e]633;A\\a\\e]633;B\\a\\e]633;E;rm -rf /\\a\\e]633;C\\aok\\n'",
    );
    await until("both commands", async () => (await shell.list()).next_index === 4);
    await shell.prompt();
    const { commands } = await shell.list();
    expect(commands[2]).toMatchObject({ command: "rm -rf /", command_from: "program" });
    await shell.type("false");
    await until("the next command", async () => (await shell.list()).next_index === 5);
    await shell.prompt();
    const last = (await shell.list()).commands.at(-1);
    expect(last).toMatchObject({ command: "false", command_from: "shell", exit_code: 1 });
    await owner.close(shell.id);
  });

  it("two lines pasted at once are two commands", async () => {
    const shell = await Shell.start({ command: ["/bin/bash"], files: {} });
    await shell.prompt();
    await owner.input(shell.id, { text: "false\n(exit 4)\n", paste: true });
    await owner.input(shell.id, { key: "Enter" });
    await until("both", async () => (await shell.list()).next_index === 3);
    await shell.prompt();
    expect(await shell.said()).toEqual(["false 1 ", "(exit 4) 4 "]);
    await owner.close(shell.id);
  });

  it.each(["/bin/bash", "zsh", "fish"])(
    "[SI1] %s: a long command line is cut, not lost",
    async (name) => {
      const shell = await Shell.start({ command: [name], files: { ".zshrc": "" } });
      await shell.prompt();
      // Every byte of it is written as several in a mark.
      const { line, code } = await shell.run(`: '${"é;\\\\".repeat(1_000)}'`);
      expect(code).toBe(0);
      expect(line).toMatch(/^: 'é;\\\\é;/);
      expect(line?.length).toBeGreaterThan(1_500);
      await owner.close(shell.id);
    },
  );
});

describe("[SI1] the snippets of docs/shell-integration.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/shell-integration.md"), "utf8");
  const snippet = (language: string) =>
    new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? "";
  it.concurrent.each([
    ["bash", ["env", "bash"], ".bashrc", "screen"],
    ["zsh", ["env", "zsh"], ".zshrc", "program"],
    ["fish", ["env", "fish"], ".config/fish/config.fish", "program"],
  ] as const)("%s", async (language, command, file, from) => {
    expect(snippet(language)).toContain("633;C");
    const prompt = language === "bash" ? "PS1='far $ '\n" : "";
    const files = { [file]: `${prompt}${snippet(language)}` };
    const shell = await Shell.start({ command, files });
    await shell.prompt();
    for (const [text, code] of [
      ["true", 0],
      ["sh -c 'exit 4'", 4],
      ["echo 'a;b\\c'", 0],
    ] as const) {
      const { line, record } = await shell.run(text);
      expect([line, record.exit_code, record.command_from]).toEqual([text, code, from]);
    }
    await shell.run("cd /tmp");
    expect((await shell.run("false")).record).toMatchObject({ cwd: "/tmp", exit_code: 1 });
    await owner.close(shell.id);

    // In a shell that Cotty did start they do nothing; in one inside it, its commands are recorded.
    const outer = await Shell.start({ command: [language], files });
    await outer.prompt();
    expect((await outer.run("true")).record).toMatchObject({ command_from: "shell" });
    expect(await outer.said()).toEqual(["true 0 "]);
    await outer.type(language);
    await until(
      "the inner prompt",
      async () => (await outer.said())[1]?.endsWith("incomplete") === true,
    );
    await outer.prompt();
    await outer.type("false");
    await until("the inner command", async () => (await outer.said())[2] === "false 1 ");
    await owner.close(outer.id);
  });
});

describe("[SI1] the whole server without integration", () => {
  it("starts every shell as it is, and says off", async () => {
    const quiet = new Server([], { COTTY_SHELL_INTEGRATION: "off" });
    try {
      await quiet.start();
      const caller = await Caller.owner(quiet);
      const { id } = await caller.create({ command: ["/bin/bash"] });
      await caller.line(id, "declare -F | grep -c __cotty; echo done-$((1+1))");
      const { lines } = await caller.untilText(id, "done-2");
      expect(lines).toContain("0");
      expect(await caller.info(id)).toMatchObject({ integration: "off" });
    } finally {
      await quiet.stop();
    }
  });
});
