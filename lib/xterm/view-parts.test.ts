import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { BellPacer } from "./bell-pacer.ts";
import { boxOf, fits, fontSizeFor, gridFor, leastProposal, missingPixel } from "./fit.ts";
import { InputCause } from "./input-cause.ts";
import { SizeProposer } from "./size-proposer.ts";
import { SoftInput } from "./soft-input.ts";
import { pasteInto } from "./terminal-paste.ts";
import type { PasteAnswer, PasteQuestion } from "./terminal-status.ts";
import { contrastFloor, themes } from "./themes.ts";
import { type SlotHolder, WebglSlots } from "./webgl-slots.ts";

let clock: FakeClock;
beforeEach(() => {
  clock = new FakeClock();
});

/** Dispatches as browsers do: the phase stays set until the last listener is done. (Node's own EventTarget clears it early.) */
class FakePage {
  private listeners: { type: string; listener: (event: Event) => void }[] = [];

  addEventListener(type: string, listener: (event: Event) => void): void {
    this.listeners.push({ type, listener });
  }

  removeEventListener(type: string, listener: (event: Event) => void): void {
    this.listeners = this.listeners.filter(
      (other) => other.type !== type || other.listener !== listener,
    );
  }

  get count(): number {
    return this.listeners.length;
  }

  dispatch(type: string, part: object = {}): void {
    const event = { type, eventPhase: 1, ...part };
    for (const { listener } of this.listeners.filter((other) => other.type === type))
      listener(event as never);
    event.eventPhase = 0;
  }
}

describe("input cause", () => {
  let page: FakePage;
  let cause: InputCause;
  beforeEach(() => {
    page = new FakePage();
    cause = new InputCause(page as never, clock);
  });
  afterEach(() => {
    cause.dispose();
    expect(page.count).toBe(0);
  });

  /** What data would count as that xterm emits while `type` is being dispatched. */
  function during(type: string, part: object = {}): string {
    let seen = "";
    const listener = () => {
      seen = cause.now();
    };
    page.addEventListener(type, listener);
    page.dispatch(type, part);
    page.removeEventListener(type, listener);
    return seen;
  }

  it.each(["keydown", "keypress", "input", "compositionend"])(
    "[AT3] data in %s was typed",
    (type) => {
      expect(during(type)).toBe("typed");
    },
  );

  it.each(["mousedown", "mousemove", "mouseup", "wheel", "focus", "blur", "touchmove"])(
    "[LS2] data in %s is a report",
    (type) => {
      expect(during(type)).toBe("report");
    },
  );

  it("[B023] data outside any event is the terminal's own answer", () => {
    expect(cause.now()).toBe("none");
    during("mousedown");
    expect(cause.now()).toBe("none");
    during("keydown");
    expect(cause.now()).toBe("none");
  });

  it("[B118] a focus report inside a key event is still a report, and the key still typing", () => {
    const seen: string[] = [];
    const listener = () => {
      seen.push(during("focus"));
      seen.push(cause.now());
    };
    page.addEventListener("keydown", listener);
    page.dispatch("keydown");
    page.removeEventListener("keydown", listener);
    expect(seen).toEqual(["report", "typed"]);
  });

  it("[B117] what an input method commits one task later was typed", () => {
    during("keydown", { keyCode: 229 });
    expect(cause.now()).toBe("typed");
    expect(during("mousemove"), "a mouse report meanwhile").toBe("report");
    clock.advance(1_000);
    expect(cause.now()).toBe("none");
    during("compositionend");
    expect(cause.now()).toBe("typed");
  });
});

