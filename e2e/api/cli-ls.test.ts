// `cotty ls` as a table in a person's terminal (CL1): its columns, what is cut and where, and what is told of a sealed session.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { CommandLine } from "../fixtures/command-line.ts";
import { PersonTerminal } from "../fixtures/person-terminal.ts";
import { Server } from "../server.ts";

// Each call of the command is a process of its own, and takes seconds on a machine that is busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const server = new Server();
let cotty: CommandLine;
const ids: Record<string, string> = {};
const terminals: PersonTerminal[] = [];

const columns = ["ID", "NAME", "PHASE", "KEYBOARD", "NEEDS", "SIZE", "COMMAND"];
const longName = "a name that is much too long for a column";
const longCommand = `sleep 600 # ${"and on ".repeat(40)}`;

beforeAll(async () => {
  await server.start();
  cotty = new CommandLine(server);
  for (const [name, ...words] of [
    ["plain", "--", "cat"],
    [longName, "--", "sh", "-c", `${longCommand}; :`],
    ["日本語の名前はこれだけ長いです", "--", "cat"],
    ["over", "--", "sh", "-c", "exit 3"],
    ["hidden", "--", "cat"],
  ] as const)
    ids[name] = await cotty.get("new", "--name", name, ...words);
  await cotty.run("wait", ids.over ?? "", "--exit");
  await cotty.get("access", ids.hidden ?? "", "sealed");
});
afterAll(() => server.stop());
afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.dispose();
});

/** The rows of the table as they stand in a terminal, the header first. */
async function listed(command: string, cols: number): Promise<string[]> {
  const me = await PersonTerminal.open(cotty.env, { cols, rows: 24 });
  terminals.push(me);
  me.type(`clear; ${command}; echo left-$?\r`);
  await me.until((screen) => /^left-\d/m.test(screen));
  const rows = me.screen.split("\n");
  expect(rows.find((row) => row.startsWith("left-"))).toBe("left-0");
  return rows.slice(
    rows.findIndex((row) => row.startsWith("ID ")),
    rows.findIndex((row) => row.startsWith("left-")),
  );
}

/** What stands below each title. Wide characters take two cells, as they do on the screen. */
function cells(header: string, row: string): Record<string, string> {
  const wide = [...row].map((one) => (/[\u2e80-\u9fff\uff00-\uff60]/.test(one) ? `${one}\0` : one));
  const line = wide.join("");
  return Object.fromEntries(
    columns.map((title, at) => {
      const next = columns[at + 1];
      const end = next === undefined ? undefined : header.indexOf(next);
      const text = line.slice(header.indexOf(title), end).replaceAll("\0", "");
      return [title, text.trimEnd()];
    }),
  );
}

describe("[CL1] ls in a terminal", () => {
  it("is a table: one row each, every cell below its title, no row longer than the terminal is wide", async () => {
    const [header = "", ...rows] = await listed("cotty ls", 100);
    expect(header.split(/ +/)).toEqual(columns);
    expect(rows).toHaveLength(5);
    const of = Object.fromEntries(
      rows.map((row) => [cells(header, row).ID, cells(header, row)] as const),
    );
    const at = (name: string) => of[(ids[name] ?? "").slice(0, 8)];
    expect(at("plain")).toMatchObject({
      NAME: "plain",
      KEYBOARD: "agents",
      NEEDS: "-",
      SIZE: "80x24",
      COMMAND: "cat",
    });
    expect(at(longName)).toMatchObject({ NAME: "a name that is …", SIZE: "80x24" });
    expect(at("日本語の名前はこれだけ長いです")).toMatchObject({
      NAME: "日本語の名前は…",
      SIZE: "80x24",
      COMMAND: "cat",
    });
    expect(at("over")).toMatchObject({ NAME: "over", PHASE: "exit 3", KEYBOARD: "-" });
  });

  it("cuts the last column at the terminal's edge, so that a row is a row", async () => {
    const [header = "", ...rows] = await listed("cotty ls", 80);
    expect(header.split(/ +/)).toEqual(columns);
    expect(rows).toHaveLength(5);
    const long = rows.find((row) => row.includes("a name that is …"));
    expect(long).toHaveLength(80);
    expect(long).toMatch(/…$/);
  });

  it("[AC2] a sealed session is a row without a name, to its people by their token, and to agents", async () => {
    const token = await server.token("agent");
    const env = `COTTY_URL=${server.url} COTTY_TOKEN=${token}`;
    for (const command of ["cotty ls", `${env} cotty ls`]) {
      const [header = "", ...rows] = await listed(command, 100);
      const one = rows
        .map((row) => cells(header, row))
        .find(({ ID }) => ids.hidden?.startsWith(ID ?? "-"));
      const isAgent = command.startsWith("COTTY");
      expect(one).toMatchObject(
        isAgent
          ? { NAME: "", PHASE: "sealed", KEYBOARD: "", NEEDS: "", SIZE: "", COMMAND: "" }
          : { NAME: "hidden", KEYBOARD: "sealed", SIZE: "80x24", COMMAND: "cat" },
      );
    }
  });
});
