// Two sockets piped into each other, viewer and host, that can be ended politely: a close frame goes out between two frames, never
// inside one (HO3, HO6). Knows frames only by their ends.
import type { Socket } from "node:net";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { closeFrame, FrameBoundary } from "./frame-boundary.ts";
import { closeCodes } from "./open-connections.ts";

type State =
  | { readonly kind: "open" }
  /** Waits for the end of the frame that is passing. */
  | { readonly kind: "ending"; readonly code: number; readonly reason: string }
  /** Nothing more goes to the viewer; its answer is awaited. */
  | { readonly kind: "ended" };

/** Time for a frame to complete, and then for the viewer to close its side. */
const graceMs = 1_000;

export class SocketPair {
  private readonly frames = new FrameBoundary();
  private state: State = { kind: "open" };
  private timer: Disposable | null = null;

  constructor(
    private readonly viewer: Socket,
    private readonly host: Socket,
    private readonly clock: Clock = systemClock,
  ) {}

  start(viewerHead: Uint8Array, hostHead: Uint8Array): void {
    const { viewer, host } = this;
    for (const socket of [viewer, host]) {
      socket.setTimeout(0);
      socket.setNoDelay?.(true);
    }
    if (viewerHead.length > 0) host.write(viewerHead);
    if (hostHead.length > 0) this.toViewer(hostHead);
    host.on("data", (bytes: Buffer) => this.toViewer(bytes));
    viewer.on("drain", () => host.resume());
    viewer.pipe(host);
    host.on("error", () => host.destroy());
    host.once("end", () => this.hostEnded());
    host.once("close", () => this.hostEnded());
    viewer.once("close", () => {
      this.timer?.dispose();
      this.state = { kind: "ended" };
      // What the viewer sent last still goes out.
      host.destroySoon();
    });
    viewer.resume();
    host.resume();
  }

  /** Ends the viewer's side with a close code, after the frame that is passing. */
  end(code: number, reason: string): void {
    if (this.state.kind !== "open") return;
    this.state = { kind: "ending", code, reason };
    this.viewer.removeAllListeners("drain");
    this.host.resume();
    this.timer = this.clock.after(graceMs, () => this.viewer.destroy());
    if (this.frames.isBetweenFrames) this.finish();
  }

  private toViewer(bytes: Uint8Array): void {
    switch (this.state.kind) {
      case "open":
        this.frames.follow(bytes);
        if (!this.viewer.write(bytes)) this.host.pause();
        return;
      case "ending":
        this.viewer.write(bytes.subarray(0, this.frames.follow(bytes, true)));
        if (this.frames.isBetweenFrames) this.finish();
        return;
      case "ended":
        return;
    }
  }

  private hostEnded(): void {
    if (this.state.kind === "ended") return;
    if (this.state.kind === "open") {
      this.state = { kind: "ending", code: closeCodes.restarting, reason: "HOST_LOST" };
      this.timer = this.clock.after(graceMs, () => this.viewer.destroy());
    }
    if (this.frames.isBetweenFrames) this.finish();
    // A frame that will never be complete: no close frame can follow it.
    else this.viewer.destroy();
  }

  private finish(): void {
    const { viewer, host, state } = this;
    if (state.kind !== "ending") return;
    this.state = { kind: "ended" };
    if (!this.frames.sawClose) viewer.write(closeFrame(state.code, state.reason));
    viewer.end();
    viewer.unpipe(host);
    // Its answer to the close frame is read and dropped; then it closes, or the timer does.
    viewer.resume();
    host.destroy();
    this.timer?.dispose();
    this.timer = this.clock.after(graceMs, () => viewer.destroy());
  }
}
