import { describe, expect, it } from "vitest";
import { PromptScan } from "./prompt-scan.ts";

const A = "\x1b]133;A\x07";
const B = "\x1b]133;B\x1b\\";
const C = "\x1b]633;C\x07";
const D = "\x1b]133;D;0\x07";

describe("prompts in the output", () => {
  it("[TC2] by marks: the text between A and B, without its colours, once per prompt", () => {
    const scan = new PromptScan();
    const first = `${A}\x1b[1;32mme\x1b[0m:~\x1b]0;title\x07$ ${B}`;
    expect(scan.push(first)).toEqual(["me:~$ "]);
    // Ctrl-L: the same prompt once more.
    expect(scan.push(`\x1b[H\x1b[2J${first}`)).toEqual([]);
    expect(scan.push(`make\r\n${C}built\r\n${D}${first}`)).toEqual(["me:~$ "]);
    // An empty Enter.
    expect(scan.push(`\r\n${first}`)).toEqual(["me:~$ "]);
  });

  it("[TC2] marks and escape sequences may be cut anywhere", () => {
    const scan = new PromptScan();
    const all = `${C}x\r\n${D}${A}\x1b[31m> ${B}`;
    expect(Array.from(all, (char) => scan.push(char)).flat()).toEqual(["> "]);
  });

  it("[TC2] continuation lines and right-hand prompts are none", () => {
    const scan = new PromptScan();
    expect(scan.push(`\x1b]133;A;k=s\x07> ${B}`)).toEqual([]);
  });

  it("[TC2] a prompt of two lines comes whole", () => {
    expect(new PromptScan().push(`${A}one\r\n$ ${B}`)).toEqual(["one\n$ "]);
  });

  it.each(["$ ", "% ", "# ", "> ", ">>> ", "me@host:~$ "])(
    "[TC2] without marks a line that ends in %j is a candidate",
    (prompt) => {
      const scan = new PromptScan();
      scan.push(`output\r\n\x1b[32m${prompt}\x1b[0m`);
      expect(scan.candidate).toBe(prompt);
    },
  );

  it.each(["$", "100%", "done\r\n", "$ ls", "a $ b", "Password: "])(
    "[TC2] a line that ends in %j is none",
    (line) => {
      const scan = new PromptScan();
      scan.push(line);
      expect(scan.candidate).toBeNull();
    },
  );

  it("[TC2] of a shell with marks nothing is guessed; of a program that it runs it is", () => {
    const scan = new PromptScan();
    scan.push(`${A}$ `);
    expect(scan.candidate).toBeNull();
    scan.push(`${B}echo '> `);
    expect(scan.candidate).toBeNull();
    scan.push(`'\b\b\bpython3\r\n${C}>>> `);
    expect(scan.candidate).toBe(">>> ");
    scan.push(`\r\n${D}done # `);
    expect(scan.candidate).toBeNull();
  });

  it("[TC2] a line without end is kept by its end only", () => {
    const scan = new PromptScan();
    scan.push("x".repeat(1_000_000));
    scan.push("$ ");
    expect(scan.candidate?.length).toBe(1_024);
  });
});
