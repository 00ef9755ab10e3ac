// What a shell says about its commands in OSC 133, 633 and 7 (JR1, SI1). Pure: payload in, marker out. Text comes out as it was sent,
// hidden characters and all: whoever keeps or shows it cleans it (hidden-characters.ts).
import { utf8 } from "#lib/base/bytes.ts";
import { limits } from "#lib/protocol/limits.ts";
import { fromPercent, fromShellWords, fromVsCodeEscapes } from "./quoted-text.ts";

export type Dialect = "osc133" | "osc633";

export type Marker =
  /** A: a prompt is being drawn. */
  | { kind: "prompt"; dialect: Dialect }
  /** B: the prompt is done; what follows is typed. */
  | { kind: "input"; dialect: Dialect }
  /** C: the command runs; what follows is its output. `commandLine` from kitty's and fish's `cmdline` forms. */
  | { kind: "output"; dialect: Dialect; commandLine: string | null }
  /** D: it ended. A bare D has no status, and none is invented. */
  | { kind: "done"; dialect: Dialect; status: number | null }
  /** 633;E: the command line as typed, with the nonce that came with it. */
  | { kind: "command_line"; text: string; nonce: string | null }
  /** OSC 7 or 633;P;Cwd=. `host` null: this machine's shell did not say. */
  | { kind: "cwd"; path: string; host: string | null };

/** Parameters of A that say that it is no new prompt: continuation lines (kitty: `s`), right-hand prompts. */
const otherPrompts = /^k=[scr]$/;

/** `payload` is what stands behind the number and its semicolon. null: none of ours, or too long to be. */
export function parseMarker(osc: 7 | 133 | 633, payload: string): Marker | null {
  // Every unit is at least one byte: a flood of long strings is not measured.
  if (payload.length > limits.commandMarkerBytes && osc !== 133) return null;
  if (osc === 7) return fits(payload, limits.commandMarkerBytes) ? folderOfUrl(payload) : null;
  const dialect = osc === 133 ? "osc133" : "osc633";
  if (payload.length > 1 && payload[1] !== ";") return null;
  const rest = payload.slice(2);
  switch (payload[0]) {
    case "A": {
      if (!isShort(payload) || rest.split(";").some((one) => otherPrompts.test(one))) return null;
      return { kind: "prompt", dialect };
    }
    case "B":
      return isShort(payload) ? { kind: "input", dialect } : null;
    case "C":
      return output(dialect, rest);
    case "D":
      return isShort(payload) ? { kind: "done", dialect, status: statusOf(rest) } : null;
    case "E":
      if (osc !== 633 || !fits(payload, limits.commandMarkerBytes)) return null;
      return commandLine(rest);
    case "P":
      if (osc !== 633 || !fits(payload, limits.commandMarkerBytes)) return null;
      return folderOfProperty(rest);
    default:
      return null;
  }
}

/** A bare command line that is too long to be kept does not hide that the command runs. */
function output(dialect: Dialect, rest: string): Marker | null {
  const at = /(?:^|;)cmdline(_url)?=/.exec(rest);
  if (!at) return isShort(rest) ? { kind: "output", dialect, commandLine: null } : null;
  const value = rest.slice(at.index + at[0].length);
  if (!fits(rest, limits.commandMarkerBytes)) return { kind: "output", dialect, commandLine: null };
  // A quoted line may hold semicolons: it goes up to the end. A URL holds none.
  const text = at[1] ? fromPercent(value.split(";")[0] ?? "") : fromShellWords(value);
  return { kind: "output", dialect, commandLine: text };
}

/** `D;STATUS;more`. Anything but a number there is no status. */
function statusOf(rest: string): number | null {
  const [field = ""] = rest.split(";");
  return /^-?\d{1,10}$/.test(field) ? Number(field) : null;
}

/** `E;LINE` or `E;LINE;NONCE`; semicolons of the line are escaped, and where they are not, what looks like no nonce belongs to the line. */
function commandLine(rest: string): Marker {
  const at = rest.lastIndexOf(";");
  const last = at < 0 ? "" : rest.slice(at + 1);
  if (at < 0 || !/^[\w+/=.-]*$/.test(last)) {
    return { kind: "command_line", text: fromVsCodeEscapes(rest), nonce: null };
  }
  return {
    kind: "command_line",
    text: fromVsCodeEscapes(rest.slice(0, at)),
    nonce: last === "" ? null : last,
  };
}

function folderOfProperty(rest: string): Marker | null {
  if (!rest.startsWith("Cwd=")) return null;
  const path = fromVsCodeEscapes(rest.slice("Cwd=".length));
  return path.startsWith("/") ? { kind: "cwd", path, host: null } : null;
}

/** `file://HOST/PATH` in percent-encoding; kitty's own scheme has the path as it is. */
function folderOfUrl(payload: string): Marker | null {
  const match = /^(file|kitty-shell-cwd):\/\/([^/]*)(\/.*)$/s.exec(payload);
  if (!match) return null;
  const [, scheme, host = "", path = ""] = match;
  return {
    kind: "cwd",
    path: scheme === "file" ? fromPercent(path) : path,
    host: host === "" ? null : fromPercent(host).toLowerCase(),
  };
}

function isShort(payload: string): boolean {
  return fits(payload, limits.markerBytes);
}

function fits(payload: string, bytes: number): boolean {
  return payload.length <= bytes && (payload.length * 3 <= bytes || utf8(payload).length <= bytes);
}
