import { describe, expect, it } from "vitest";
import { ViewerWindow } from "./viewer-window.ts";

describe("ViewerWindow", () => {
  it("[AT4] counts what was sent and not acknowledged", () => {
    const window = new ViewerWindow(100);
    window.resumeAt(1_000);
    window.sent(60);
    expect(window.room).toBe(40);
    expect(window.acknowledge(1_050)).toBe(true);
    expect(window.inFlight).toBe(10);
    expect(window.acknowledge(1_020)).toBe(true);
    expect(window.inFlight).toBe(10);
  });

  it("[AT4] refuses an acknowledgement beyond what was sent", () => {
    const window = new ViewerWindow(100);
    expect(window.acknowledge(1)).toBe(false);
    window.resumeAt(1_000);
    window.sent(60);
    expect(window.acknowledge(1_061)).toBe(false);
    expect(window.inFlight).toBe(60);
  });

  it("[AT4] a snapshot counts whole until its offset is acknowledged after its last piece", () => {
    const window = new ViewerWindow(100);
    window.beginSnapshot(500);
    window.sentSnapshot(70, false);
    expect(window.acknowledge(500)).toBe(true);
    expect(window.inFlight).toBe(70);
    window.sentSnapshot(60, true);
    window.sent(5);
    expect(window.room).toBe(-35);
    window.acknowledge(500);
    expect(window.inFlight).toBe(5);
  });

  it("[AT4] acknowledgements from before a resync change nothing", () => {
    const window = new ViewerWindow(100);
    window.resumeAt(0);
    window.sent(80);
    window.beginSnapshot(9_000);
    window.sentSnapshot(10, true);
    expect(window.acknowledge(80)).toBe(true);
    expect(window.inFlight).toBe(10);
    window.acknowledge(9_000);
    expect(window.inFlight).toBe(0);
  });
});
