// The render view of attach (AT6) over the host's socket, on real programs.
import { afterEach, describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { attachProtocol, type ServerMessage, serverMessageSchema } from "#lib/protocol/attach.ts";
import { limits } from "#lib/protocol/limits.ts";
import { wholeScreen } from "#lib/protocol/screen.ts";
import { RenderViewer } from "#server/testing/render-viewer.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";

const large = { cols: 120, rows: 40 };
const cleanUps: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function rig() {
  const host = await startTestHost();
  cleanUps.push(() => host.dispose());
  const create = async (command: string[]) => {
    const body = { command, cols: 80, rows: 24, env: { TERM: "xterm-256color" } };
    return (await host.request("createSession", { body })).id;
  };
  return { host, create };
}

/** A RenderViewer at the far end of a real socket. */
function watch(
  host: TestHost,
  session: string,
  size = large,
): { viewer: RenderViewer; socket: WebSocket } {
  const query = `?view=render&cols=${size.cols}&rows=${size.rows}`;
  const { socket } = host.attach(session, { query, acknowledges: false });
  const viewer = new RenderViewer(size);
  const send = (message: object) => socket.send(JSON.stringify(message));
  viewer.attachment = {
    id: "far",
    typed: (bytes) => socket.send(bytes),
    report: (data) => send({ type: "report", data }),
    propose: (to) => send({ type: "resize", ...to }),
    answer: async (text) => send({ type: "secret", text }),
    useMySize: (to) => send({ type: "use_my_size", ...to }),
    acknowledge: (at) => send({ type: "ack", at }),
    ping: (id) => send({ type: "ping", id }),
    keyboard: (action) => send({ type: "keyboard", action }),
    prefers: (politeness) => send({ type: "politeness", politeness }),
    dispose: () => socket.terminate(),
  };
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) viewer.sendBytes(data);
    else viewer.send(serverMessageSchema.parse(JSON.parse(data.toString())) as ServerMessage);
  });
  socket.on("close", (code, reason) => viewer.close(code, reason.toString()));
  cleanUps.push(() => viewer.screen.dispose());
  return { viewer, socket };
}

/** The viewer's rows, once its top left corner is the session's screen. */
async function settled(host: TestHost, session: string, viewer: RenderViewer): Promise<void> {
  for (;;) {
    const { lines } = wholeScreen(await host.request("readScreen", { params: { id: session } }));
    const rows = [...lines, ...Array(viewer.screen.terminal.rows - lines.length).fill("")];
    if (JSON.stringify(viewer.rows) === JSON.stringify(rows)) return;
    // The next frame, or a poll should none come.
    const { frames } = viewer;
    await Promise.race([
      viewer.when(() => viewer.frames > frames),
      new Promise((resolve) => setTimeout(resolve, 100)),
    ]);
  }
}

describe("attach with view=render, over a socket", () => {
  it("[AT6] [AT1] vim on 80 x 24 in a terminal of 120 x 40: typed into, resized, quit", async () => {
    const { host, create } = await rig();
    const id = await create(["vim", "-u", "NONE", "-i", "NONE", "-n", "-c", "set number"]);
    const { viewer, socket } = watch(host, id);
    await viewer.when(() => viewer.rows.some((row) => row.startsWith("~")));
    expect(socket.protocol).toBe(attachProtocol);
    viewer.attachment?.typed(new TextEncoder().encode("ihello from the large terminal"));
    await viewer.when(() => viewer.rows[0]?.endsWith("large terminal") === true);
    await settled(host, id, viewer);
    viewer.resize({ cols: 60, rows: 30 });
    await viewer.when(
      () => viewer.rows.length === 30 && viewer.rows[0]?.includes("hello") === true,
    );
    viewer.resize({ cols: 100, rows: 50 });
    await viewer.when(() => viewer.rows.length === 50);
    await settled(host, id, viewer);
    viewer.attachment?.typed(new TextEncoder().encode("\x1b:q!\r"));
    await viewer.when(() => viewer.types().includes("exited"));
    expect(viewer.screen.answered).toBe("");
    expect(viewer.messages.filter(({ type }) => type === "snapshot" || type === "resume")).toEqual(
      [],
    );
  });

  it("[AT6] a flood of 20 MB ends with the right picture and costs the socket a fraction of it", async () => {
    const { host, create } = await rig();
    const id = await create([
      "/bin/sh",
      "-c",
      "yes 'all work and no play' | head -c 20000000; echo; echo END",
    ]);
    const { viewer } = watch(host, id);
    await viewer.when(() => viewer.types().includes("exited"));
    expect(viewer.rows).toContain("END");
    expect(viewer.received).toBeLessThan(2_000_000);
    await settled(host, id, viewer);
  });

  it("[T5A] a viewer that never acknowledges holds at most four frames, whatever the program prints", async () => {
    const { host, create } = await rig();
    const id = await create([
      "/bin/sh",
      "-c",
      "i=0; while [ $i -lt 300 ]; do echo $i; i=$((i+1)); sleep 0.005; done; exec cat",
    ]);
    const { viewer } = watch(host, id);
    viewer.isSlow = true;
    for (;;) {
      const { lines } = wholeScreen(await host.request("readScreen", { params: { id } }));
      if (lines.includes("299")) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(viewer.frames).toBeLessThanOrEqual(4);
    expect(viewer.received).toBeLessThan(limits.viewerWindowBytes);
    viewer.acknowledge();
    await viewer.when(() => viewer.rows.includes("299"));
  });

  it("[AT6] [HT2] a request without a size is a plain 400 and no socket", async () => {
    const { host, create } = await rig();
    const id = await create(["cat"]);
    const double = host.attach(id, { query: "?view=render" });
    await double.until("the refusal", () => double.refused !== undefined);
    expect(double.refused).toMatchObject({ status: 400, body: { code: "BAD_SIZE" } });
  });
});
