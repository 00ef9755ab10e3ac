// [CR3] What others can tell of the keys of a password: nothing. The same prompt is answered twice, by one paste and key by key, and everything that
// others are told, or could ask for at any moment, is the same.
import { expect, it } from "vitest";
import type { AuditAct } from "#lib/protocol/audit.ts";
import type { TerminalLook } from "#server/host/activity/tty-read.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { agent, person, sessionRig } from "#server/testing/session-rig.ts";

const stepMs = 40;
const steps = 100;
const look: TerminalLook = {
  foreground: {
    pgid: 7,
    name: "sudo",
    isSessionLeader: false,
    isShell: false,
    runsScript: false,
    members: [7],
  },
  read: {
    kind: "reading",
    how: "blocked",
    call: "read",
    pid: 7,
    program: "sudo",
    readBytes: null,
    wait: "7",
  },
};

/** `keys`: what is typed, by step. */
async function play(keys: ReadonlyMap<number, string>, draft: string) {
  const acts: AuditAct[] = [];
  const rig = sessionRig({
    parts: {
      audit: { record: (act, atMs) => void acts.push({ ...act, ...(atMs ? { atMs } : {}) }) },
      lookAtTerminal: () => look,
      readTty: async () => ({ kind: "known", canonical: true, echo: false }),
    },
  });
  const { port, pty, id } = await rig.create();
  const ada = port().attach(new MemorySink(), { readonly: false });
  const others = { agent: new MemorySink(), person: new MemorySink() };
  port(agent).attach(others.agent, { readonly: false });
  port({ ...person, id: "eve", name: "Eve" }).attach(others.person, { readonly: true });
  port(agent).requestHuman("which one?");
  if (draft) ada.typed(Buffer.from(draft));
  pty.print("[sudo] password for ada: ");
  await rig.settle(5_000);
  expect(port().info()).toMatchObject({ credential: { source: "echo_off" } });
  // Somebody types in both: who it is, and that it began, is told.
  ada.typed(Buffer.from("x"));
  await rig.settle(1_000);
  const from = { agent: others.agent.frames.length, person: others.person.frames.length };
  const events = rig.events.length;
  const audited = acts.length;
  const seen: unknown[] = [];
  for (let step = 0; step < steps; step++) {
    const typed = keys.get(step);
    if (typed) ada.typed(Buffer.from(typed));
    for (const ms of [0, stepMs]) {
      await rig.settle(ms);
      const bot = port(agent);
      seen.push([bot.info(), bot.lease(), await bot.explain(), rig.registry.list(agent)]);
      seen.push(others.agent.frames.slice(from.agent), others.person.frames.slice(from.person));
    }
  }
  // What is kept for people is kept of the prompt, not of its keys.
  const kept = {
    writes: port()
      .listWrites({})
      .writes.map(({ bytes, cursor }) => ({ bytes, cursor })),
    audit: acts.slice(audited),
    events: rig.events.length - events,
  };
  rig.registry.dispose();
  return { told: JSON.stringify(seen).replaceAll(id, "ID"), kept };
}

it.each(["", "half a command"])(
  "[CR3] [T124] nobody is told how many keys a password has, nor when they are typed (before it: %j)",
  async (draft) => {
    const paste = await play(new Map([[3, "hunter2-and-more"]]), draft);
    const keys = new Map(
      [..."hunter2-and-more"].map((key, index) => [3 + index * 4, key] as const),
    );
    const typed = await play(keys, draft);
    expect(typed.told).toBe(paste.told);
    expect(typed.kept).toEqual(paste.kept);
    expect(typed.kept.writes.at(-1)).toEqual({ bytes: null, cursor: null });
  },
  60_000,
);
