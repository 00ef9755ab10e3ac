// The host's door with a memory core behind it: real sockets, real HTTP, no processes.
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "#lib/base/clock.ts";
import { type Actor, actorHeader, encodeActor, hostKeyHeader } from "#lib/protocol/actor.ts";
import { AttachSockets } from "#server/host/api/attach-sockets.ts";
import { CallerCheck } from "#server/host/api/caller.ts";
import { createInternalRouter } from "#server/host/api/internal.ts";
import { createRouter } from "#server/host/api/router.ts";
import { openDoor } from "#server/host/listen.ts";
import { createMcpEndpoint } from "#server/host/mcp/endpoint.ts";
import { MemoryCore } from "./memory-core.ts";

export const memoryKey = "k".repeat(64);
export const memoryOwner: Actor = { kind: "human", id: "o1", name: "Olga", role: "owner" };

export interface MemoryHost {
  readonly core: MemoryCore;
  readonly sockets: AttachSockets;
  readonly socketPath: string;
  /** What was logged as an error. */
  readonly faults: object[];
  headers(actor?: Actor): Record<string, string>;
  connect(): Socket;
  /** Raw text in; everything that came back until the other side closed. */
  exchange(request: string): Promise<string>;
  dispose(): Promise<void>;
}

export async function openMemoryHost(clock: Clock = systemClock): Promise<MemoryHost> {
  const folder = mkdtempSync(join(tmpdir(), "cotty-memory-"));
  const socketPath = join(folder, "host.sock");
  const core = new MemoryCore();
  const faults: object[] = [];
  const log = {
    info: () => {},
    warn: () => {},
    error: (fields: object) => void faults.push(fields),
  };
  const caller = new CallerCheck(memoryKey);
  const sockets = new AttachSockets({ core, caller, clock, log });
  const router = createRouter({ core, caller, log, clock });
  const api = (request: Request) => router.fetch(request);
  const disconnect = (id: string) => sockets.disconnect(id);
  const control = {
    status: () => ({ pid: process.pid }),
    disconnect,
    shutdown: () => 0,
    audit: () => {},
  };
  const internal = createInternalRouter(control, caller, log);
  const door = await openDoor({
    socketPath,
    api,
    mcp: createMcpEndpoint({ api, caller, log, version: "0.0.0", clock }),
    internal: (request) => internal.fetch(request),
    sockets,
    log,
  });
  return {
    core,
    sockets,
    socketPath,
    faults,
    headers: (actor = memoryOwner) => ({
      [hostKeyHeader]: memoryKey,
      [actorHeader]: encodeActor(actor),
    }),
    connect: () => connect(socketPath),
    exchange: (request) =>
      new Promise((resolve) => {
        const socket = connect(socketPath, () => socket.write(request));
        let text = "";
        socket.on("data", (chunk) => {
          text += chunk.toString("latin1");
        });
        socket.on("close", () => resolve(text));
        // A reset while we still send: what came before it is the answer.
        socket.on("error", () => {});
      }),
    async dispose() {
      sockets.dispose();
      await door.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
