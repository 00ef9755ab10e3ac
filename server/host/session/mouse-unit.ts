// A mouse event of the API as the bytes of one unit (MS1, MS2), or the refusal that says why the program would not get it. Pure.
import { assertNever } from "#lib/base/assert.ts";
import { TermError } from "#lib/protocol/errors.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { MouseEvent } from "#lib/protocol/mouse.ts";
import { encodeMouse, type MouseModes } from "#lib/terminal/mouse.ts";

export interface MouseFacts {
  readonly modes: MouseModes;
  readonly size: GridSize;
  /** A person's mouse takes nothing: it is the program's while that person has the keyboard (LS2). */
  readonly isTheirs: boolean;
}

/** Throws MOUSE_NOT_REPORTED and BAD_REQUEST. */
export function mouseUnit(
  event: MouseEvent,
  facts: MouseFacts,
): { bytes: Uint8Array; reports: number } {
  const { mouse, mouse_encoding } = facts.modes;
  const modes = { mouse, mouse_encoding };
  if (!facts.isTheirs) {
    const detail =
      "the mouse reaches the program only while you have the keyboard; take it first (`cotty lease ID take`)";
    const members = { reason: "keyboard_not_held", modes };
    throw new TermError("MOUSE_NOT_REPORTED", detail, { members });
  }
  const encoded = encodeMouse(event, modes, facts.size);
  switch (encoded.kind) {
    case "bytes":
      return encoded;
    case "refused": {
      const { reason, detail } = encoded;
      throw new TermError("MOUSE_NOT_REPORTED", detail, { members: { reason, modes } });
    }
    case "outside": {
      const path = `body.${encoded.field}`;
      const errors = [{ path, message: encoded.detail }];
      throw new TermError("BAD_REQUEST", `${path} ${encoded.detail}`, { errors });
    }
    default:
      return assertNever(encoded);
  }
}
