// The pipe on kept connections to the host: an act is never carried out twice, and one that the host never saw is not lost (IN6, HO6).
import { mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Actor } from "#lib/protocol/actor.ts";
import type { HostEndpoint } from "#server/state/host-endpoint.ts";
import type { HostLink } from "./host-link.ts";
import { HostPipe } from "./pipe.ts";

let folder: string;
let host: Server;
let front: Server;
let pipe: HostPipe;
let address: string;
const sockets = new Set<Socket>();
/** Bodies of which the host has read all. */
let acts: string[];
let connections: number;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
/** Before a body that is whole goes to the host. */
let beforeSending: () => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "cotty-pipe-"));
  const socketPath = join(folder, "host.sock");
  acts = [];
  connections = 0;
  answer = (_request, response) => response.end("done");
  beforeSending = () => {};
  host = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk;
    });
    request.once("end", () => {
      acts.push(text);
      answer(request, response);
    });
  });
  host.keepAliveTimeout = 60_000;
  host.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => host.listen(socketPath, resolve));
  const endpoint = { socketPath, headers: () => ({}) } as unknown as HostEndpoint;
  const link = { current: () => endpoint, forget: () => {} } as unknown as HostLink;
  pipe = new HostPipe(link);
  front = createServer((request, response) => {
    request.once("end", () => beforeSending());
    pipe.forward(request, response, { actor: {} as Actor, requestId: "r" });
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(front.address() as AddressInfo).port}/api`;
});

afterEach(async () => {
  pipe.dispose();
  for (const server of [front, host]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  rmSync(folder, { recursive: true, force: true });
});

function post(text: string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(address, { method: "POST", headers, body: JSON.stringify({ text }) });
}

const body = (text: string) => JSON.stringify({ text });

describe("the pipe to the host", () => {
  it("[IN6] acts with a body share a kept connection", async () => {
    for (const text of ["a", "b", "c"]) expect((await post(text)).status).toBe(200);
    expect(acts).toEqual(["a", "b", "c"].map(body));
    expect(connections).toBe(1);
  });

  it("[IN6] [HO6] an act on a connection that the host has closed meanwhile is done, and once", async () => {
    await post("a");
    // In the same turn as the write, so that web cannot know yet.
    beforeSending = () => {
      for (const socket of sockets) socket.destroy();
      beforeSending = () => {};
    };
    const reply = await post("b");
    expect(reply.status).toBe(200);
    expect(acts).toEqual([body("a"), body("b")]);
    expect(connections).toBe(2);
  });

  it("[IN6] an act that the host has read and not answered is not sent again", async () => {
    await post("a");
    answer = (request) => request.socket.destroy();
    const reply = await post("b");
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ code: "HOST_LOST" });
    expect(acts).toEqual([body("a"), body("b")]);
    expect(connections).toBe(1);
  });

  it("[IN6] what a client breaks off in the middle of its body never reaches the host", async () => {
    const { port } = front.address() as AddressInfo;
    const broken = httpRequest({ port, method: "POST", headers: { "content-length": "100" } });
    broken.on("error", () => {});
    await new Promise((resolve) => broken.write("{", resolve));
    const gone = new Promise((resolve) => front.once("connection", resolve));
    broken.destroy();
    await Promise.all([gone, post("a")]);
    expect(acts).toEqual([body("a")]);
  });

  it("a body that is too long to be kept streams through a connection of its own", async () => {
    await post("a");
    const long = "x".repeat(100_000);
    expect((await post(long)).status).toBe(200);
    expect(acts.at(-1)).toBe(body(long));
    expect(connections).toBe(2);
  });
});
