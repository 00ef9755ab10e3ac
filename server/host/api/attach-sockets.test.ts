import { statSync } from "node:fs";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Actor, actorHeader, encodeActor, hostKeyHeader } from "#lib/protocol/actor.ts";
import { limits } from "#lib/protocol/limits.ts";
import { AttachClientDouble } from "#server/testing/attach-client-double.ts";
import {
  memoryKey as key,
  type MemoryHost,
  openMemoryHost,
  memoryOwner as owner,
} from "#server/testing/memory-host.ts";

const viewer: Actor = { kind: "human", id: "v1", name: "Vera", role: "viewer" };

describe("attach sockets", () => {
  let host: MemoryHost;
  let core: MemoryHost["core"];
  let sockets: MemoryHost["sockets"];
  let faults: object[];
  let session: string;
  const doubles: AttachClientDouble[] = [];

  beforeEach(async () => {
    host = await openMemoryHost();
    ({ core, sockets, faults } = host);
    session = (await core.create(owner, {})).id;
    core.acts.length = 0;
  });

  afterEach(async () => {
    for (const double of doubles.splice(0)) double.dispose();
    await host.dispose();
  });

  function attach(
    options: {
      query?: string;
      actor?: Actor;
      path?: string;
      headers?: Record<string, string>;
      protocols?: string[];
    } = {},
  ) {
    const path = options.path ?? `/api/v1/sessions/${session}/attach${options.query ?? ""}`;
    const actor = options.actor ?? owner;
    const double = new AttachClientDouble(`ws+unix:${host.socketPath}:${path}`, {
      headers: options.headers ?? host.headers(actor),
      ...(options.protocols ? { protocols: options.protocols } : {}),
    });
    doubles.push(double);
    return double;
  }

  const eventually = (isTrue: () => boolean) =>
    vi.waitFor(() => expect(isTrue()).toBe(true), { timeout: 10_000, interval: 2 });

  const opened = (double: AttachClientDouble) =>
    double.until("the first message", () => double.messages.length > 0);

  const handshake = (path: string, extra: Record<string, string> = {}, method = "GET") => {
    const headers = {
      host: "x",
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
      "sec-websocket-protocol": "cotty.v1",
      [hostKeyHeader]: key,
      [actorHeader]: encodeActor(owner),
      ...extra,
    };
    const lines = Object.entries(headers).filter(([, value]) => value !== "");
    return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`;
  };

  it("[HO4] [T103] the socket can be opened by its owner alone", () => {
    expect(statSync(host.socketPath).mode & 0o777).toBe(0o600);
  });

  it("[AT1] [AT3] binary frames are typed, text frames are control, and each reaches the one attachment", async () => {
    const double = attach({ query: "?since=12" });
    await opened(double);
    double.type("ls\r");
    double.send({ type: "resize", cols: 100, rows: 30 });
    double.send({ type: "use_my_size", cols: 101, rows: 31 });
    double.send({ type: "ack", at: 7 });
    double.send({ type: "report", data: "\u001b[I" });
    double.send({ type: "ping", id: 3 });
    await double.until("the pong", () => double.messages.some(({ type }) => type === "pong"));
    expect(core.acts).toEqual([
      { act: "attach", value: { readonly: false, since: 12 } },
      { act: "typed", value: "ls\r" },
      { act: "propose", value: { cols: 100, rows: 30 } },
      { act: "use_my_size", value: { cols: 101, rows: 31 } },
      { act: "ack", value: 7 },
      { act: "report", value: "\u001b[I" },
      { act: "ping", value: 3 },
    ]);
  });

  it("[AT1] [T52] [T53] only cotty.v1 is answered, never a ticket, never compression", async () => {
    const reply = await new Promise<string>((resolve) => {
      const socket = host.connect();
      socket.write(
        handshake(`/api/v1/sessions/${session}/attach`, {
          "sec-websocket-protocol": "ticket.SECRET, cotty.v1",
          "sec-websocket-extensions": "permessage-deflate",
        }),
      );
      socket.once("data", (chunk) => {
        resolve(chunk.toString("latin1").split("\r\n\r\n")[0] ?? "");
        socket.destroy();
      });
    });
    expect(reply).toMatch(/^HTTP\/1\.1 101 /);
    expect(reply).toMatch(/^Sec-WebSocket-Protocol: cotty\.v1$/m);
    expect(reply).not.toMatch(/SECRET|deflate/);
  });

  it("[AT5] readonly is the query's or the role's, decided before the port", async () => {
    for (const options of [{ query: "?readonly=1" }, { actor: viewer }])
      await opened(attach(options));
    expect(core.acts.map(({ value }) => value)).toEqual([{ readonly: true }, { readonly: true }]);
  });

  it("[T50] every other upgrade is answered with a problem and closed", async () => {
    const at = `/api/v1/sessions/${session}/attach`;
    const rows: [string, number, string][] = [
      [handshake("/api/v1/nope"), 404, "NOT_FOUND"],
      [handshake(`${at}/`), 404, "NOT_FOUND"],
      [handshake(`/x${at}`), 404, "NOT_FOUND"],
      [handshake(`//api/v1/sessions/${session}/attach`), 404, "NOT_FOUND"],
      [handshake(`/api/v1/sessions/${session}/../${session}/attach`), 404, "NOT_FOUND"],
      [handshake(`/api/v1/sessions/${"a".repeat(26)}/attach`), 404, "SESSION_NOT_FOUND"],
      [handshake("/api/v1/sessions/%2e%2e/attach"), 404, "SESSION_NOT_FOUND"],
      [handshake(`${at}?x=1`), 400, "BAD_REQUEST"],
      [handshake(`${at}?readonly=true`), 400, "BAD_REQUEST"],
      [handshake(`${at}?since=-1`), 400, "BAD_REQUEST"],
      [handshake(`${at}?since=1&since=2`), 400, "BAD_REQUEST"],
      [handshake(`${at}?__proto__=1`), 400, "BAD_REQUEST"],
      [handshake(at, { "sec-websocket-version": "12" }), 400, "BAD_REQUEST"],
      [handshake(at, { "sec-websocket-key": "short" }), 400, "BAD_REQUEST"],
      [handshake(at, { "sec-websocket-key": "" }), 400, "BAD_REQUEST"],
      [handshake(at, { "sec-websocket-protocol": "" }), 400, "BAD_REQUEST"],
      [handshake(at, { "sec-websocket-protocol": "cotty.v2" }), 400, "BAD_REQUEST"],
      [handshake(at, { upgrade: "h2c" }), 400, "BAD_REQUEST"],
      [handshake(at, {}, "POST"), 404, "NOT_FOUND"],
      [handshake(at, { [hostKeyHeader]: "wrong" }), 401, "UNAUTHENTICATED"],
      [handshake(at, { [actorHeader]: "" }), 401, "UNAUTHENTICATED"],
      [handshake(`${at}?${"a".repeat(5_000)}`), 414, "URI_TOO_LONG"],
    ];
    for (const [request, status, code] of rows) {
      const start = performance.now();
      const reply = await host.exchange(request);
      expect(performance.now() - start).toBeLessThan(500);
      expect(reply.split("\r\n")[0], request.slice(0, 80)).toContain(String(status));
      expect(JSON.parse(reply.split("\r\n\r\n")[1] ?? "").code).toBe(code);
    }
    expect(core.acts).toEqual([]);
    expect(sockets.count).toBe(0);
  });

  it("[AT7] a refusal of the port is an answer before the handshake", async () => {
    const { TermError } = await import("#lib/protocol/errors.ts");
    core.fault = new TermError("TOO_MANY_VIEWERS", "256 viewers");
    const double = attach();
    await double.until("the refusal", () => double.refused !== undefined);
    expect(double.refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_VIEWERS" } });
    core.fault = undefined;
    expect(sockets.count).toBe(0);
  });

  it.each(
    [
      "{",
      "[]",
      "null",
      '{"type":"nope"}',
      '{"type":"ack"}',
      '{"type":"ack","at":-1}',
      '{"type":"ack","at":1.5}',
      '{"type":"ack","at":1e309}',
      '{"type":"ack","at":9007199254740993}',
      '{"type":"ack","at":"1"}',
      '{"type":"ack","at":1,"x":2}',
      '{"type":"ack","at":1,"at":2}',
      '{"type":"ack","at":1,"__proto__":{"polluted":1}}',
      '{"type":"ack","at":1,"constructor":{"prototype":{"polluted":1}}}',
      '{"type":"resize","cols":"80","rows":24}',
      '{"type":"resize","cols":80.5,"rows":24}',
      '{"type":"resize","cols":NaN,"rows":24}',
      `{"type":"report","data":"${"x".repeat(4_097)}"}`,
      '{"type":"report","data":"\\ud800"}',
      `{"type":"ping","id":${"[".repeat(10_000)}`,
    ].map((frame) => [frame.slice(0, 60), frame]),
  )("[AT9] [T57] the malformed frame %s closes 4400", async (_title, frame) => {
    const double = attach();
    await opened(double);
    double.socket.send(frame ?? "");
    await double.untilClosed();
    expect(double.closed?.code).toBe(4400);
    expect(double.errors[0]?.code).toBe("BAD_REQUEST");
    expect(core.acts.map(({ act }) => act)).toEqual(["attach"]);
    expect(core.attachments[0]?.isDisposed).toBe(true);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it("[B055] a whole size out of range is an error frame; the viewer stays", async () => {
    const double = attach();
    await opened(double);
    for (const size of [0, -1, 1_001, 70_000, 2_147_483_647]) {
      double.socket.send(JSON.stringify({ type: "resize", cols: size, rows: 24 }));
    }
    double.send({ type: "ping", id: 1 });
    await double.until("the pong", () => double.messages.some(({ type }) => type === "pong"));
    expect(double.errors.map(({ code }) => code)).toEqual(Array(5).fill("BAD_SIZE"));
    expect(core.acts.map(({ act }) => act)).toEqual(["attach", "ping"]);
  });

  it("[AT9] [T51] a frame over 1 MiB closes 1009; one of 1 MiB is taken", async () => {
    const double = attach();
    await opened(double);
    double.type(new Uint8Array(limits.frameBytes).fill(0x61));
    await eventually(() => core.acts.some(({ act }) => act === "typed"));
    double.type(new Uint8Array(limits.frameBytes + 1));
    await double.untilClosed();
    expect(double.closed?.code).toBe(1009);
  });

  it("[T51] a message in a million empty pieces, text that is no UTF-8 and an unmasked frame end the socket", async () => {
    const masked = (head: number) => Buffer.from([head, 0x80, 0, 0, 0, 0]);
    const attacks: [Buffer, number][] = [
      [Buffer.concat([masked(0x01), ...Array.from({ length: 100_000 }, () => masked(0x00))]), 1008],
      [Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]), 1007],
      [Buffer.from([0x81, 0x01, 0x61]), 1002],
      [Buffer.from([0xc1, 0x80, 0, 0, 0, 0]), 1002],
    ];
    const before = process.memoryUsage().rss;
    for (const [bytes, code] of attacks) {
      const double = attach();
      await opened(double);
      (double.socket as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(
        bytes,
      );
      await double.untilClosed();
      expect([code, 1006]).toContain(double.closed?.code);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    await eventually(() => sockets.count === 0);
    expect(core.attachments.every(({ isDisposed }) => isDisposed)).toBe(true);
  });

  it("[AT10] a late close of an old socket never detaches its successor", async () => {
    const old = attach();
    await opened(old);
    const successor = attach();
    await opened(successor);
    old.socket.close();
    await old.untilClosed();
    expect(core.attachments.map(({ isDisposed }) => isDisposed)).toEqual([true, false]);
    successor.type("x");
    await eventually(() => core.acts.some(({ act }) => act === "typed"));
  });

  it("[AT7] the session's close code reaches the viewer, and the attachment is gone at once", async () => {
    const double = attach();
    await opened(double);
    core.attachments[0]?.sink.close(4404, "the session was closed");
    expect(core.attachments[0]?.isDisposed).toBe(true);
    await double.untilClosed();
    expect(double.closed).toEqual({ code: 4404, reason: "the session was closed" });
    await eventually(() => sockets.count === 0);
  });

  it("[SE4] disconnect closes that actor's sockets with 4401 and no other's", async () => {
    const mine = [attach(), attach()];
    const other = attach({ actor: viewer });
    for (const double of [...mine, other]) await opened(double);
    const reply = await host.exchange(
      `POST /internal/disconnect HTTP/1.1\r\nhost: x\r\n${hostKeyHeader}: ${key}\r\nconnection: close\r\n` +
        `content-type: application/json\r\ncontent-length: 14\r\n\r\n{"actor":"o1"}`,
    );
    expect(reply).toContain('{"closed":2}');
    for (const double of mine) await double.untilClosed();
    expect(mine.map(({ closed }) => closed?.code)).toEqual([4401, 4401]);
    await eventually(() => sockets.count === 1);
    expect(other.closed).toBeUndefined();
  });

  it("[HO4] what is internal needs the key and is not there for anybody web speaks for", async () => {
    const get = (headers: string) =>
      host.exchange(
        `GET /internal/status HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`,
      );
    expect(await get("")).toContain("401");
    expect(await get(`${hostKeyHeader}: ${key}\r\n`)).toContain("200");
    expect(
      await get(`${hostKeyHeader}: ${key}\r\n${actorHeader}: ${encodeActor(owner)}\r\n`),
    ).toContain("404");
  });

  it("[T55] the 65th socket of one credential is refused before the handshake, and closing one makes room", async () => {
    const all = Array.from({ length: limits.socketsPerPrincipal }, () => attach());
    for (const double of all) await opened(double);
    const refused = attach();
    await refused.until("the refusal", () => refused.refused !== undefined);
    expect(refused.refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_SOCKETS" } });
    all[0]?.socket.close();
    await all[0]?.untilClosed();
    await opened(attach());
  });

  it("[T56] a flood of pings is read at 50/s and does not end the socket while it is short", async () => {
    const double = attach();
    await opened(double);
    const start = performance.now();
    for (let id = 0; id < 120; id += 1) double.send({ type: "ping", id });
    const pongs = () => double.messages.filter(({ type }) => type === "pong").length;
    await double.until("all pongs", () => pongs() === 120);
    // What lay in one read of the socket is answered at once; the debt delays what follows.
    double.send({ type: "ping", id: 999 });
    await double.until("the next pong", () => pongs() === 121);
    expect(performance.now() - start).toBeGreaterThan(1_000);
    expect(double.closed).toBeUndefined();
  });

  it("[T56] 100,000 sizes at once end with the last one, and others are not kept waiting", async () => {
    const flooder = attach();
    const other = attach({ actor: viewer });
    await Promise.all([opened(flooder), opened(other)]);
    const echoes = async (isDone: (count: number) => boolean): Promise<number> => {
      const waits: number[] = [];
      while (!isDone(waits.length)) {
        const id = core.acts.length;
        const start = performance.now();
        other.send({ type: "ping", id });
        await other.until("the pong", () =>
          other.messages.some((message) => message.type === "pong" && message.id === id),
        );
        waits.push(performance.now() - start);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      waits.sort((a, b) => a - b);
      // The median: client and server share this process and its cores, so single late answers tell of the machine.
      return waits[Math.floor(waits.length / 2)] ?? 0;
    };
    // What this machine needs when nobody floods: the bound holds beside whatever else runs on it.
    const quiet = await echoes((count) => count === 40);
    for (let i = 0; i < 100_000; i += 1) {
      flooder.send({ type: "resize", cols: 2 + (i % 900), rows: 24 });
    }
    flooder.send({ type: "resize", cols: 77, rows: 7 });
    const last = () => core.acts.findLast(({ act }) => act === "propose")?.value;
    const isLast = () => (last() as { rows?: number } | undefined)?.rows === 7;
    const flooded = await echoes(isLast);
    expect(last()).toEqual({ cols: 77, rows: 7 });
    expect(flooded - quiet).toBeLessThan(50);
    expect(flooder.closed).toBeUndefined();
  }, 60_000);

  it("[T57] 1,000 malformed frames never end in a fault, and the memory comes back", async () => {
    const valid = [
      '{"type":"ack","at":1}',
      '{"type":"resize","cols":80,"rows":24}',
      '{"type":"report","data":"\\u001b[I"}',
      '{"type":"ping","id":1}',
    ];
    const edit = fc.record({
      at: fc.nat(40),
      cut: fc.nat(4),
      put: fc.string({ unit: fc.constantFrom(...'{}[]",:\\ud8\u0000é€1e-9nul') }),
    });
    const frames = fc.oneof(
      fc
        .tuple(fc.constantFrom(...valid), fc.array(edit, { maxLength: 3 }))
        .map(([text, edits]) =>
          edits.reduce(
            (all, { at, cut, put }) => all.slice(0, at) + put + all.slice(at + cut),
            text,
          ),
        ),
      fc.json(),
      fc.string(),
    );
    const before = process.memoryUsage().rss;
    const samples = fc.sample(frames, { numRuns: 1_000, seed: 57 });
    let double = attach();
    await opened(double);
    for (const frame of samples) {
      if (double.closed || double.socket.readyState !== double.socket.OPEN) {
        await double.untilClosed();
        expect(double.closed?.code).toBe(4400);
        double = attach();
        await opened(double);
      }
      double.socket.send(frame);
      // Bytes typed after it prove that the frame was judged.
      core.acts.length = 0;
      double.type("!");
      await eventually(() => core.acts.at(-1)?.act === "typed" || double.closed !== undefined);
    }
    expect(faults).toEqual([]);
    core.acts.length = 0;
    core.attachments.length = 0;
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * 1024 * 1024);
  }, 60_000);
});
