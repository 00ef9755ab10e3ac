// What happened to sessions, for feeds and lists. `session` is the state right after.
import type { SessionInfo } from "#lib/protocol/session.ts";

export type SessionEvent =
  | { kind: "created"; session: SessionInfo }
  /** Anything in `session` changed; several changes in quick succession may be one event. */
  | { kind: "changed"; session: SessionInfo }
  /** The program rang; several in quick succession may be one event. */
  | { kind: "bell"; session: SessionInfo }
  | { kind: "exited"; session: SessionInfo }
  /** Removed: `session` is the last that was known. */
  | { kind: "closed"; session: SessionInfo };
