// RFC 6455, 5.2: where WebSocket frames end in a stream of bytes, so that a close frame can be put between two of them. Reads lengths only.

export class FrameBoundary {
  private readonly head = new Uint8Array(14);
  private headLength = 0;
  private payloadLeft = 0;
  private opcode = 0;
  /** A close frame has passed: nothing may follow it. */
  sawClose = false;

  get isBetweenFrames(): boolean {
    return this.headLength === 0 && this.payloadLeft === 0;
  }

  /** Follows `bytes`; with `stop`, only to the first end of a frame. Returns how many bytes were followed. */
  follow(bytes: Uint8Array, stop = false): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.payloadLeft > 0) {
        const step = Math.min(this.payloadLeft, bytes.length - at);
        this.payloadLeft -= step;
        at += step;
      } else {
        this.head[this.headLength] = bytes[at] ?? 0;
        this.headLength += 1;
        at += 1;
        if (this.headLength === headBytes(this.head, this.headLength)) {
          this.opcode = (this.head[0] ?? 0) & 15;
          this.payloadLeft = payloadBytes(this.head);
          this.headLength = 0;
        } else continue;
      }
      if (this.payloadLeft === 0) {
        if (this.opcode === 8) this.sawClose = true;
        if (stop) return at;
      }
    }
    return at;
  }
}

/** Length of the head that starts here; more than is known while it cannot be told yet. */
function headBytes(head: Uint8Array, known: number): number {
  if (known < 2) return 2;
  const second = head[1] ?? 0;
  const short = second & 127;
  return 2 + (short === 126 ? 2 : short === 127 ? 8 : 0) + (second & 128 ? 4 : 0);
}

function payloadBytes(head: Uint8Array): number {
  const short = (head[1] ?? 0) & 127;
  const view = new DataView(head.buffer, head.byteOffset);
  if (short === 126) return view.getUint16(2);
  if (short === 127) return Number(view.getBigUint64(2));
  return short;
}

/** An unmasked close frame, as a server sends it. */
export function closeFrame(code: number, reason: string): Uint8Array {
  const text = new TextEncoder().encode(reason).subarray(0, 123);
  const frame = new Uint8Array(4 + text.length);
  frame.set([0x88, 2 + text.length, code >> 8, code & 255]);
  frame.set(text, 4);
  return frame;
}
