// The render view of attach (AT6) on real sessions whose program is played by the test, with a real terminal as the viewer.
import { setImmediate as nextLoop } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Actor } from "#lib/protocol/actor.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Screen } from "#server/host/screen/screen.ts";
import { coreOf } from "#server/host/screen/xterm-internals.ts";
import { compareFrame } from "#server/testing/frame-check.ts";
import { RenderViewer } from "#server/testing/render-viewer.ts";
import { onlooker, person, sessionRig } from "#server/testing/session-rig.ts";
import type { SessionRegistry } from "./registry.ts";

const large = { cols: 120, rows: 40 };
const opened: { dispose(): void }[] = [];

afterEach(() => {
  for (const each of opened.splice(0).reverse()) each.dispose();
});

/** The session's own emulator, to compare with. */
function emulatorOf(registry: SessionRegistry, id: string) {
  const sessions = (registry as unknown as { sessions: Map<string, { screen: Screen }> }).sessions;
  const session = sessions.get(id);
  if (!session) throw new Error("no such session");
  return session.screen.emulator;
}

/** Without a size the session has 80 x 24 and follows whom it may. */
async function rig(size?: GridSize) {
  const made = sessionRig();
  opened.push(made.registry);
  const session = await made.create(size ?? {});
  const emulator = emulatorOf(made.registry, session.id);
  const watch = (
    options: { size?: GridSize; actor?: Actor; isReader?: boolean; isSlow?: boolean } = {},
  ) => {
    const viewer = new RenderViewer(options.size ?? large);
    viewer.isSlow = options.isSlow ?? false;
    viewer.attachment = session.port(options.actor ?? person).attach(viewer, {
      readonly: options.isReader ?? false,
      render: options.size ?? large,
    });
    opened.push(viewer.screen, viewer.attachment);
    return viewer;
  };
  /** Lets everything printed so far be parsed, without letting time pass. */
  const parsed = async () => {
    for (let i = 0; i < 20; i++) await nextLoop();
  };
  const wait = async (ms: number) => {
    await parsed();
    made.clock.advance(ms);
    await parsed();
  };
  /** Prints, lets it be parsed, lets `ms` pass. */
  const print = async (output: string, ms = 0) => {
    session.pty.print(output);
    await wait(ms);
  };
  return { ...made, ...session, emulator, watch, print, wait, parsed };
}

