// What a session is assembled from. The host uses the real parts; tests may put a fake in the place of one.
import type { Clock } from "#lib/base/clock.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { VtGuard } from "#lib/terminal/vt-guard.ts";
import { type AuditSink, noAudit } from "#server/audit/audit-sink.ts";
import { lookAtTerminal, type TerminalLook } from "#server/host/activity/tty-read.ts";
import { type Foreground, readForeground } from "#server/host/pty/foreground.ts";
import {
  type TtySettings,
  type TtySettingsReader,
  unknownTtySettings,
} from "#server/host/pty/tty-settings.ts";
import { Screen } from "#server/host/screen/screen.ts";
import type { ScreenApi } from "#server/host/screen/screen-api.ts";
import type { TextMask } from "#server/host/screen/shown-core.ts";

/** lib/terminal/vt-guard.ts as the session uses it. */
export interface StreamGuard {
  filter(bytes: Uint8Array, nowMs: number): Uint8Array;
  resize(size: GridSize): void;
}

export interface SessionParts {
  /** `mask`: what must not be read in its text. */
  makeScreen(size: GridSize, mask?: TextMask): ScreenApi;
  makeGuard(size: GridSize): StreamGuard;
  readForeground(pid: number): Foreground | null;
  /** Who reads the terminal (PH2). */
  lookAtTerminal(pid: number, tty: string | null): TerminalLook;
  /** `tty`: the terminal's device; null where it has none. */
  readTty(tty: string | null): Promise<TtySettings>;
  /** Where acts are recorded (AU1). */
  readonly audit: AuditSink;
}

/** The parts that the host uses. */
export function realParts(
  clock: Clock,
  scrollbackLines: number,
  ttys: TtySettingsReader = unknownTtySettings("nobody was started who could ask"),
  audit: AuditSink = noAudit,
): SessionParts {
  return {
    makeScreen: (size, mask) => new Screen({ size, scrollback: scrollbackLines, clock, mask }),
    makeGuard: (size) => new VtGuard(size),
    readForeground,
    lookAtTerminal,
    readTty: (tty) => ttys.read(tty),
    audit,
  };
}
