import { describe, expect, it } from "vitest";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { freeLease } from "#lib/protocol/lease.ts";
import { sessionInfo } from "#server/testing/fake-socket.ts";
import { handsAfter, lineSent, returnsAtMs, type WhoseHands } from "./whose-hands.ts";

const hello: ServerMessage = {
  type: "hello",
  protocol: "cotty.v1",
  session: sessionInfo({ agent: { name: "claude", typing: false } }),
  limits: { window: 1, frame: 1 },
  you: { attachment: "me", id: "ada", kind: "human", name: "Ada", readonly: false },
  size_owner: null,
};
const told = (messages: readonly (readonly [number, ServerMessage])[]) =>
  messages.reduce<WhoseHands | null>(
    (hands, [nowMs, message]) => handsAfter(hands, message, nowMs),
    null,
  );
const asked = { source: "echo_off", since: "2026-01-01T00:00:00.000Z" } as const;

describe("whose hands", () => {
  it("[LS5] the deadline is the server's, counted from when it was told", () => {
    const lease = { ...freeLease, holder: "human", remaining_ms: 4_000 } as const;
    const hands = told([
      [10, hello],
      [50, { type: "lease", lease }],
    ]) as WhoseHands;
    expect(returnsAtMs(hands)).toBe(4_050);
    expect(returnsAtMs({ ...hands, lease: { ...lease, remaining_ms: null } })).toBeNull();
    expect(returnsAtMs({ ...hands, lease: { ...lease, holder: "agent" } })).toBeNull();
  });

  it("an agent is known from the first hello; each of its writes counts, and a reconnect forgets none", () => {
    const write: ServerMessage = { type: "agent", did: "typed", name: "claude", detail: "why" };
    const hands = told([
      [0, hello],
      [5, write],
      [9, write],
      [20, { type: "agent", did: "looked", name: "claude" }],
      [30, hello],
    ]);
    expect(hands).toMatchObject({
      me: "ada",
      agent: {
        name: "claude",
        typedMs: 9,
        writes: 2,
        lookedMs: 20,
        caption: { text: "why", atMs: 9 },
      },
    });
    expect(told([[0, hello]])?.agent).toMatchObject({ name: "claude", typedMs: null });
  });

  it("[CR2] a password counts as answered only where a line was sent to the question", () => {
    const on: ServerMessage = { type: "credential", credential: asked };
    const off: ServerMessage = { type: "credential", credential: null };
    const waiting = told([
      [0, hello],
      [1, on],
    ]);
    expect(handsAfter(waiting, off, 5)?.answeredMs).toBeNull();
    expect(handsAfter(lineSent(waiting), off, 5)?.answeredMs).toBe(5);
    expect(lineSent(told([[0, hello]]))?.isAnswering).toBe(false);
  });

  it("nothing is known before the first hello", () => {
    expect(told([[0, { type: "access", access: "sealed" }]])).toBeNull();
  });
});
