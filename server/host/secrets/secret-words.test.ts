import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { SecretWords } from "./secret-words.ts";

const words = (launched: Record<string, string>) => new SecretWords(launched);

describe("SecretWords", () => {
  it("[SX1] a value of 6 characters is hidden under its name, a shorter one is not", () => {
    const found = words({ TOKEN: "s3cret", PIN: "12345" });
    expect(found.hide("a s3cret, s3crets3cret and 12345")).toBe(
      "a •••TOKEN•••, •••TOKEN••••••TOKEN••• and 12345",
    );
    expect(words({ PIN: "12345" }).isEmpty).toBe(true);
  });

  it("[SX1] of values that overlap or hold one another no character is left", () => {
    const found = words({ A: "abcdefgh", B: "efghijkl", C: "cdefgh" });
    expect(found.hide("xabcdefghijklx")).toBe("x•••A•••x");
    expect(words({ A: "aaaaaa" }).hide(`b${"a".repeat(9)}b`)).toBe("b•••A•••b");
  });

  it("[SX1] each line of a value is hidden wherever it stands", () => {
    const found = words({ KEY: "-----BEGIN\nMIIabc\r\nxy\nlast-line" });
    expect(found.hide("MIIabc and last-line, xy")).toBe("•••KEY••• and •••KEY•••, xy");
  });

  it("[T125] a value that is being printed is hidden from its fourth character on, only where the text ends", () => {
    const found = words({ KEY: "abcdefghij" });
    const shown = (text: string) => found.find(text, text.length).map(({ from, to }) => [from, to]);
    expect(shown("say abc")).toEqual([]);
    expect(shown("say abcd")).toEqual([[4, 8]]);
    expect(shown("say abcdefghi")).toEqual([[4, 13]]);
    expect(found.find("abcd efgh", 9)).toEqual([]);
  });

  it("[CR3] what was typed as a secret is hidden as long as the session lives, the newest 64 of them", () => {
    const found = words({});
    const { version } = found;
    expect(found.typed("hunter2!")).toBe(true);
    expect(found.version).toBeGreaterThan(version);
    expect(found.hide("it was hunter2!")).toBe("it was ••••••");
    for (let i = 1; i < limits.typedSecrets; i++) found.typed(`password-${i}!`);
    // Typed again it is the newest.
    expect(found.typed("hunter2!")).toBe(false);
    found.typed("one more");
    expect(found.hide("hunter2! password-1! password-2! one more")).toBe(
      "•••••• password-1! •••••• ••••••",
    );
  });

  it("[CR3] what was none is forgotten, and everything else stays", () => {
    const found = words({ TOKEN: "launched" });
    found.typed("a-secret");
    found.typed("no-secret");
    found.forget(["no-secret"]);
    expect(found.hide("no-secret a-secret launched")).toBe("no-secret •••••• •••TOKEN•••");
  });

  it("[SX1] [CR3] many lines of a launch leave room for what is typed", () => {
    const lines = Array.from({ length: limits.secretPieces }, (_, n) => `a long line ${n}`);
    const found = words({ KEY: lines.join("\n") });
    found.typed("short1");
    expect(found.hide("short1")).toBe("••••••");
  });

  it("[LM] a value of thousands of lines costs no more than its bound", () => {
    const value = Array.from({ length: 5_000 }, (_, n) => `line number ${n}`).join("\n");
    const found = words({ KEY: value });
    expect(found.find("line number 1\nline number 4999").length).toBeLessThan(3);
  });
});
