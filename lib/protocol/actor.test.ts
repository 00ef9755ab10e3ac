import { describe, expect, it } from "vitest";
import { type Actor, decodeActor, encodeActor } from "./actor.ts";

describe("the actor's header", () => {
  const actor: Actor = {
    kind: "agent",
    id: "t1",
    name: "Jürgen 漢字 🦊",
    role: "agent",
    sessions: ["a"],
  };

  it("[HO4] carries any name in plain ASCII and comes back equal", () => {
    const header = encodeActor(actor);
    expect(header).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeActor(header)).toEqual(actor);
  });

  it.each([
    ["", "nothing"],
    ["====", "padding alone"],
    [btoa("not json"), "no JSON"],
    [btoa("null"), "no object"],
    [btoa(JSON.stringify({ ...actor, name: "x", role: "root" })), "an unknown role"],
    [btoa(JSON.stringify({ ...actor, name: "x", extra: 1 })), "an unknown field"],
    [`${btoa("{}")}\r\nx: y`, "a second header"],
  ])("[HO4] %j is no actor: %s", (header) => {
    expect(decodeActor(header.replaceAll("=", ""))).toBeUndefined();
  });
});
