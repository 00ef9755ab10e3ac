// Records real shells with markers, as sessions of Cotty's own parts: npx tsx e2e/recordings/record-shells.ts [NAME ...]. Writes NAME.cast
// (the log) and NAME.json (what the live session said of it). Drives each shell with the same situations.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import { formatRecording, LogTap, withoutSurroundings } from "#server/testing/log-recording.ts";
import { realRig } from "#server/testing/real-rig.ts";

/** Key strokes; `^C` where a line stands for itself. */
const situations = [
  "true",
  "clear; echo cleared",
  "false",
  "(exit 3)",
  "echo b | tr b a",
  "for x in 1 2\ndo echo $x\ndone",
  "cat <<EOF\nhere\nEOF",
  "",
  "echo unfinished^C",
  "sleep 60\r^C",
  "sleep 0.2 &",
  "cd /usr",
  "echo a; echo 'b; c'",
  "printf '\\033[?1049h\\033[Hfull screen'; sleep 0.1; printf '\\033[?1049l'",
  "seq 100",
  "echo one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
  "echo 'äöü 漢字'",
];

const bash133 = `
PS1='\\[\\e]133;D;$?\\a\\e]133;A\\a\\]$ \\[\\e]133;B\\a\\]'
PS2='> '
PS0='\\e]133;C\\a'
unset HISTFILE
`;
const zsh133 = `
precmd() { print -n "\\e]133;D;$?\\a\\e]133;A\\a" }
preexec() { print -n "\\e]133;C;\\a" }
PROMPT=$'$ %{\\e]133;B\\a%}'
RPROMPT='right'
unset HISTFILE
`;
const fish133 = `
function fish_greeting; end
function fish_prompt; printf '\\e]133;A\\a$ \\e]133;B\\a'; end
function mark_start --on-event fish_preexec; printf '\\e]133;C;cmdline_url=%s\\a' (string escape --style=url -- $argv); end
function mark_end --on-event fish_postexec; printf '\\e]133;D;%s\\a' $status; end
`;

interface Shell {
  readonly size: GridSize;
  readonly lines?: readonly string[];
  create(folder: string): CreateSession;
}

const put = (folder: string, name: string, text: string) => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const fishLines = situations
  .filter((line) => !line.startsWith("cat <<"))
  .map((line) =>
    line === "(exit 3)"
      ? "sh -c 'exit 3'"
      : line.startsWith("for")
        ? "for x in 1 2\necho $x\nend"
        : line,
  );

const shells: Record<string, Shell> = {
  "bash-133": {
    size: { cols: 60, rows: 12 },
    create: (folder) => ({
      command: ["bash", "--noprofile", "--rcfile", put(folder, "rc", bash133), "-i"],
      integration: "off",
    }),
  },
  "zsh-133": {
    size: { cols: 60, rows: 12 },
    create: (folder) => {
      put(folder, ".zshrc", zsh133);
      return { command: ["zsh", "-d", "-i"], env: { ZDOTDIR: folder }, integration: "off" };
    },
  },
  "fish-133": {
    size: { cols: 60, rows: 12 },
    lines: fishLines,
    create: (folder) => {
      put(folder, ".config/fish/config.fish", fish133);
      return { command: ["fish", "-i"], integration: "off" };
    },
  },
  "bash-own": { size: { cols: 60, rows: 12 }, create: () => ({ command: ["bash"] }) },
  "zsh-own": {
    size: { cols: 60, rows: 12 },
    create: (folder) => {
      put(folder, ".zshrc", "PROMPT='%% '\n");
      return { command: ["zsh"] };
    },
  },
  "fish-own": {
    size: { cols: 60, rows: 12 },
    lines: fishLines,
    create: (folder) => {
      put(folder, ".config/fish/config.fish", "function fish_prompt; printf '> '; end\n");
      return { command: ["fish"] };
    },
  },
};

async function record(name: string, shell: Shell): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cotty-recording-"));
  put(folder, ".bashrc", "PS1='$ '\n");
  const rig = await realRig();
  const request = shell.create(folder);
  const session = await rig.create({
    ...request,
    ...shell.size,
    cwd: "/",
    env: { HOME: folder, LANG: "C.UTF-8", ...request.env },
  });
  const began = performance.now();
  const { sink } = session.dump();
  const tap = new LogTap();
  let last = began;
  sink.onFrame((frame) => {
    last = performance.now();
    tap.take(frame, Math.round(last - began));
  });
  const quiet = async () => {
    do await pause(100);
    while (performance.now() - last < 500);
  };
  const port = session.port();
  const type = async (text: string) => {
    for (const part of text.split(/(\^C)/)) {
      if (part === "^C") await port.write([{ key: "C-c" }]);
      else if (part !== "") await port.write([{ text: part.replaceAll("\n", "\r") }]);
      await quiet();
    }
  };
  await quiet();
  for (const line of shell.lines ?? situations)
    await type(line.endsWith("^C") ? line : `${line}\n`);
  port.resize({ cols: 60, rows: 8 });
  await type("echo lower\n");
  port.resize({ cols: 44, rows: 8 });
  await quiet();
  await type("echo narrower\n");
  await type("exit\n");
  const { commands } = await port.listCommands({ limit: 256 });
  const { entries, nonce } = tap;
  const outputs: string[] = [];
  for (const { index } of commands) outputs.push((await port.readCommandOutput(index)).output.text);
  const { lines } = await port.screen();
  await port.close("HUP");
  rig.registry.dispose();
  rmSync(folder, { recursive: true, force: true });
  const ours = commands.map(withoutSurroundings);
  const file = join(import.meta.dirname, name);
  writeFileSync(`${file}.cast`, formatRecording({ size: shell.size, nonce, entries }));
  writeFileSync(`${file}.json`, `${JSON.stringify({ records: ours, outputs, lines }, null, 2)}\n`);
  console.log(`${name}: ${entries.length} entries, ${ours.length} commands`);
  for (const one of commands)
    console.log(
      `  ${one.index} ${one.exit_code ?? "-"} ${JSON.stringify(one.command)} ${one.flags}`,
    );
}

const wanted = process.argv.slice(2);
for (const [name, shell] of Object.entries(shells))
  if (wanted.length === 0 || wanted.includes(name)) await record(name, shell);
process.exit(0);
