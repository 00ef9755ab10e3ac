import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { SecretWords } from "#server/host/secrets/secret-words.ts";
import { saidText, typedText } from "./typed-text.ts";

const words = new SecretWords({ API_KEY: "sk-0123456789" });
const hide = (text: string) => words.hide(text);
const max = limits.auditSummaryChars;

describe("typed text that is kept", () => {
  it("[SX1] [AU1] never holds a value of the session's secrets, nor the beginning of one at its cut", () => {
    expect(typedText(Buffer.from("curl -H sk-0123456789\r"), hide)).not.toContain("0123");
    for (let before = max - 15; before <= max + 1; before++) {
      const text = typedText(Buffer.from(`${"x".repeat(before)}sk-0123456789 and more`), hide);
      expect(text).not.toMatch(/sk-0|0123/);
      expect(text.length).toBeLessThanOrEqual(max + 1);
    }
    expect(saidText("with sk-0123456789", 10, hide)).not.toContain("sk-0");
  });
});