describe("soft input", () => {
  let page: FakePage;
  let soft: SoftInput;
  let typed: string[];
  beforeEach(() => {
    page = new FakePage();
    typed = [];
    soft = new SoftInput(page as never, clock, (text) => typed.push(text));
  });
  afterEach(() => soft.dispose());

  const key = (keyCode: number) => soft.takesKey({ type: "keydown", keyCode } as never);
  const input = (data: string | null, inputType = "insertText") =>
    page.dispatch("input", { data, inputType, composed: true });

  it("[B117] three commits with key 229 arrive three times, however late or fast", () => {
    for (const lateMs of [0, 5, 500]) {
      expect(key(229)).toBe(true);
      clock.advance(lateMs);
      input("ñ");
    }
    key(229);
    input("a");
    key(229);
    input("b");
    expect(typed).toEqual(["ñ", "ñ", "ñ", "a", "b"]);
  });

  it("[B117] leaves compositions and what is put in beside them to the terminal", () => {
    page.dispatch("compositionstart");
    expect(key(229)).toBe(false);
    input("한", "insertCompositionText");
    page.dispatch("compositionend");
    input("2");
    clock.advance(1);
    expect(typed).toEqual([]);
    key(229);
    input("3");
    expect(typed).toEqual(["3"]);
  });

  it("leaves ordinary keys alone", () => {
    expect(key(65)).toBe(false);
    input("a");
    expect(typed).toEqual([]);
  });

  it("leaves what comes without a key held down to the terminal", () => {
    key(229);
    soft.takesKey({ type: "keyup", keyCode: 229 } as never);
    input("x");
    expect(typed).toEqual([]);
  });

  it("turns deletions and line breaks into keys", () => {
    key(229);
    input(null, "deleteContentBackward");
    key(229);
    input(null, "insertLineBreak");
    key(229);
    input("x", "insertFromPaste");
    expect(typed).toEqual(["\x7f", "\r"]);
  });
});

describe("fit", () => {
  const cell = { width: 8, height: 16 };

  it("fills the box and leaves the scroll bar its room", () => {
    expect(gridFor({ width: 654, height: 400 }, cell)).toEqual({ cols: 80, rows: 25 });
    expect(gridFor({ width: 653, height: 399 }, cell)).toEqual({ cols: 79, rows: 24 });
  });

  it.each([
    [{ width: 0, height: 0 }, cell],
    [
      { width: 800, height: 600 },
      { width: 0, height: 0 },
    ],
    [{ width: Number.NaN, height: 600 }, cell],
    [{ width: 100, height: 600 }, cell],
    [{ width: 800, height: 20 }, cell],
  ])("[B115] proposes nothing for %j with cells of %j", (box, cells) => {
    expect(gridFor(box, cells)).toBeNull();
  });

  it("[B115] never proposes fewer than 20 columns", () => {
    for (let width = 0; width < 400; width++) {
      const grid = gridFor({ width, height: 600 }, cell);
      if (grid) expect(grid.cols).toBeGreaterThanOrEqual(leastProposal.cols);
    }
  });

  it("[SZ1] scales a foreign grid down until it fits, and no further than can be read", () => {
    const box = { width: 654, height: 400 };
    expect(fontSizeFor({ cols: 80, rows: 24 }, 13, cell, box)).toBe(13);
    const scaled = fontSizeFor({ cols: 100, rows: 30 }, 13, cell, box);
    expect(scaled).toBeLessThan(13);
    const ratio = scaled / 13;
    const smaller = { width: cell.width * ratio, height: cell.height * ratio };
    expect(fits({ cols: 100, rows: 30 }, smaller, box)).toBe(true);
    expect(fontSizeFor({ cols: 900, rows: 30 }, 13, cell, box)).toBe(9);
    expect(fontSizeFor({ cols: 900, rows: 30 }, 8, cell, box), "small text is not enlarged").toBe(
      8,
    );
    expect(boxOf({ cols: 80, rows: 25 }, cell)).toEqual({ width: 654, height: 400 });
  });
});

describe("letter spacing", () => {
  it.each([
    [7.8, 1],
    [15.6, 1],
    [8.4, 0],
    [7, 0],
    [0, 0],
  ])("a letter of %f device pixels gets %i more", (width, pixels) => {
    expect(missingPixel(width)).toBe(pixels);
  });
});

describe("size proposals", () => {
  function proposer() {
    const said: string[] = [];
    const made = new SizeProposer(clock, ({ cols, rows }) => said.push(`${cols}x${rows}`));
    return { made, said };
  }

  it("[SZ3] says the last of many, once it has been still for 100 ms", () => {
    const { made, said } = proposer();
    for (let cols = 80; cols <= 120; cols++) {
      made.measured({ cols, rows: 24 });
      clock.advance(10);
    }
    expect(said).toEqual([]);
    clock.advance(100);
    expect(said).toEqual(["120x24"]);
  });

  it("[SZ3] says nothing twice and nothing from a hidden pane", () => {
    const { made, said } = proposer();
    made.measured({ cols: 80, rows: 24 });
    clock.advance(100);
    made.measured({ cols: 80, rows: 24 });
    made.measured({ cols: 90, rows: 24 });
    made.measured(null);
    clock.advance(1_000);
    made.measured({ cols: 80, rows: 24 });
    clock.advance(1_000);
    expect(said).toEqual(["80x24"]);
    expect(clock.pending).toBe(0);
  });

  it("[SZ4] 200 resizes in 2 s end with one proposal, the last", () => {
    const { made, said } = proposer();
    for (let i = 0; i < 200; i++) {
      made.measured({ cols: 40 + (i % 60), rows: 20 });
      clock.advance(10);
    }
    made.measured({ cols: 77, rows: 22 });
    clock.advance(100);
    expect(said).toEqual(["77x22"]);
  });
});

