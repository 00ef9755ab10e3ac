// Waits of a session whose program is played by the test and whose clock stands still unless it is told to go on.
import { describe, expect, it } from "vitest";
import type { Verdict, WaitRequest } from "#lib/protocol/wait.ts";
import { agent, sessionRig } from "#server/testing/session-rig.ts";

async function waiting(request: WaitRequest, actor = agent) {
  const rig = sessionRig();
  const session = await rig.create();
  session.pty.print("begun\r\n");
  await rig.settle();
  let verdict: Verdict | null = null;
  const answered = session
    .port(actor)
    .wait(request)
    .then((got) => {
      verdict = got;
      return got;
    });
  await rig.settle();
  return { rig, ...session, answered, verdict: () => verdict };
}

const never: WaitRequest = { for: [{ text: "NEVER" }], timeout_ms: 60_000 };

describe("a wait", () => {
  it("[WT6] [B096] ends at once when its session is deleted, and says so", async () => {
    const { rig, port, answered, verdict } = await waiting(never);
    expect(verdict()).toBeNull();
    const refused = expect(answered).rejects.toMatchObject({ code: "SESSION_NOT_FOUND" });
    await port().close("KILL");
    await refused;
    rig.registry.dispose();
  });

  it("[WT6] [B096] ends at once when its program exits, with the code", async () => {
    const { rig, pty, answered } = await waiting(never);
    pty.exit({ exit_code: 7 });
    await rig.settle();
    expect(await answered).toMatchObject({ outcome: "exited", exit_code: 7 });
    rig.registry.dispose();
  });

  it("[AC2] [B096] ends at once when agents may not look any more, and tells nothing", async () => {
    const { rig, port, answered } = await waiting(never);
    port().setAccess("sealed");
    expect((await answered).outcome).toBe("sealed");
    rig.registry.dispose();
  });

  it("[WT1] [B092] for silence goes on over pauses that are shorter, and is told as silence, not as an end", async () => {
    const { rig, pty, answered, verdict } = await waiting({
      for: [{ quiet_ms: 1_000 }],
      timeout_ms: 60_000,
    });
    for (let dot = 0; dot < 10; dot++) {
      pty.print(".");
      await rig.settle(800);
      expect(verdict()).toBeNull();
    }
    pty.print("END\r\n");
    await rig.settle(1_200);
    expect(await answered).toMatchObject({
      outcome: "settled",
      condition: 0,
      confidence: "inferred",
    });
    rig.registry.dispose();
  });

  it("[WT1] [B092] for a shorter silence ends in the first pause, as asked", async () => {
    const { rig, pty, answered } = await waiting({ for: [{ quiet_ms: 500 }], timeout_ms: 60_000 });
    pty.print(".");
    await rig.settle(700);
    expect(await answered).toMatchObject({ outcome: "settled", condition: 0 });
    rig.registry.dispose();
  });

  it("[WT2] [B090] does not see what was on the screen already, and sees it when it is printed again", async () => {
    const { rig, pty, answered, verdict } = await waiting({
      for: [{ text: "begun" }],
      timeout_ms: 60_000,
    });
    await rig.settle(5_000);
    expect(verdict()).toBeNull();
    pty.print("begun\r\n");
    await rig.settle();
    expect(await answered).toMatchObject({ outcome: "matched", confidence: "exact" });
    rig.registry.dispose();
  });
});
