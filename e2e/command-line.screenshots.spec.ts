// Makes docs/screenshots/cli-*.txt: the command line as it looks in a person's terminal, drawn by an emulator, row for row.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { CommandLine } from "./fixtures/command-line.ts";
import { PersonTerminal } from "./fixtures/person-terminal.ts";
import { Server } from "./server.ts";

const folder = join(import.meta.dirname, "../docs/screenshots");
const usual = { cols: 80, rows: 24 };

test("captures of the command line", async () => {
  // Short, and the same everywhere: it is on the pictures.
  const project = mkdtempSync(join(tmpdir(), "webshop-"));
  const server = new Server([], { HOME: project });
  const terminals: PersonTerminal[] = [];
  const sit = async (size = usual) => {
    const me = await PersonTerminal.open(cotty.env, size);
    terminals.push(me);
    me.type("PS1='$ '; clear\r");
    await me.until((screen) => /^\$ *\n/.test(screen));
    return me;
  };
  const keep = (name: string, me: PersonTerminal) =>
    writeFileSync(
      join(folder, `cli-${name}.txt`),
      `${me.screen.trimEnd()}\n`.replaceAll(server.stateDir, "/home/mia/state/cotty"),
    );
  await server.start();
  const cotty = new CommandLine(server);
  try {
    const help = await sit({ cols: 80, rows: 60 });
    help.type("cotty --help\r");
    await help.until((screen) => /\n\$$/.test(screen.trimEnd()));
    keep("help", help);

    const shell = await cotty.shell("workshop", "--cwd", project);
    await cotty.get("send", shell, "PS1='webshop$ '; clear", "Enter");
    await cotty.get(
      "send",
      shell,
      "for part in cart prices tax; do echo built $part; done",
      "Enter",
    );
    await cotty.until(shell, "built tax");
    // Nobody's name: it would be that of whoever makes the captures.
    await cotty.get("lease", shell, "back");
    await cotty.get("new", "--name", "a build with a long name", "--", "sh", "-c", "exit 2");
    await cotty.get("new", "--name", "日本語", "--", "sleep", "600");
    const asking = "printf 'Password: '; stty -echo; read -r word";
    const login = await cotty.get("new", "--name", "login", "--", "sh", "-c", asking);
    await cotty.until(login, "Password:");
    const hidden = await cotty.get("new", "--name", "private", "--", "sleep", "600");
    await cotty.get("access", hidden, "sealed");
    const token = await server.token("agent", "claude");
    const list = await sit();
    list.type("cotty ls\r");
    await list.until((screen) => screen.includes("sealed") && screen.trimEnd().endsWith("$"));
    keep("ls", list);
    const agents = await PersonTerminal.open(
      { ...cotty.env, COTTY_URL: server.url, COTTY_TOKEN: token },
      usual,
    );
    terminals.push(agents);
    agents.type("PS1='$ '; clear\r");
    await agents.until((screen) => /^\$ *\n/.test(screen));
    agents.type("cotty ls\r");
    await agents.until((screen) => screen.includes("sealed") && screen.trimEnd().endsWith("$"));
    keep("ls-agent", agents);

    const viewer = await sit();
    viewer.type("cotty attach workshop --write\r");
    await viewer.until((screen) => screen.includes("built tax"));
    viewer.type("echo by hand\r");
    await viewer.until((screen) => /\nby hand\nwebshop\$/.test(screen));
    keep("attach", viewer);
    viewer.type("\x1d");
    await viewer.until((screen) => screen.includes("[detached from workshop]"));
    await viewer.until((screen) => screen.trimEnd().endsWith("$"));
    keep("attach-left", viewer);
    await cotty.get("lease", shell, "back");
    const larger = await sit({ cols: 100, rows: 30 });
    larger.type("cotty attach workshop\r");
    await larger.until((screen) => screen.includes("\nby hand"));
    keep("attach-larger", larger);

    const tui = await sit();
    tui.type("cotty tui workshop\r");
    await tui.until((screen) => screen.includes("by hand") && screen.includes("keyboard:"));
    tui.type("echo typed below");
    await tui.until((screen) => screen.includes("> echo typed below"));
    keep("tui", tui);
    tui.type("\x0f");
    await tui.until((screen) => screen.includes("login"));
    keep("tui-list", tui);
    for (const one of terminals) expect(one.received).not.toMatch(/cotty: /);
  } finally {
    for (const one of terminals) one.dispose();
    await server.stop();
    rmSync(project, { recursive: true, force: true });
  }
});
