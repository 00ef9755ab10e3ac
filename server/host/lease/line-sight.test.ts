import { describe, expect, it } from "vitest";
import { type Front, hasRows, type Sight, standsThere, type Typed } from "./line-sight.ts";
import { UnsentLine } from "./unsent-line.ts";

const sight = (text: string, more: Partial<Sight> = {}): Sight => ({
  text,
  isAtEnd: true,
  hasBelow: false,
  seq: 0,
  cols: 80,
  ...more,
});

/** Typed on a line that showed `before`. */
function typed(keys: string, before = "$ "): Typed {
  const line = new UnsentLine();
  line.begin(sight(before));
  line.personTyped(Buffer.from(keys), 0);
  return line;
}

const shell = (keys: string, now: string | Sight, front: Front = "shell", before = "$ ") =>
  standsThere(typed(keys, before), typeof now === "string" ? sight(now, { seq: 1 }) : now, front);

describe("a line whose shell tells nothing", () => {
  it.each([
    ["rm -rf \\\r", "> "],
    ["for x in a\r", "for> "],
    ["echo 'a\r", "quote> "],
    ["if true\r", "if> "],
    ["cat <<E\r", "heredoc> "],
    ["for x in a\rdo\rif b\r", "for then> "],
  ])("[DR1] %j goes on where the shell asks with %j", (keys, prompt) => {
    for (const front of ["shell", "reader", "unknown"] as const)
      expect(shell(keys, prompt, front)).toBe(true);
  });

  it("[DR1] a backslash or a quote goes on in a shell that asks with something of its own", () => {
    for (const keys of ["rm \\\r", "echo 'a\r", 'echo "a\r', "echo `a\r", "echo 'a\rb\r"])
      expect(shell(keys, "… ")).toBe(true);
    for (const keys of ["rm\r", "echo 'a'\r", "echo \\'\r", "echo a # don't\r", "a\\\\\r"])
      expect(shell(keys, "… ")).toBe(false);
    // What was edited is not known.
    expect(shell("echo '\x7fa\r", "… ")).toBe(false);
  });

  it("[DR1] a row that is blank up to below the first one's text goes on, as in fish", () => {
    expect(shell("for x in a\r", "~>     ".replace(/./g, " "), "shell", "~> ")).toBe(true);
    expect(shell("for x in a\r", "", "shell", "~> ")).toBe(false);
  });

  it("[DR1] what C-u leaves stands there, and what it takes away does not", () => {
    expect(shell("echo foo bar\x1b[D\x15", "$ r", "reader")).toBe(true);
    expect(shell("echo foo\x15", "$ ")).toBe(false);
    expect(shell("echo foo\x1b[D\x15", sight("$ ", { isAtEnd: false }))).toBe(true);
    // In the first of two rows.
    expect(shell("\x1b\rrm\x1b[A\x15", sight("$ ", { hasBelow: true }))).toBe(true);
    // A shell that did not take the line shows it again behind its prompt.
    expect(shell("cat <<E\r", "$ cat <<E")).toBe(true);
  });

  it("[DR1] C-c ends it whatever is shown; the prompt as it was ends it however it was taken away", () => {
    expect(shell("rm \\\r-rf\x03", "> -rf^C")).toBe(false);
    for (const keys of ["rm\x7f\x7f", "rm\x17", "\x1b[A\x1b[B", "rm\x1b#", "vim\r:\x1a", "ab\x0b"])
      expect(shell(keys, "$ ")).toBe(false);
    expect(shell("\x12", sight("$ ", { hasBelow: true }))).toBe(true);
    expect(shell("rm", sight("$ ", { isAtEnd: false }))).toBe(true);
  });

  it("[DR1] Alt+Enter is text where the shell shows no new prompt", () => {
    expect(shell("rm \x1b\r", "")).toBe(true);
    expect(shell("rm \x1b\r", "$ ")).toBe(false);
  });

  it("[DR1] another program's answer, question or prompt is no rest of a line", () => {
    expect(shell("node\r", sight("> ", { seq: 3 }), "reader")).toBe(false);
    expect(shell("it's\r", "", "reader")).toBe(false);
    expect(shell("1+1\r", "> ", "reader", "> ")).toBe(false);
    expect(shell("Ada\r", "Age: ", "reader", "Name: ")).toBe(false);
    expect(shell("y\r", "Sure? y", "reader", "Sure? ")).toBe(false);
    // Nobody reads it yet: a shell may.
    expect(shell("rm \\\r", "", "busy", "50%")).toBe(true);
    expect(shell("rm\r", "", "busy", "50%")).toBe(false);
  });

  it("[DR1] where nothing stood before the first key, what was typed since the last end decides", () => {
    expect(shell("abc", "abc", "reader", "")).toBe(true);
    expect(shell("abc\r", "", "reader", "")).toBe(false);
    expect(shell("abc\x15", "", "reader", "")).toBe(false);
  });

  it("[DR2] a line has several rows by its Enters, by what was pasted, and by where the cursor stands", () => {
    const rows = (keys: string, now: Sight, front: Front = "shell") =>
      hasRows(typed(keys), now, front);
    expect(rows("rm \\\r", sight("> ", { seq: 1 }))).toBe(true);
    expect(rows("\x1b[200~a\nb\x1b[201~", sight("$ b"), "reader")).toBe(true);
    expect(rows("a\x1b\rb", sight("b"), "reader")).toBe(true);
    expect(rows("\x1b[A", sight("done", { seq: 2 }))).toBe(true);
    expect(rows("\x1b[A\x1b[A", sight("$ for", { hasBelow: true }))).toBe(true);
    expect(rows("ls", sight("$ ls"))).toBe(false);
  });
});

describe("what was typed", () => {
  it("[DR1] a shell that began a command has one line of it; what was typed ahead may stand on the next", () => {
    const line = new UnsentLine();
    const type = (keys: string) => line.personTyped(Buffer.from(keys), 7);
    type("ls\r");
    line.sent();
    expect(line.touchedMs).toBeNull();
    type("sleep 1\rrm \\\r");
    line.sent();
    expect(line.touchedMs).toBe(7);
    line.sent();
    expect(line.touchedMs).toBeNull();
    type("ls\rrm");
    line.sent();
    expect(line.touchedMs).toBe(7);
  });

  it("[DR1] what a person types ahead, behind an agent's command, is the person's alone", () => {
    const line = new UnsentLine();
    const person = (keys: string) => line.personTyped(Buffer.from(keys), 7);
    const agent = (keys: string) => line.agentTyped("bot", Buffer.from(keys), 5);
    agent("true\r");
    person("rm -rf ");
    expect(line.leftBy).toBe("bot");
    line.sent();
    expect([line.leftBy, line.touchedMs]).toEqual([null, 7]);
    line.forget();
    // Behind its own Enter the agent's text stays the agent's.
    agent("true\rls");
    line.sent();
    expect([line.leftBy, line.touchedMs]).toEqual(["bot", null]);
    person(" -l");
    line.sent();
    expect([line.leftBy, line.touchedMs]).toEqual(["bot", 7]);
  });
});