describe("attach with view=render", () => {
  it("[AT6] [AT2] says hello and sends frames, no snapshot and no bytes of the program", async () => {
    const { print, watch, wait, emulator } = await rig();
    await print("before\r\n\x1b[44mblue\x1b[K");
    const viewer = watch();
    await wait(25);
    expect(viewer.types().filter((type) => type !== "viewers")).toEqual(["hello", "frame"]);
    expect(viewer.messages[0]).toMatchObject({ view: "render", session: { cols: 80, rows: 24 } });
    expect(compareFrame(emulator, viewer.screen.terminal)).toEqual([]);
    await print("\r\nafter", 30);
    expect(viewer.types().at(-1)).toBe("frame");
    expect(compareFrame(emulator, viewer.screen.terminal)).toEqual([]);
    expect(viewer.screen.answered).toBe("");
  });

  it("[AT6] what is printed within 25 ms is one frame; nothing comes before they are over", async () => {
    const { print, watch, wait } = await rig();
    const viewer = watch();
    await wait(50);
    const { frames } = viewer;
    await print("\x1b[2J\x1b[Ha");
    for (let i = 0; i < 4; i++) await print("b", 6);
    expect(viewer.frames).toBe(frames);
    await wait(6);
    expect(viewer.frames).toBe(frames + 1);
    expect(viewer.rows[0]).toBe("abbbb");
  });

  it("[AT6] a program that never stops printing does not keep the frames away", async () => {
    const { print, watch, wait } = await rig();
    const viewer = watch();
    await wait(25);
    const { frames } = viewer;
    for (let i = 0; i < 100; i++) await print(`\r${i}`, 5);
    expect(viewer.frames - frames).toBeGreaterThanOrEqual(10);
    expect(viewer.frames - frames).toBeLessThanOrEqual(20);
  });

  it("[AT6] a synchronized update of the program is shown whole or not at all", async () => {
    const { print, watch, wait } = await rig();
    const viewer = watch();
    await wait(25);
    for (let i = 0; i < 30; i++) {
      const half = (from: number, to: number) => {
        let out = "";
        for (let y = from; y <= to; y++) out += `\x1b[${y};1H\x1b[Kpicture ${i}`;
        return out;
      };
      await print(`\x1b[?2026h${half(1, 12)}`, 40);
      await print(half(13, 24), 40);
      await print("\x1b[?2026l", 40);
    }
    for (const picture of viewer.pictures.slice(1)) {
      expect(new Set(picture.slice(0, 24)).size).toBe(1);
      expect(picture.slice(24).every((row) => row === "")).toBe(true);
    }
    expect(viewer.rows[23]).toBe("picture 29");
    expect(viewer.frames).toBe(31);
  });

  it("[AT6] a program that was killed in mid-update is shown after a second", async () => {
    const { print, watch, wait } = await rig();
    const viewer = watch();
    await wait(25);
    await print("\x1b[?2026hhalf");
    for (let i = 0; i < 18; i++) await wait(50);
    expect(viewer.rows[0]).toBe("");
    for (let i = 0; i < 30; i++) await wait(5);
    expect(viewer.rows[0]).toBe("half");
    await print(" of it", 30);
    expect(viewer.rows[0]).toBe("half of it");
  });

  it("[AT4] [AT6] [T5A] a viewer that paints slowly has at most four frames coming and then gets the newest", async () => {
    const { print, watch, wait } = await rig();
    const viewer = watch({ isSlow: true });
    await wait(25);
    for (let i = 0; i < 40; i++) await print(`\rcount ${i}`, 30);
    expect(viewer.frames).toBe(4);
    viewer.acknowledge();
    await wait(30);
    expect(viewer.frames).toBe(5);
    expect(viewer.rows[0]).toBe("count 39");
  });

  it("[AT4] [T5A] of frames larger than the window one is on its way", async () => {
    const size = { cols: 300, rows: 150 };
    const { print, watch, wait } = await rig(size);
    const viewer = watch({ size, isSlow: true });
    await print("\x1b[31ma\x1b[32mb".repeat((size.cols * size.rows) / 2), 30);
    expect(viewer.received).toBeGreaterThan(limits.viewerWindowBytes);
    const { frames } = viewer;
    await print("\x1b[Hnewer", 30);
    await print("\x1b[Hnewest", 30);
    expect(viewer.frames).toBe(frames);
    viewer.acknowledge();
    await wait(30);
    expect(viewer.frames).toBe(frames + 1);
    expect(viewer.rows[0]?.startsWith("newest")).toBe(true);
  });

  it("[AT4] a viewer that acknowledges nothing for 30 s while something is due is closed with 4408; an idle one stays", async () => {
    const { print, watch, wait, clock } = await rig();
    const idle = watch({ isSlow: true });
    await wait(25);
    clock.advance(limits.viewerSilenceMs);
    expect(idle.closed).toBeNull();
    const slow = watch({ isSlow: true });
    for (let i = 0; i < 6; i++) await print(`\rcount ${i}`, 30);
    clock.advance(limits.viewerSilenceMs - 1_000);
    expect(slow.closed).toBeNull();
    clock.advance(1_000);
    expect(slow.closed).toMatchObject({ code: 4408 });
    const { frames } = slow;
    await print("more", 30);
    expect(slow.frames).toBe(frames);
  });

  it("[T5A] nothing is added to a network that takes nothing; when it does, the newest comes", async () => {
    const { print, watch, wait } = await rig();
    const viewer = watch();
    await wait(25);
    const { frames } = viewer;
    viewer.bufferedBytes = limits.viewerWindowBytes + 1;
    for (let i = 0; i < 10; i++) await print(`\rcount ${i}`, 30);
    expect(viewer.frames).toBe(frames);
    viewer.bufferedBytes = 0;
    await wait(60);
    expect(viewer.frames).toBe(frames + 1);
    expect(viewer.rows[0]).toBe("count 9");
  });

  it("[AT6] a flood of 20 MB costs the viewer what its frames cost, and ends with the right picture", async () => {
    const { watch, print, wait, emulator } = await rig();
    const viewer = watch();
    await wait(25);
    const line = "all work and no play makes a dull flood, over and over and over again\r\n";
    const chunk = line.repeat(Math.ceil(65_536 / line.length));
    const chunks = Math.ceil(20_000_000 / chunk.length);
    for (let i = 0; i < chunks; i++) await print(`${chunk}chunk ${i}\r\n`, 5);
    for (let i = 0; i < 10; i++) await wait(25);
    // One frame of this screen is about 3 KB, and one comes every 25 ms.
    expect(viewer.received).toBeLessThan(4_096 * ((chunks * 5) / 25 + 12));
    expect(viewer.frames).toBeGreaterThan(10);
    expect(viewer.rows[22]).toBe(`chunk ${chunks - 1}`);
    expect(compareFrame(emulator, viewer.screen.terminal)).toEqual([]);
  });

  it("[AT6] a resize of the session is told before the first frame that shows it; the rest of the terminal is blank", async () => {
    const { print, watch, wait, port, emulator } = await rig();
    const viewer = watch();
    await print(`\x1b[45m${"x".repeat(80 * 24)}`, 30);
    for (const size of [
      { cols: 60, rows: 10 },
      { cols: 140, rows: 50 },
      { cols: 120, rows: 40 },
      { cols: 100, rows: 30 },
    ]) {
      const from = viewer.messages.length;
      port().resize(size);
      for (let i = 0; i < 4; i++) await wait(30);
      await print("y", 30);
      const told = viewer.messages
        .slice(from)
        .filter(({ type }) => type === "resized" || type === "frame");
      expect(told[0]).toMatchObject({ type: "resized", size });
      expect(told[1]?.type).toBe("frame");
      expect(compareFrame(emulator, viewer.screen.terminal), `${size.cols}x${size.rows}`).toEqual(
        [],
      );
    }
  });

  it("[AT6] a resize of the viewer's terminal is no proposal: it gets a frame that fits, the session keeps its size", async () => {
    const { print, watch, wait, port, pty, emulator } = await rig();
    const viewer = watch();
    await print(`${"wrapped text ".repeat(40)}\x1b[3;70H`, 30);
    for (const size of [
      { cols: 200, rows: 60 },
      { cols: 40, rows: 10 },
      { cols: 80, rows: 24 },
      { cols: 121, rows: 25 },
    ]) {
      viewer.resize(size);
      await wait(30);
      expect(compareFrame(emulator, viewer.screen.terminal), `${size.cols}x${size.rows}`).toEqual(
        [],
      );
    }
    viewer.attachment?.typed(new TextEncoder().encode("typed"));
    await wait(500);
    expect(port().info()).toMatchObject({ cols: 80, rows: 24 });
    expect(pty.takenText).toBe("typed");
    expect(pty.sizes).toEqual([{ cols: 80, rows: 24 }]);
  });

  it("[AT6] [SZ1] it neither leads the size nor keeps the only other viewer from leading it", async () => {
    const { watch, wait, port, view } = await rig();
    const viewer = watch();
    viewer.attachment?.useMySize(large);
    expect(viewer.messages.at(-1)).toMatchObject({ type: "error", code: "BAD_REQUEST" });
    const { attachment } = view();
    attachment.propose({ cols: 90, rows: 30 });
    for (let i = 0; i < 5; i++) await wait(50);
    expect(port().info()).toMatchObject({ cols: 90, rows: 30 });
    expect(
      viewer.messages.some((message) => message.type === "resized" && message.size.cols === 90),
    ).toBe(true);
  });

  it("[AT6] resizes of both at once end with a true picture", async () => {
    const { print, watch, wait, port, emulator } = await rig();
    const viewer = watch();
    for (let i = 0; i < 60; i++) {
      viewer.resize({ cols: 40 + ((i * 37) % 120), rows: 10 + ((i * 13) % 40) });
      if (i % 3 === 0) port().resize({ cols: 60 + i, rows: 20 + (i % 11) });
      await print(`\x1b[3${i % 8}mline ${i} ${"=".repeat(i)}\r\n`, 7);
    }
    for (let i = 0; i < 10; i++) await wait(50);
    expect(compareFrame(emulator, viewer.screen.terminal)).toEqual([]);
  });

  it("[AT6] [PT3] the last picture comes before the exit, which is told once", async () => {
    const { print, watch, wait, pty } = await rig();
    const viewer = watch();
    await wait(25);
    await print("the end");
    pty.exit({ exit_code: 3 });
    for (let i = 0; i < 4; i++) await wait(30);
    viewer.resize({ cols: 100, rows: 30 });
    await wait(30);
    expect(viewer.rows[0]).toBe("the end");
    const types = viewer.types().filter((type) => type === "frame" || type === "exited");
    expect(types).toEqual(["frame", "frame", "exited", "frame"]);
    expect(viewer.messages.find(({ type }) => type === "exited")).toMatchObject({
      exit_code: 3,
      at: 7,
    });

    const late = watch();
    await wait(30);
    expect(late.types().filter((type) => type !== "viewers")).toEqual(["hello", "frame", "exited"]);
    expect(late.rows[0]).toBe("the end");
  });

  it("[PT3] a program that ends in mid-flood is shown to its end before the exit is told", async () => {
    const { watch, wait, pty, clock, emulator } = await rig();
    const viewer = watch();
    await wait(25);
    for (let i = 0; i < 40; i++) pty.print(`line ${i} of the flood\r\n`.repeat(1_000));
    pty.print("the end");
    pty.exit();
    // Frames are drawn while the screen still has much to take in.
    while (!viewer.types().includes("exited")) {
      await nextLoop();
      clock.advance(10);
    }
    for (let i = 0; i < 4; i++) await wait(30);
    const told = viewer.types().filter((type) => type === "frame" || type === "exited");
    expect(told.length).toBeGreaterThan(3);
    expect(told.at(-1)).toBe("exited");
    expect(viewer.rows[23]).toBe("the end");
    expect(compareFrame(emulator, viewer.screen.terminal)).toEqual([]);
  });

  it("[AT5] [AT6] a reader types nothing, and its terminal keeps its own input modes", async () => {
    const { print, watch, pty } = await rig();
    await print("\x1b[?1h\x1b[?1003h\x1b[?1006h\x1b[?2004h\x1b[?1004h");
    const readers = [watch({ isReader: true }), watch({ actor: onlooker })];
    await print("x", 30);
    for (const reader of readers) {
      reader.attachment?.typed(new TextEncoder().encode("no"));
      expect(reader.messages.at(-1)).toMatchObject({ type: "error", code: "READ_ONLY" });
      expect(reader.screen.terminal.modes).toMatchObject({
        mouseTrackingMode: "none",
        applicationCursorKeysMode: false,
        bracketedPasteMode: false,
        sendFocusMode: false,
      });
      expect(reader.rows[0]).toBe("x");
    }
    expect(pty.taken.length).toBe(0);
  });

  it("[AT6] a typist's terminal follows the program's input modes, told when they change", async () => {
    const { print, watch } = await rig();
    const viewer = watch();
    const modes = () => {
      const { mouseTrackingMode, applicationCursorKeysMode, bracketedPasteMode } =
        viewer.screen.terminal.modes;
      const encoding = coreOf(viewer.screen.terminal).coreMouseService.activeEncoding;
      return [mouseTrackingMode, encoding, applicationCursorKeysMode, bracketedPasteMode];
    };
    await print("\x1b[?1h\x1b[?1002h\x1b[?1006h\x1b[?2004hstart", 30);
    expect(modes()).toEqual(["drag", "SGR", true, true]);
    await print(" more", 30);
    expect(viewer.lastFrame).not.toContain("2004");
    // A change of modes alone is a frame too.
    await print("\x1b[?1l\x1b[?1002l\x1b[?1006l\x1b[?2004l", 30);
    expect(viewer.lastFrame).toContain("\x1b[?2004l");
    expect(modes()).toEqual(["none", "DEFAULT", false, false]);
  });

  it("[AT6] output that changes nothing sends nothing", async () => {
    const { print, watch } = await rig();
    const viewer = watch();
    await print("same", 30);
    const { frames } = viewer;
    for (let i = 0; i < 5; i++) await print("\rsame\x1b]2;title\x07\x07", 30);
    expect(viewer.frames).toBe(frames);
    expect(viewer.types()).toContain("bell");
    expect(viewer.types()).toContain("title");
  });

  it("[AT7] an acknowledgement beyond what was shown closes with 4400", async () => {
    const { print, watch } = await rig();
    const viewer = watch();
    await print("abc", 30);
    viewer.attachment?.acknowledge(3);
    expect(viewer.closed).toBeNull();
    viewer.attachment?.acknowledge(4);
    expect(viewer.closed).toMatchObject({ code: 4400 });
  });

  it("[AT6] viewers of the log and of frames side by side each get their own", async () => {
    const { print, watch, view, wait, emulator } = await rig();
    const { viewer: live } = view();
    const watchers = [
      watch(),
      watch({ size: { cols: 30, rows: 6 } }),
      watch({ size: { cols: 81, rows: 24 } }),
    ];
    let bytes = 0;
    for (let i = 0; i < 20; i++) {
      const row = `\x1b[3${i % 8}mrow ${i}\x1b[K\r\n`;
      bytes += row.length;
      await print(row, 10);
    }
    for (let i = 0; i < 5; i++) await wait(30);
    for (const viewer of watchers)
      expect(compareFrame(emulator, viewer.screen.terminal)).toEqual([]);
    await live.drawnTo(bytes);
    expect(live.rows()[19]).toBe("row 19");
  });

  it("[HO3] closing the session ends the viewer and leaves no timer", async () => {
    const { print, watch, port, clock, parsed } = await rig();
    const viewer = watch();
    await print("x", 10);
    const closing = port().close("HUP");
    await parsed();
    clock.advance(limits.killGraceMs);
    await closing;
    await parsed();
    expect(viewer.closed).toMatchObject({ code: 4404 });
    expect(clock.pending).toBe(0);
  });
});
