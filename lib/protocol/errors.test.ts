import { describe, expect, it } from "vitest";
import { problemSchema, TermError, toProblem } from "./errors.ts";

describe("toProblem", () => {
  it("[HT1] a code's own members stand beside the common ones and survive the schema", () => {
    const error = new TermError("SESSION_EXITED", "it has ended", {
      members: { reason: "exited", modes: { mouse: "off" } },
    });
    expect(problemSchema.parse(toProblem(error, "r1"))).toMatchObject({
      code: "SESSION_EXITED",
      status: 409,
      instance: "r1",
      reason: "exited",
      modes: { mouse: "off" },
    });
  });

  it("[HT1] own members cannot replace the common ones", () => {
    const error = new TermError("SESSION_EXITED", "it has ended", {
      members: { status: 200, code: "X", detail: "no", hint: "none" },
    });
    expect(toProblem(error, "r1")).toEqual(
      toProblem(new TermError("SESSION_EXITED", "it has ended"), "r1"),
    );
  });
});
