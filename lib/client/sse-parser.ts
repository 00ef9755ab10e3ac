// https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation: bytes in, however they are split; events out.
// Knows no connection.
import { limits } from "#lib/protocol/limits.ts";

export interface SseEvent {
  readonly type: string;
  readonly data: string;
  /** As of this event: its own id or the last one before it. */
  readonly id: string;
}

export class SseParser {
  private readonly decoder = new TextDecoder();
  /** Of the line that has not ended yet. */
  private rest = "";
  /** A CR ended the last line: a LF right behind it belongs to it. */
  private isAfterCr = false;
  private type = "";
  private data: string[] = [];
  private chars = 0;
  private id: string;
  /** `id` as of the last event that is whole: one that was cut comes again. */
  private reached: string;
  private overlong = false;

  constructor(lastEventId = "") {
    this.id = lastEventId;
    this.reached = lastEventId;
  }

  /** Id to come back with; a stream may move it without an event. Never that of an event that has not ended. */
  get lastEventId(): string {
    return this.reached;
  }

  /** More than `limits.eventChars` came without an end: nothing is read any more. */
  get isOverlong(): boolean {
    return this.overlong;
  }

  push(bytes: Uint8Array): SseEvent[] {
    const events: SseEvent[] = [];
    const text = this.decoder.decode(bytes, { stream: true });
    for (let at = 0; at < text.length && !this.overlong; ) {
      if (this.isAfterCr && text[at] === "\n") at += 1;
      this.isAfterCr = false;
      const end = lineEnd(text, at);
      this.rest += text.slice(at, end < 0 ? undefined : end);
      if (this.rest.length + this.chars > limits.eventChars) this.overlong = true;
      if (end < 0) break;
      this.isAfterCr = text[end] === "\r";
      at = end + 1;
      const event = this.line(this.rest);
      this.rest = "";
      if (event) events.push(event);
    }
    return events;
  }

  private line(line: string): SseEvent | null {
    if (line === "") return this.dispatch();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.type = value;
    else if (field === "id" && !value.includes("\0")) this.id = value;
    else if (field === "data") {
      this.data.push(value);
      this.chars += value.length + 1;
    }
    return null;
  }

  private dispatch(): SseEvent | null {
    const { type, data, id } = this;
    this.type = "";
    this.data = [];
    this.chars = 0;
    this.reached = id;
    return data.length === 0 ? null : { type: type || "message", data: data.join("\n"), id };
  }
}

function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || code === 13) return at;
  }
  return -1;
}
