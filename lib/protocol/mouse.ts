// Mouse events that agents send to a program (MS1). Cells are 0-based from the top left of the viewport.
import * as z from "zod/mini";
import { limits } from "./limits.ts";

/**
 * press, release; click is both, as one unit. drag: the mouse moved to the cell with the button held (one report; the press before it and
 * the release after it are events of their own). move: it moved with none held. scroll: one notch.
 */
export const mouseEventSchema = z
  .strictObject({
    type: z.enum(["press", "release", "click", "drag", "move", "scroll"]),
    /** left unless given; scroll needs one of the wheel's two, move takes none. */
    button: z.optional(z.enum(["left", "middle", "right", "wheel-up", "wheel-down"])),
    x: z.int().check(z.minimum(0), z.maximum(limits.cols.max - 1)),
    y: z.int().check(z.minimum(0), z.maximum(limits.rows.max - 1)),
    modifiers: z.optional(z.array(z.enum(["shift", "alt", "ctrl"])).check(z.maxLength(3))),
  })
  .check(
    z.superRefine(({ type, button }, context) => {
      const isWheel = button?.startsWith("wheel") ?? false;
      const wrong = (message: string) =>
        context.addIssue({ code: "custom", path: ["button"], message });
      if (type === "scroll" && !isWheel) wrong("must be wheel-up or wheel-down for scroll");
      if (type === "move" && button) wrong("is not taken by move; drag holds a button");
      if (type !== "scroll" && type !== "move" && isWheel) wrong("turns only with scroll");
    }),
  );
export type MouseEvent = z.infer<typeof mouseEventSchema>;

/** Why a program cannot receive an event (MS2). */
export const mouseReasons = [
  /** No tracking mode is on. */
  "tracking_off",
  /** Dragging is reported under 1002 and 1003 only. */
  "drag_not_reported",
  /** Moving without a button is reported under 1003 only. */
  "move_not_reported",
  /** X10 tracking (9) reports presses, without modifiers, and nothing else. */
  "presses_only",
  /** Of a person: who has the keyboard has the mouse (LS2). */
  "keyboard_not_held",
  /** The encoding has no form for a cell that far right or down: 222 is the last in the oldest one. */
  "cell_not_encodable",
  /** The program wants pixels (1016), and cells here have none. */
  "pixels_wanted",
] as const;
export type MouseReason = (typeof mouseReasons)[number];
