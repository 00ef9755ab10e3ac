// One viewer as the session serves it, whichever view it asked for: live bytes (attach-stream.ts) or drawn frames (render-stream.ts).
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import type { ErrorCode } from "#lib/protocol/errors.ts";
import type { ByteOffset } from "#lib/protocol/ids.ts";
import type { EndCode, Notice } from "./outlet.ts";

export interface ViewerStream extends Disposable {
  /** Sends what is due and allowed. Cheap when nothing is. */
  flush(): void;
  notice(notice: Notice): void;
  /** Something the viewer sent was refused. */
  refuse(code: ErrorCode, detail: string): void;
  answer(message: Extract<ServerMessage, { type: "error" | "pong" }>): void;
  acknowledge(at: ByteOffset): void;
  /** Ends the viewer with the close code of `code`. */
  end(code: EndCode, reason: string): void;
}
