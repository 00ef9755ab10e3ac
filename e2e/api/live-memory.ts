// What a running host holds in memory and cannot let go of: collected first, through Node's own inspector, which SIGUSR1 opens. So the
// built program is measured as it is. The server must be started with `inspectable`, that no two of them want the same port.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import WebSocket from "ws";
import { until } from "./caller.ts";

export const inspectable = { NODE_OPTIONS: "--inspect-port=127.0.0.1:0" };

export interface LiveMemory {
  /** Bytes of the heap and of buffers, after a full collection. */
  measure(): Promise<number>;
  close(): void;
}

export async function openLiveMemory(stateDir: string, pid: number): Promise<LiveMemory> {
  let address: string | undefined;
  process.kill(pid, "SIGUSR1");
  await until("the inspector", () => {
    const log = readFileSync(join(stateDir, "host.log"), "latin1");
    address = /Debugger listening on (ws:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]+)/.exec(log)?.[1];
    return address !== undefined;
  });
  const socket = new WebSocket(address as string);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  let last = 0;
  const ask = (method: string, params: object = {}) =>
    new Promise<{ result?: { value?: unknown } }>((resolve) => {
      const id = ++last;
      const read = (data: Buffer) => {
        const message = JSON.parse(data.toString());
        if (message.id !== id) return;
        socket.off("message", read);
        resolve(message.result);
      };
      socket.on("message", read);
      socket.send(JSON.stringify({ id, method, params }));
    });
  const used = "(({ heapUsed, arrayBuffers }) => heapUsed + arrayBuffers)(process.memoryUsage())";
  return {
    async measure() {
      // Twice: finalisers of the first run let go of more.
      for (let i = 0; i < 2; i += 1) await ask("HeapProfiler.collectGarbage");
      const { result } = await ask("Runtime.evaluate", { expression: used });
      return Number(result?.value);
    },
    close: () => socket.close(),
  };
}
