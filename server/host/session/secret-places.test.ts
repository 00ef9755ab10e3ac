// [SX1] Folders and programs that are named by a secret: everything that tells where a session works tells the secret's name instead.
import { afterEach, expect, it } from "vitest";
import type { TerminalLook } from "#server/host/activity/tty-read.ts";
import type { Foreground } from "#server/host/pty/foreground.ts";
import { agent, person, sessionRig } from "#server/testing/session-rig.ts";
import { capsuleOf } from "./capsule.ts";

const secret = "hunter2-of-the-launch";
const owned: { dispose(): void }[] = [];
afterEach(() => {
  for (const item of owned.splice(0)) item.dispose();
});

/** A program of that name in front, in a folder of that name. */
const front: Foreground = { pgid: 7, name: secret, cwd: `/tmp/${secret}`, isSessionLeader: false };
const look: TerminalLook = {
  foreground: {
    pgid: 7,
    name: secret,
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
    program: secret,
    readBytes: null,
    wait: "7",
  },
};

it("[SX1] no place, program, command, reason or handover has the value", async () => {
  const rig = sessionRig({
    parts: { readForeground: () => front, lookAtTerminal: () => look },
    readSecrets: async () => ({ T: secret }),
  });
  owned.push(rig.registry);
  const { port, pty, dump, id } = await rig.create({ secrets: { T: { env: "ANY" } } });
  const told: unknown[] = [rig.registry.list(agent)];
  const viewer = dump();
  const ada = port().attach(dump(), { readonly: false });
  // A command of a shell with marks, in that folder, typed by a person.
  pty.print("\x1b]133;A\x07$ \x1b]133;B\x07");
  await rig.settle(2_000);
  ada.typed(Buffer.from("ls\r"));
  pty.print("ls\r\n\x1b]133;C\x07x\r\n\x1b]133;D;0\x07\x1b]133;A\x07$ \x1b]133;B\x07");
  await rig.settle(2_000);
  ada.keyboard("hand_back");
  await rig.settle(2_000);
  const screen = await port(agent).readScreen({});
  expect(screen).toMatchObject({
    handover: {
      cwd_from: "/tmp/•••T•••",
      cwd_to: "/tmp/•••T•••",
      open_program: "•••T•••",
    },
  });
  expect(port().info()).toMatchObject({ cwd: "/tmp/•••T•••", foreground: "•••T•••" });
  expect(await port(agent).getCommand("latest")).toMatchObject({ cwd: "/tmp/•••T•••" });
  const wait = port(agent).wait({ for: [{ phase: "exited" }], timeout_ms: 500 });
  await rig.settle(1_000);
  told.push(screen, await wait, await port(agent).explain(), rig.registry.list(agent));
  told.push(capsuleOf(rig.registry.list(agent)), await port(agent).listCommands({}));
  told.push(viewer.messages("hello"), viewer.messages("command"), rig.events);
  expect(JSON.stringify(told)).toContain("•••T•••");
  expect(JSON.stringify(told)).not.toContain(secret);
  expect(rig.registry.port(person, id).info().secrets).toEqual(["T"]);
});
