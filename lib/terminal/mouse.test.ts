import { describe, expect, it } from "vitest";
import { type MouseEvent, mouseEventSchema } from "#lib/protocol/mouse.ts";
import type { Modes } from "#lib/protocol/screen.ts";
import { encodeMouse } from "./mouse.ts";

const size = { cols: 250, rows: 240 };

/** Bytes as hex, or the refusal. */
function sent(
  event: Partial<MouseEvent>,
  mouse: Modes["mouse"] = "any_event",
  encoding: Modes["mouse_encoding"] = "sgr",
): string {
  const whole = { type: "click", x: 0, y: 0, ...event } as MouseEvent;
  const encoded = encodeMouse(whole, { mouse, mouse_encoding: encoding }, size);
  if (encoded.kind === "refused") return encoded.reason;
  if (encoded.kind === "outside") return `outside ${encoded.field}`;
  return Buffer.from(encoded.bytes).toString("latin1").replaceAll("\x1b", "^[");
}

describe("encodeMouse", () => {
  it("[MS1] every event in SGR, cells counted from 1 on the wire", () => {
    const at = { x: 10, y: 5 };
    expect(sent({ type: "press", button: "left", ...at })).toBe("^[[<0;11;6M");
    expect(sent({ type: "press", ...at })).toBe("^[[<0;11;6M");
    expect(sent({ type: "press", button: "middle", ...at })).toBe("^[[<1;11;6M");
    expect(sent({ type: "release", button: "right", ...at })).toBe("^[[<2;11;6m");
    expect(sent({ type: "click", button: "right", ...at })).toBe("^[[<2;11;6M^[[<2;11;6m");
    expect(sent({ type: "drag", button: "middle", ...at })).toBe("^[[<33;11;6M");
    expect(sent({ type: "move", ...at })).toBe("^[[<35;11;6M");
    expect(sent({ type: "scroll", button: "wheel-up", ...at })).toBe("^[[<64;11;6M");
    expect(sent({ type: "scroll", button: "wheel-down", ...at })).toBe("^[[<65;11;6M");
  });

  it("[MS1] modifiers are 4, 8 and 16, on both halves of a click", () => {
    expect(sent({ type: "press", modifiers: ["shift"] })).toBe("^[[<4;1;1M");
    expect(sent({ type: "press", modifiers: ["alt"] })).toBe("^[[<8;1;1M");
    expect(sent({ type: "press", modifiers: ["ctrl"] })).toBe("^[[<16;1;1M");
    expect(sent({ modifiers: ["ctrl", "shift", "alt", "ctrl"] })).toBe("^[[<28;1;1M^[[<28;1;1m");
    expect(sent({ type: "move", modifiers: ["alt"] })).toBe("^[[<43;1;1M");
  });

  it("[MS1] the oldest encoding says which button was pressed and not which was released", () => {
    const click = { button: "right", x: 1, y: 2, modifiers: ["ctrl"] } as MouseEvent;
    expect(sent(click, "normal", "default")).toBe('^[[M2"#^[[M3"#');
    expect(sent({ type: "drag", x: 1, y: 2 }, "button_event", "default")).toBe('^[[M@"#');
    expect(sent({ type: "move", x: 1, y: 2 }, "any_event", "default")).toBe('^[[MC"#');
    expect(sent({ type: "scroll", button: "wheel-down" }, "normal", "default")).toBe("^[[Ma!!");
  });

  it("[MS1] [B074] its coordinates are one raw byte each, up to 222", () => {
    const press = (x: number, y = 0) => {
      const event = { type: "press", x, y } as MouseEvent;
      const encoded = encodeMouse(event, { mouse: "normal", mouse_encoding: "default" }, size);
      return encoded.kind === "bytes" ? [...encoded.bytes].slice(3) : encoded;
    };
    expect(press(94)).toEqual([0x20, 0x7f, 0x21]);
    expect(press(100)).toEqual([0x20, 0x85, 0x21]);
    expect(press(222)).toEqual([0x20, 0xff, 0x21]);
    expect(press(0, 222)).toEqual([0x20, 0x21, 0xff]);
    expect(press(223)).toMatchObject({ kind: "refused", reason: "cell_not_encodable" });
    expect(press(230)).toMatchObject({ kind: "refused", reason: "cell_not_encodable" });
    expect(press(0, 223)).toMatchObject({ kind: "refused", reason: "cell_not_encodable" });
  });

  it("[MS1] 1005 writes large coordinates as UTF-8, 1015 as decimals", () => {
    expect(sent({ type: "press", x: 94, y: 0 }, "normal", "utf8")).toBe("^[[M \x7f!");
    expect(sent({ type: "press", x: 95, y: 230 }, "normal", "utf8")).toBe("^[[M \xc2\x80\xc4\x87");
    expect(sent({ x: 230, y: 9 }, "normal", "urxvt")).toBe("^[[32;231;10M^[[35;231;10M");
    expect(sent({ type: "drag", button: "right", x: 4 }, "any_event", "urxvt")).toBe("^[[66;5;1M");
  });

  it("[MS2] what each tracking mode does not report is refused with the reason", () => {
    const events: Partial<MouseEvent>[] = [
      { type: "press" },
      { type: "release" },
      { type: "click" },
      { type: "scroll", button: "wheel-up" },
      { type: "drag" },
      { type: "move" },
    ];
    const table = (mouse: Modes["mouse"]) =>
      events.map((event) => sent(event, mouse)).map((text) => (text.startsWith("^") ? "ok" : text));
    const presses = Array(5).fill("presses_only");
    expect(table("off")).toEqual(Array(6).fill("tracking_off"));
    expect(table("x10")).toEqual(["ok", ...presses]);
    expect(table("normal")).toEqual([
      ...Array(4).fill("ok"),
      "drag_not_reported",
      "move_not_reported",
    ]);
    expect(table("button_event")).toEqual([...Array(5).fill("ok"), "move_not_reported"]);
    expect(table("any_event")).toEqual(Array(6).fill("ok"));
    expect(sent({ type: "press", modifiers: ["ctrl"] }, "x10")).toBe("presses_only");
  });

  it("[MS2] a program that wants pixels is told none", () => {
    expect(sent({ type: "press" }, "any_event", "sgr_pixels")).toBe("pixels_wanted");
  });

  it("[MS2] a cell that is not on the screen is outside, whatever the modes", () => {
    expect(sent({ x: 249, y: 239 })).toBe("^[[<0;250;240M^[[<0;250;240m");
    expect(sent({ x: 250 })).toBe("outside x");
    expect(sent({ y: 240 }, "off")).toBe("outside y");
  });
});

describe("mouseEventSchema", () => {
  it("[MS1] buttons belong to events: the wheel to scroll, none to move", () => {
    const ok = (event: object) => mouseEventSchema.safeParse({ x: 0, y: 0, ...event }).success;
    expect(ok({ type: "click" })).toBe(true);
    expect(ok({ type: "drag", button: "middle", modifiers: ["shift"] })).toBe(true);
    expect(ok({ type: "scroll", button: "wheel-down" })).toBe(true);
    expect(ok({ type: "move" })).toBe(true);
    expect(ok({ type: "scroll" })).toBe(false);
    expect(ok({ type: "scroll", button: "left" })).toBe(false);
    expect(ok({ type: "click", button: "wheel-up" })).toBe(false);
    expect(ok({ type: "move", button: "left" })).toBe(false);
    expect(ok({ type: "click", x: -1 })).toBe(false);
    expect(ok({ type: "click", x: 0.5 })).toBe(false);
    expect(ok({ type: "click", z: 1 })).toBe(false);
    expect(ok({ type: "click", modifiers: ["meta"] })).toBe(false);
  });
});
