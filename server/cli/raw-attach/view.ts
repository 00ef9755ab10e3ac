// What shows a session on this terminal for a while: its bytes where the sizes agree, pictures where they differ. Which one, and when it is
// another's turn, is raw-attach.ts's to say.
import { systemClock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { AttachState } from "#lib/client/attach-state.ts";
import { noPage } from "#lib/client/page-signals.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { GuestStream } from "#lib/terminal/guest-stream.ts";
import type { Remote } from "../remote.ts";
import { openSocketOf } from "../remote-socket.ts";
import type { LocalTerminal } from "./local-terminal.ts";
import type { ViewKind } from "./restore.ts";

export interface View extends Disposable {
  readonly kind: ViewKind;
  readonly guest: GuestStream;
  typed(bytes: Uint8Array): boolean;
  report(data: string): void;
  /** This terminal has another size. */
  fit(size: GridSize): void;
}

export interface ViewParts {
  readonly remote: Remote;
  readonly sessionId: string;
  readonly isReadOnly: boolean;
  /** The session takes this terminal's size. */
  readonly isLeading: boolean;
  readonly terminal: LocalTerminal;
  hear(message: ServerMessage): void;
  follow(state: AttachState): void;
}

/** What both kinds of client are told. */
export function clientOptions({ remote, sessionId, isReadOnly }: ViewParts) {
  return {
    sessionId,
    isReadOnly,
    socketUrl: remote.socketUrl,
    openSocket: openSocketOf(remote),
    // A refusal of an upgrade has no code in it; that of a request has.
    authorise: async () => {
      await remote.ask.getSession({ params: { id: sessionId } });
      return [];
    },
    clock: systemClock,
    page: noPage(),
  };
}
