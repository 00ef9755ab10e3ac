import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { validate } from "./field-errors.ts";
import { inputSchema } from "./input.ts";
import { createSessionSchema } from "./session.ts";
import { waitSchema } from "./wait.ts";

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

describe("what a value lacks", () => {
  it("[HT2] is said to be missing, and which kinds there are is said of a kind that is none", () => {
    const line = z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("stdin"), data: z.string() }),
      z.strictObject({ type: z.literal("resize"), cols: z.int() }),
    ]);
    expect(faultOf(line, { type: "shout" })).toBe(
      'body.type must be one of stdin, resize, not "shout"',
    );
    expect(faultOf(line, {})).toBe("body.type must be one of stdin, resize, and is missing");
    expect(faultOf(line, { type: "resize" })).toBe("body.cols must be a number, and is missing");
    expect(faultOf(line, "x")).toBe('body must be an object, not "x"');
  });

  it("[HT2] [CR3] a password or a token of the wrong type does not come back", () => {
    const secret = z.object({ text: z.string(), token: z.string() });
    expect(faultOf(secret, { text: 4711, token: 4711 })).toBe(
      "body.text must be a string; body.token must be a string",
    );
  });

  it("[HT2] [CR3] a secret given as itself, where its source belongs, does not come back", () => {
    const faults = [
      "hunter2",
      { PASSWORD: "hunter2" },
      { PASSWORD: { env: "hunter2!" } },
      { PASSWORD: { env: "A", file: 4711 } },
    ].map((secrets) => faultOf(createSessionSchema, { secrets }));
    for (const fault of faults) expect(fault).toMatch(/^body\.secrets\b(?!.*(hunter2|4711))/);
  });
});
