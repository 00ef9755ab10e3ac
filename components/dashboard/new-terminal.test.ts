import { describe, expect, it } from "vitest";
import { en } from "#components/strings/en.ts";
import type { Me } from "#lib/protocol/login.ts";
import type { Role } from "#lib/protocol/roles.ts";
import { whyNoTerminal } from "./new-terminal.ts";

const me = (terminals: Me["server"]["terminals"], role: Role = "owner"): Me => ({
  actor: { kind: "human", id: "a", name: "max", role },
  server: {
    version: "0",
    hostname: "h",
    cwd: "/",
    terminals,
    sessions: { open: 0, max: 2 },
    default_command: ["sh"],
  },
});
const ready = { state: "ready" } as const;
const online = { kind: "online", rttMs: 1 } as const;

describe("why no terminal can be started", () => {
  it("nothing is in the way on a ready server with room", () => {
    expect(whyNoTerminal({ link: online, me: me(ready), order: ["1"] }, en)).toBeUndefined();
  });

  it("each obstacle has its own sentence", () => {
    const why = (part: Partial<Parameters<typeof whyNoTerminal>[0]>) =>
      whyNoTerminal({ link: online, me: me(ready), order: [], ...part }, en);
    expect(why({ me: null })).toBe(en.unavailable.loading);
    expect(why({ link: { kind: "signed_out" } })).toBe(en.unavailable.offline);
    expect(why({ me: me({ state: "disabled", reason: "x" }) })).toBe(en.unavailable.disabled);
    expect(why({ me: me({ state: "unavailable", reason: "no binary." }) })).toContain("no binary.");
    expect(why({ me: me(ready, "viewer") })).toBe(en.unavailable.role);
    expect(why({ order: ["1", "2"] })).toBe(
      "2 of 2 sessions are open. End one or raise the limit.",
    );
  });
});
