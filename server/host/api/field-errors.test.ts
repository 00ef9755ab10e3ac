import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { inputSchema } from "#lib/protocol/input.ts";
import { waitSchema } from "#lib/protocol/wait.ts";
import { validate } from "./field-errors.ts";

function faultOf(schema: z.ZodMiniType, value: unknown): string | undefined {
  const checked = validate(schema, value, "body");
  return checked.kind === "refused" ? checked.error.message : undefined;
}

describe("a value that has none of several forms", () => {
  it("[HT2] is told what the forms have, and nothing of itself where that may be secret", () => {
    const typed = (item: unknown) => faultOf(inputSchema, { input: [item] });
    expect(typed({ txt: "hunter2" })).toBe("body.input.0 must have one of text, key, raw");
    expect(typed({})).toBe("body.input.0 must have one of text, key, raw");
    expect(typed({ text: "a", key: "b" })).toBe(
      "body.input.0 has fields of several forms, of which it may have one",
    );
    expect(typed("ls\n")).toBe("body.input.0 must be an object");
    expect(typed({ text: 7 })).toBe("body.input.0.text must be a string");
  });

  it("[HT2] the same of conditions and of values that are no objects", () => {
    const waited = (body: unknown) => faultOf(waitSchema, body);
    expect(waited({ for: [{ txt: "x" }] })).toMatch(
      /^body\.for\.0 must have one of text, regex, command_done, .*keyboard$/,
    );
    expect(waited({ since: 5 })).toBe(
      "body.since must be one of now, start, or must be a string, not 5",
    );
    const command = z.object({ command: z.union([z.literal("latest"), z.int()]) });
    expect(faultOf(command, { command: "last" })).toBe(
      'body.command must be latest, or must be a number, not "last"',
    );
  });
});
