import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { watchSocket } from "./socket-watch.ts";

it("[HO6] a host whose socket is gone for two looks is told, once; one that comes back is not", () => {
  const folder = mkdtempSync(join(tmpdir(), "cotty-watch-"));
  const path = join(folder, "host.sock");
  const clock = new FakeClock();
  let told = 0;
  writeFileSync(path, "");
  watchSocket(path, clock, () => {
    told += 1;
  });
  clock.advance(limits.socketCheckMs);
  rmSync(path);
  clock.advance(limits.socketCheckMs);
  writeFileSync(path, "");
  clock.advance(limits.socketCheckMs);
  expect(told).toBe(0);
  rmSync(folder, { recursive: true });
  clock.advance(limits.socketCheckMs);
  expect(told).toBe(0);
  clock.advance(5 * limits.socketCheckMs);
  expect(told).toBe(1);
  expect(clock.pending).toBe(0);
});