describe("paste", () => {
  async function paste(text: string, bracketed: boolean, answer: PasteAnswer = "paste") {
    const asked: PasteQuestion[] = [];
    let sent: string | null = null;
    await pasteInto({ modes: { bracketedPasteMode: bracketed } } as never, text, {
      confirm: async (question) => {
        asked.push(question);
        return answer;
      },
      typed: (ready) => {
        sent = ready;
      },
    });
    return { asked, sent };
  }

  it("[B065] an end-of-paste marker inside cannot end the paste", async () => {
    const { sent } = await paste("echo safe\x1b[201~\rtouch /tmp/pwned\r", true);
    expect(sent).toBe("\x1b[200~echo safe\rtouch /tmp/pwned\x1b[201~");
  });

  it("[SE8] takes controls out and leaves TAB and line ends", async () => {
    expect((await paste("a\x1b[31m\x03\tb\x9b", true)).sent).toBe("\x1b[200~a[31m\tb\x1b[201~");
  });

  it("asks about several lines that the program would run one by one", async () => {
    const { asked, sent } = await paste("one\ntwo\n", false);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ text: "one\rtwo", lines: 2, preview: ["one", "two"] });
    expect(sent).toBe("one\rtwo");
    expect((await paste("one\ntwo\n", false, "cancel")).sent).toBeNull();
    expect((await paste("one\n  two\n", false, "one_line")).sent).toBe("one two");
  });

  it("asks about a lot, also with bracketed paste", async () => {
    expect((await paste("x".repeat(6_000), true)).asked).toHaveLength(1);
    expect((await paste("x".repeat(100), true)).asked).toHaveLength(0);
  });

  it("does not press Enter for the person, and sends nothing for nothing", async () => {
    expect((await paste("ls\n", false)).sent).toBe("ls");
    expect((await paste("\n", false)).sent).toBeNull();
  });
});

describe("WebGL slots", () => {
  it("gives the context of the one used longest ago to the next", () => {
    const slots = new WebglSlots(2);
    const given: string[] = [];
    const holder = (name: string): SlotHolder => ({ giveUp: () => void given.push(name) });
    const [a, b, c] = [holder("a"), holder("b"), holder("c")];
    slots.take(a);
    slots.take(b);
    slots.take(a);
    slots.take(c);
    expect(given).toEqual(["b"]);
    expect([slots.holds(a), slots.holds(b), slots.holds(c)]).toEqual([true, false, true]);
    slots.free(a);
    slots.take(b);
    expect(given).toEqual(["b"]);
  });
});

describe("bell", () => {
  it("reaches the eye at most three times in any second", () => {
    const bell = new BellPacer(clock);
    let seen = 0;
    bell.onBell(() => {
      seen += 1;
    });
    for (let i = 0; i < 100; i++) {
      bell.ring();
      clock.advance(10);
    }
    expect(seen).toBe(3);
    clock.advance(100);
    bell.ring();
    expect(seen).toBe(4);
  });
});

describe("palettes", () => {
  const luminance = (hex: string) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
      return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (a: string, b: string) => {
    const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };

  it.each([
    ["dark", 5.2],
    ["light", 4.8],
    ["contrast", 8.8],
  ] as const)("%s: every colour but black is at least %f from the background", (name, least) => {
    const { background = "", foreground = "", selectionBackground = "", ...rest } = themes[name];
    const slots = ["red", "green", "yellow", "blue", "magenta", "cyan", "white"];
    const names = [
      ...slots,
      "brightBlack",
      ...slots.map((slot) => `bright${slot[0]?.toUpperCase()}${slot.slice(1)}`),
    ];
    expect(names).toHaveLength(15);
    for (const slot of names) {
      const colour = (rest as Record<string, unknown>)[slot];
      expect(contrast(String(colour), background), slot).toBeGreaterThanOrEqual(least - 0.05);
    }
    expect(contrast(foreground, background)).toBeGreaterThan(contrastFloor[name]);
    expect(contrast(foreground, selectionBackground), "selected text").toBeGreaterThanOrEqual(4.5);
  });
});
