import { describe, expect, it } from "vitest";
import { utf8 } from "#lib/base/bytes.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { SecretTyping } from "./secret-typing.ts";
import { SecretWords } from "./secret-words.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function rig() {
  const clock = new FakeClock();
  const words = new SecretWords({});
  const typing = new SecretTyping(words, clock);
  return {
    clock,
    words,
    typing,
    type: (keys: string, isAwaited = false) => typing.typed(utf8(keys), isAwaited),
    ask: (isHidden: boolean, prompt = 1, command: string | null = null) =>
      typing.moved({ isHidden, prompt, command: () => command }),
    print: (output: string) => text(typing.filter(utf8(output))),
  };
}

describe("SecretTyping", () => {
  it("[CR3] the echo of a secret is bullets up to the line break that answers its Enter", () => {
    const { type, print, ask } = rig();
    expect(print("Token: ")).toBe("Token: ");
    ask(false);
    let shown = "";
    for (const key of "hünter2") {
      type(key);
      shown += print(key);
    }
    type("\r");
    expect(shown + print("\r\nwelcome to hünter\r\n")).toBe("•••••••\r\nwelcome to hünter\r\n");
    expect(print("later")).toBe("later");
  });

  it("[CR3] wherever the echo is cut, no character of it is let through", () => {
    const secret = "p€ss wörd\u{1f511}";
    const echo = utf8(`\x1b[33m${secret}\x1b[0m\r\nok\r\n`);
    for (let at = 0; at <= echo.length; at++) {
      const { typing, type, ask } = rig();
      ask(false);
      type(`${secret}\r`);
      const parts = [echo.subarray(0, at), echo.subarray(at)].map((part) => typing.filter(part));
      expect(text(Buffer.concat(parts))).toBe(`\x1b[33m${"•".repeat(10)}\x1b[0m\r\nok\r\n`);
    }
  });

  it("[CR3] a line editor that draws its line anew, with colours and a title, shows nothing of it", () => {
    const { type, print, ask } = rig();
    ask(false);
    type("secret");
    // The prompt is a part of what is drawn anew: more is hidden than has to be.
    expect(print("\r\x1b[K$ \x1b[1msec\x1b[22mret\x1b[3D")).toBe(
      "\r\x1b[K••\x1b[1m•••\x1b[22m•••\x1b[3D",
    );
    expect(print("\x1b]133;B\x1b\\")).toBe("\x1b]133;B\x1b\\");
  });

  it("[CR3] what a shell tells about the line, and a title made of it, is left out, wherever it is cut", () => {
    const told =
      "\x1b]633;E;echo hunter2;n0nce\x07\x1b]133;C;cmdline_url=echo%20hunter2\x1b\\\x1b]2;echo hun\x07";
    const output = utf8(`echo hunter2\r\n${told}\x1b]7;file:///w\x07\x1b[1mran\x1b[0m\r\n`);
    for (let at = 0; at <= output.length; at++) {
      const { typing, type, ask } = rig();
      ask(false);
      type("echo hunter2\r");
      const parts = [output.subarray(0, at), output.subarray(at)].map((part) =>
        typing.filter(part),
      );
      expect(text(Buffer.concat(parts))).toBe(
        `${"•".repeat(12)}\r\n\x1b]133;C\x07\x1b]7;file:///w\x07\x1b[1mran\x1b[0m\r\n`,
      );
    }
  });

  it("[CR3] a sequence that nobody ends is let through when the time for it is over", () => {
    const { clock, type, print, ask } = rig();
    ask(false);
    type("ab\r");
    expect(print("ab\r\n\x1b]2;tit")).toBe("••\r\n");
    clock.advance(6_000);
    expect(print("le\x07$ ")).toBe("\x1b]2;title\x07$ ");
  });

  it("[CR3] where the terminal hides what is typed nothing else is touched", () => {
    const { type, print, ask } = rig();
    ask(true);
    type("hunter2\r");
    expect(print("no line break, no echo")).toBe("no line break, no echo");
  });

  it("[CR3] stars are bullets too, whether a program prints them for keys or they were typed", () => {
    const { type, print, ask } = rig();
    ask(false);
    type("a*");
    expect(print("**")).toBe("••");
    type("\x7f");
    expect(print("\b \b")).toBe("\b \b");
  });

  it("[CR3] a program that prints no line break after Enter is heard again after a second", () => {
    const { clock, type, print, ask } = rig();
    ask(false);
    type("ab\r");
    expect(print("ab")).toBe("••");
    clock.advance(1_001);
    expect(print("ready> ")).toBe("ready> ");
  });

  it("[CR3] what was typed is known with its edits, also keys typed ahead of the prompt", () => {
    const { words, typing, type, ask } = rig();
    type("hun");
    ask(true);
    type("texx\x7f\x7fr22\r");
    expect(words.hide("hunter22 or hunter2x")).toBe("•••••• or hunter2x");
    type("\x1b[200~second-try\x1b[201~\r");
    typing.moved(null);
    type("ordinary-line\r");
    expect(words.hide("second-try ordinary-line")).toBe("•••••• ordinary-line");
  });

  it("[CR3] a prompt that ends with a line half typed lets output through, and so does one that was none", () => {
    const { words, typing, type, print, ask } = rig();
    ask(false);
    type("half-typed");
    typing.moved(null);
    expect(print("$ ")).toBe("$ ");
    ask(false);
    type("an answer");
    typing.dismissed();
    expect(print("an answer")).toBe("an answer");
    expect(words.isEmpty).toBe(true);
  });

  it("[CR3] several lines pasted at once are hidden to the last", () => {
    const { type, print, ask } = rig();
    ask(false);
    type("first\rsecond");
    expect(print("first\r\nsecond")).toBe("•••••\r\n••••••");
    type("\r");
    expect(print("\r\ndone")).toBe("\r\ndone");
  });

  it("[CR3] a line typed ahead with its Enter counts when a prompt is noticed within two seconds", () => {
    for (const [waitMs, isHidden] of [
      [1_999, true],
      [2_001, false],
    ] as const) {
      const { clock, words, type, ask } = rig();
      for (const key of "hunter22") type(key);
      type("\r");
      clock.advance(waitMs);
      ask(true);
      expect(words.hide("hunter22")).toBe(isHidden ? "••••••" : "hunter22");
    }
    const { words, type, ask } = rig();
    type("\x1b[200~pasted-one\x1b[201~\r");
    type("ano");
    type("ther-one\rls -la\rthe-rest");
    ask(true);
    expect(words.hide("pasted-one another-one ls -la the-rest")).toBe(
      "•••••• •••••• •••••• ••••••",
    );
  });

  it("[CR3] the command that somebody's prompt waited for is no line typed ahead", () => {
    const { words, type, ask } = rig();
    type("s", true);
    // Between two keys nobody can tell who reads.
    type("udo true");
    type("\r");
    type("hunter22\r");
    ask(true);
    expect(words.hide("sudo true hunter22")).toBe("sudo true ••••••");
    const told = rig();
    told.type("sudo true\rhunter22\r");
    told.ask(true, 1, "sudo true ");
    expect(told.words.hide("sudo true hunter22")).toBe("sudo true ••••••");
    const pasted = rig();
    pasted.type("sudo true\rhunter22\r", true);
    pasted.ask(true);
    expect(pasted.words.hide("sudo true hunter22")).toBe("sudo true ••••••");
  });

  it('[CR3] "not a password" shows what was typed at this prompt, and nothing of earlier ones', () => {
    const { words, typing, type, ask } = rig();
    ask(true);
    type("first-secret\r");
    typing.moved(null);
    // Two that follow each other at once, as after a wrong password.
    ask(true, 2);
    type("second-secret\r");
    ask(true, 3);
    type("first-secret\rno-secret\r");
    typing.dismissed();
    expect(words.hide("first-secret second-secret no-secret")).toBe("•••••• •••••• no-secret");
    typing.dismissed();
    expect(words.hide("first-secret second-secret")).toBe("•••••• ••••••");
  });
});
