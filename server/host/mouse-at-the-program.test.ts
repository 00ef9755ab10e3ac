// MS1 and MS2, shown by the program: what arrives for every event, in every tracking mode and encoding, through the HTTP API.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProbeSession } from "#server/testing/probe-session.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(async () => {
  await host.dispose();
});

const events = {
  press: { type: "press", button: "left", x: 10, y: 5 },
  release: { type: "release", button: "right", x: 10, y: 5 },
  click: { type: "click", button: "middle", x: 0, y: 0, modifiers: ["ctrl"] },
  scroll: { type: "scroll", button: "wheel-down", x: 79, y: 23 },
  drag: { type: "drag", button: "left", x: 11, y: 5, modifiers: ["shift", "alt"] },
  move: { type: "move", x: 12, y: 6 },
} as const;
type EventName = keyof typeof events;
const names = Object.keys(events) as EventName[];

/** Under each encoding, what a program that tracks everything receives. Written by hand from the xterm documentation. */
const encodings: Record<string, { print: string; told: string; sent: Record<EventName, string> }> =
  {
    sgr: {
      print: "\\x1b[?1006h",
      told: "sgr",
      sent: {
        press: "^[[<0;11;6M",
        release: "^[[<2;11;6m",
        click: "^[[<17;1;1M^[[<17;1;1m",
        scroll: "^[[<65;80;24M",
        drag: "^[[<44;12;6M",
        move: "^[[<35;13;7M",
      },
    },
    "the oldest": {
      print: "",
      told: "default",
      sent: {
        press: "^[[M +&",
        release: "^[[M#+&",
        click: "^[[M1!!^[[M3!!",
        scroll: "^[[Map8",
        drag: "^[[ML,&",
        move: "^[[MC-'",
      },
    },
    urxvt: {
      print: "\\x1b[?1015h",
      told: "urxvt",
      sent: {
        press: "^[[32;11;6M",
        release: "^[[35;11;6M",
        click: "^[[49;1;1M^[[51;1;1M",
        scroll: "^[[97;80;24M",
        drag: "^[[76;12;6M",
        move: "^[[67;13;7M",
      },
    },
    utf8: {
      print: "\\x1b[?1005h",
      told: "utf8",
      sent: {
        press: "^[[M +&",
        release: "^[[M#+&",
        click: "^[[M1!!^[[M3!!",
        scroll: "^[[Map8",
        drag: "^[[ML,&",
        move: "^[[MC-'",
      },
    },
  };

describe("the mouse at the program", () => {
  it.each(Object.entries(encodings))(
    "[MS1] every event arrives exactly, in the encoding %s",
    async (_name, { print, told, sent }) => {
      const session = await ProbeSession.start(host, { print: `\\x1b[?1003h${print}` });
      const { modes } = (await host.raw("GET", `/api/v1/sessions/${session.id}/screen`)).json() as {
        modes: object;
      };
      expect(modes).toMatchObject({ mouse: "any_event", mouse_encoding: told });
      for (const name of names) {
        const received = await session.receivedText(async () => {
          const reply = await session.post("mouse", events[name]);
          expect([name, reply.status, reply.json()]).toEqual([
            name,
            200,
            { reports: name === "click" ? 2 : 1 },
          ]);
        });
        expect([name, received]).toEqual([name, sent[name]]);
      }
      await session.close();
    },
    60_000,
  );

  const pressOnly = { click: "presses_only", release: "presses_only", scroll: "presses_only" };
  it.each([
    ["off", "", Object.fromEntries(names.map((name) => [name, "tracking_off"]))],
    ["x10", "\\x1b[?9h", { ...pressOnly, drag: "presses_only", move: "presses_only" }],
    ["normal", "\\x1b[?1000h", { drag: "drag_not_reported", move: "move_not_reported" }],
    ["button_event", "\\x1b[?1002h", { move: "move_not_reported" }],
    ["any_event", "\\x1b[?1003h", {}],
  ] as const)(
    "[MS2] under mouse %s the program gets what it can, the rest is 409 with reason and modes",
    async (mouse, print, reasons: Partial<Record<EventName, string>>) => {
      const session = await ProbeSession.start(host, { print: `${print}\\x1b[?1006h` });
      const received = await session.receivedText(async () => {
        for (const name of names) {
          const reply = await session.post("mouse", events[name]);
          const reason = reasons[name];
          expect([name, reply.status]).toEqual([name, reason ? 409 : 200]);
          if (!reason) continue;
          expect(reply.json()).toMatchObject({
            code: "MOUSE_NOT_REPORTED",
            reason,
            modes: { mouse, mouse_encoding: "sgr" },
            hint: expect.stringMatching(/\.$/),
          });
        }
      });
      const passed = names.filter((name) => !reasons[name]);
      expect(received).toBe(passed.map((name) => encodings.sgr?.sent[name]).join(""));
      await session.close();
    },
    60_000,
  );

  it("[MS1] [B074] legacy coordinates are single raw bytes up to 222; beyond, and off the screen, nothing arrives", async () => {
    const session = await ProbeSession.start(host, { print: "\\x1b[?1000h", cols: 250, rows: 60 });
    const press = (x: number, y = 0) => session.post("mouse", { type: "press", x, y });
    for (const [x, byte] of [
      [94, "7f"],
      [95, "80"],
      [100, "85"],
      [222, "ff"],
    ] as const) {
      const received = await session.received(async () => {
        expect((await press(x)).status).toBe(200);
      });
      expect(received).toBe(`1b5b4d20${byte}21`);
    }
    const received = await session.received(async () => {
      for (const x of [223, 230]) {
        const reply = await press(x);
        expect([reply.status, reply.json()]).toMatchObject([
          409,
          { reason: "cell_not_encodable", modes: { mouse: "normal", mouse_encoding: "default" } },
        ]);
      }
      for (const [x, y, field] of [
        [250, 0, "x"],
        [0, 60, "y"],
      ] as const) {
        const reply = await press(x, y);
        expect([reply.status, reply.json()]).toMatchObject([
          400,
          { code: "BAD_REQUEST", errors: [{ path: `body.${field}` }] },
        ]);
      }
    });
    expect(received).toBe("");
    await session.close();
  }, 60_000);

  it("[MS2] a program that wants pixels (1016) is refused them", async () => {
    const session = await ProbeSession.start(host, { print: "\\x1b[?1003h\\x1b[?1016h" });
    const received = await session.received(async () => {
      const reply = await session.post("mouse", events.press);
      expect([reply.status, reply.json()]).toMatchObject([
        409,
        { reason: "pixels_wanted", modes: { mouse_encoding: "sgr_pixels" } },
      ]);
    });
    expect(received).toBe("");
    await session.close();
  }, 60_000);

  it("[MS1] an X10 program gets a press without anything else, [PT9] and after exit events are 409", async () => {
    const session = await ProbeSession.start(host, { print: "\\x1b[?9h", args: [] });
    const received = await session.receivedText(async () => {
      expect((await session.post("mouse", { type: "press", x: 1, y: 1 })).status).toBe(200);
    });
    expect(received).toBe('^[[M ""');
    await session.sent("input", { input: [{ key: "C-d" }] });
    await session.viewer.until("the exit", () => session.viewer.exited !== undefined, 30_000);
    const late = await session.post("mouse", { type: "press", x: 1, y: 1 });
    expect([late.status, late.json()]).toMatchObject([409, { code: "SESSION_EXITED" }]);
    await session.close();
  }, 60_000);
});
