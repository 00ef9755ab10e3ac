// TC1, TC2 over real sockets, real terminals and the real netcat. Web and host run in this process but where a process is killed.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ErrorCode } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { SessionInfo } from "#lib/protocol/session.ts";
import { revokeCredential, verifyToken } from "#server/state/credential-store.ts";
import { type ClientLine, clientLineSchema } from "#server/tcp/line-messages.ts";
import { startTestHost, type TestHost, testOwner } from "#server/testing/test-host.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";
import { Server } from "../server.ts";
import { until } from "./caller.ts";

type Line = { type: string; data?: string; [field: string]: unknown };
const sh = ["/bin/sh"];

/** What each line of an agent that looks is answered (AC1); a new one without a row fails. */
const lineRows: Record<ClientLine["type"], { line: object; observe: ErrorCode }> = {
  stdin: { line: { data: "never\r" }, observe: "READ_ONLY" },
  resize: { line: { cols: 101, rows: 25 }, observe: "READ_ONLY" },
};

let host: TestHost;
let web: TestWeb;
const clients: LineClient[] = [];

/** A client of the line service that keeps what it was told. */
class LineClient {
  readonly lines: Line[] = [];
  readonly socket: Socket;
  isClosed = false;
  private rest = "";

  constructor(port: number | null = web.web.linePort) {
    this.socket = connect({ host: "127.0.0.1", port: port ?? 0 });
    this.socket.setEncoding("utf8");
    this.socket.on("data", (chunk) => {
      const parts = (this.rest + chunk).split("\n");
      this.rest = parts.pop() ?? "";
      for (const part of parts) this.lines.push(JSON.parse(part));
    });
    this.socket.on("close", () => {
      this.isClosed = true;
    });
    this.socket.on("error", () => {});
    clients.push(this);
  }

  static auth(token: string, more: object = {}): LineClient {
    return new LineClient().send({ type: "auth", token, ...more });
  }

  send(message: object): this {
    this.socket.write(`${JSON.stringify(message)}\n`);
    return this;
  }

  type(data: string): this {
    return this.send({ type: "stdin", data });
  }

  get text(): string {
    return this.of("output")
      .map(({ data }) => data)
      .join("");
  }

  of(type: string): Line[] {
    return this.lines.filter((line) => line.type === type);
  }

  get errors(): unknown[] {
    return this.of("error").map(({ code }) => code);
  }

  shows(text: string): Promise<void> {
    return until(`${JSON.stringify(text)} in ${this.text.slice(-500)}`, () =>
      this.text.includes(text),
    );
  }

  closed(): Promise<void> {
    return until("the end of the connection", () => this.isClosed);
  }
}

async function sessions(): Promise<SessionInfo[]> {
  return (await host.request("listSessions")).sessions as SessionInfo[];
}

async function onlySession(): Promise<SessionInfo> {
  const [session, ...more] = await sessions();
  if (!session || more.length > 0) throw new Error("there is not exactly one session");
  return session;
}

beforeAll(async () => {
  host = await startTestHost();
  web = await startTestWeb({ host: host.host, linePort: 0 });
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy();
  await until("no session of a connection", async () =>
    (await sessions()).every(({ name }) => name === "kept"),
  );
  for (const { id } of await sessions())
    await host.request("closeSession", { params: { id }, query: { signal: "KILL" } });
});
afterAll(async () => {
  await web?.dispose();
  await host?.dispose();
});

describe("the line service", () => {
  it("[TC1] a fresh session per connection: output from its first byte, stdin, resize, exit; destroyed with it", async () => {
    const client = LineClient.auth(web.ownerToken, { command: sh, cols: 70, rows: 20 });
    client.send({ type: "resize", cols: 91, rows: 31 });
    client.type("stty size; echo grüße 漢字\r");
    await client.shows("31 91");
    await client.shows("\ngrüße 漢字");
    expect((await onlySession()).cols).toBe(91);
    client.type("exit 7\r");
    await client.closed();
    expect(client.lines.at(-1)).toEqual({ type: "exit", code: 7, signal: null });
    await until("nothing left", async () => (await sessions()).length === 0);
  });

  it("[TC1] disconnecting destroys the session and all its processes", async () => {
    const client = LineClient.auth(web.ownerToken, { command: sh });
    client.type("sleep 1000 & echo started\r");
    await client.shows("\nstarted");
    client.socket.destroy();
    await until("nothing left", async () => (await sessions()).length === 0);
  });

  it("[TC1] keep: the session outlives its connection, and another one attaches to it", async () => {
    const first = LineClient.auth(web.ownerToken, { command: sh, name: "kept", keep: true });
    first.type("echo one; sleep 0; trap '' HUP\r");
    await first.shows("\none");
    const id = first.of("session")[0]?.id;
    first.socket.destroy();
    await until("no viewer", async () => (await onlySession()).viewers === 0);
    const second = LineClient.auth(web.ownerToken, { session: id });
    await second.shows("one");
    second.type("echo two\r");
    await second.shows("\ntwo");
    expect((await onlySession()).id).toBe(id);
  });

  it("[TC1] a signal that ended the program is named", async () => {
    const client = LineClient.auth(web.ownerToken, { command: ["/bin/sh", "-c", "kill -9 $$"] });
    await client.closed();
    expect(client.lines.at(-1)).toEqual({ type: "exit", code: null, signal: "SIGKILL" });
  });

  it("[TC1] characters are never cut, whatever the chunks", async () => {
    const script =
      "i=0; while [ $i -lt 3000 ]; do printf '漢字🙂é'; i=$((i+1)); done; echo; echo END";
    const client = LineClient.auth(web.ownerToken, { command: ["/bin/sh", "-c", script] });
    await client.closed();
    const printed = client.text.replace(/[\r\n]/g, "").replace("END", "");
    expect(printed).toBe("漢字🙂é".repeat(3_000));
  });

  it("[TC1] half lines, many lines in one packet, and CRLF are lines", async () => {
    const client = new LineClient();
    const auth = JSON.stringify({ type: "auth", token: web.ownerToken, command: sh });
    for (const piece of auth.match(/.{1,7}/g) ?? []) client.socket.write(piece);
    client.socket.write("\r\n");
    const stdin = (data: string) => `${JSON.stringify({ type: "stdin", data })}\n`;
    client.socket.write(stdin("echo a") + stdin("bc") + stdin("d\r"));
    await client.shows("\nabcd");
  });

  it("[TC1] what is no message is answered with an error, and the connection goes on", async () => {
    const client = LineClient.auth(web.ownerToken, { command: sh });
    client.socket.write("nonsense\n");
    client.send({ type: "shout", data: "x" }).send({ type: "resize", cols: 0, rows: 5 });
    client.send({ type: "stdin" }).type("echo fine\r");
    await client.shows("\nfine");
    expect(client.errors).toEqual(["BAD_REQUEST", "BAD_REQUEST", "BAD_SIZE", "BAD_REQUEST"]);
    expect(client.of("error").every(({ hint }) => typeof hint === "string")).toBe(true);
    expect(client.of("error").map(({ data }) => data)).toEqual([
      "the line is not JSON",
      'line.type must be one of stdin, resize, not "shout"',
      "line.cols must be at least 2, not 0",
      "line.data must be a string, and is missing",
    ]);
  });

  it("[TC1] a line of more than 1 MiB ends the connection and its session", async () => {
    const client = LineClient.auth(web.ownerToken, { command: ["/bin/cat"] });
    await until("the session", async () => (await sessions()).length === 1);
    client.socket.write("{".padEnd(limits.lineBytes + 1, "x"));
    await client.closed();
    expect(client.errors).toEqual(["TOO_LARGE"]);
  });

  it.each([
    ["an HTTP request", "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"],
    [
      "a cross-protocol POST of a page",
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://evil.example\r\nContent-Type: text/plain\r\nContent-Length: 60\r\n\r\n{"type":"auth","token":"TOKEN"}\n{"type":"stdin","data":"id\\r"}\n',
    ],
    ["a TLS handshake", "\x16\x03\x01\x02\x00"],
    ["lines that begin with a blank one", '\n{"type":"auth","token":"TOKEN"}\n'],
    ["an object that is no JSON", '{"type":"auth",token:TOKEN}\n'],
  ])("[TC1] [SE2] %s is closed at once without an answer", async (_what, bytes) => {
    const client = new LineClient();
    client.socket.write(bytes.replaceAll("TOKEN", web.ownerToken));
    await client.closed();
    expect(client.lines).toEqual([]);
    expect(await sessions()).toEqual([]);
  });

  it("[TC1] who says nothing for five seconds is cut", { timeout: 15_000 }, async () => {
    const startedAt = performance.now();
    const client = new LineClient();
    client.socket.write('{"type":');
    await client.closed();
    expect(performance.now() - startedAt).toBeGreaterThan(4_500);
    expect(client.lines).toEqual([]);
  });

  it("[TC1] a first line without a token, or with a field that is not known, says what is wrong", async () => {
    for (const line of [
      { type: "stdin", data: "id\r" },
      { type: "auth" },
      { type: "auth", token: "x", shell: "x" },
    ]) {
      const client = new LineClient().send(line);
      await client.closed();
      expect(client.errors).toEqual(["BAD_REQUEST"]);
    }
  });

  it("[TC2] the prompt of a shell with marks is told once per prompt, behind the output that shows it", async () => {
    const client = LineClient.auth(web.ownerToken, { command: ["/bin/bash", "--norc"] });
    await until("a prompt", () => client.of("prompt").length === 1);
    client.type("PS1='ready% '; echo hello\r");
    await until("a second", () => client.of("prompt").length === 2);
    expect(client.of("prompt")[1]?.data).toBe("ready% ");
    expect(client.text).toContain("hello\r\n");
    // A program's own prompt, of which the shell's marks tell nothing.
    client.type("python3 -q\r");
    await until("python's", () => client.of("prompt").at(-1)?.data === ">>> ");
  });

  it("[TC2] without marks a quiet line that ends like a prompt is one", async () => {
    const script =
      "printf 'loading 10%% '; sleep 0.05; printf '\\rready # '; read -r x; printf 'got %s' $x; sleep 100";
    const client = LineClient.auth(web.ownerToken, { command: ["/bin/sh", "-c", script] });
    await until("a prompt", () => client.of("prompt").length > 0);
    client.type("it\r");
    await client.shows("got it");
    expect(client.of("prompt").map(({ data }) => data)).toEqual(["ready # "]);
  });
});

describe("who may, over the line service", () => {
  it("[TC1] [SE4] a wrong token is refused and counts in the one limiter", async () => {
    const own = await startTestWeb({ host: host.host, linePort: 0 });
    const refused: unknown[] = [];
    for (let tries = 0; tries <= limits.failuresPerSource; tries += 1) {
      const client = new LineClient(own.web.linePort).send({
        type: "auth",
        token: `cot_own_${"a".repeat(16)}_${"b".repeat(52)}`,
      });
      await client.closed();
      refused.push(...client.errors);
    }
    expect(refused.slice(0, -1)).toEqual(Array(limits.failuresPerSource).fill("UNAUTHENTICATED"));
    expect(refused.at(-1)).toBe("TOO_MANY_ATTEMPTS");
    const reply = await own.call("GET", "/me", { token: "cot_wrong" });
    expect(reply.status).toBe(429);
    await own.dispose();
  });

  it("[SE4] a revoked token's connection ends within a second, and its session with it", async () => {
    const token = web.token({ role: "owner" });
    const client = LineClient.auth(token, { command: sh });
    await until("the session", async () => (await sessions()).length === 1);
    client.type("echo here\r");
    await client.shows("\nhere");
    const startedAt = performance.now();
    revokeCredential(web.store, verifyToken(web.store, token)?.id ?? "");
    await client.closed();
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect(client.errors).toEqual(["UNAUTHENTICATED"]);
  });

  it.each([
    // role, fresh session, attach, stdin, resize
    ["owner", "ok", "ok", "ok", "ok"],
    ["agent", "ok", "ok", "ok", "ok"],
    ["viewer", "FORBIDDEN", "ok", "FORBIDDEN", "FORBIDDEN"],
  ] as const)(
    "[SE7] %s: fresh %s, attach %s, stdin %s, resize %s",
    async (role, fresh, attach, stdin, resize) => {
      const token = web.token({ role });
      const first = LineClient.auth(token, { command: ["/bin/sh", "-c", "echo up; exec cat"] });
      if (fresh === "ok") await first.shows("up");
      else await first.closed();
      expect(first.errors).toEqual(fresh === "ok" ? [] : [fresh]);
      const { id } = await host.request("createSession", {
        body: { name: "kept", command: ["/bin/sh", "-c", "echo up; exec cat"], cols: 80, rows: 24 },
      });
      const second = LineClient.auth(token, { session: id });
      if (attach === "ok") await second.shows("up");
      second.type("said\r");
      second.send({ type: "resize", cols: 99, rows: 24 });
      const wanted = [stdin, resize].filter((one) => one !== "ok");
      if (wanted.length === 0) {
        await second.shows("said\r\nsaid");
        await until(
          "the size",
          async () => (await host.request("getSession", { params: { id } })).cols === 99,
        );
      } else await until("the refusals", () => second.errors.length === 2);
      expect(second.errors).toEqual(wanted);
      second.socket.destroy();
      await until(
        "no viewer",
        async () => (await host.request("getSession", { params: { id } })).viewers === 0,
      );
      expect((await host.request("getSession", { params: { id } })).exited).toBe(false);
    },
  );

  it("[T58] a token of other sessions finds neither this one nor that it is there", async () => {
    const { id } = await host.request("createSession", {
      body: { name: "kept", command: ["/bin/cat"] },
    });
    const stranger = web.token({ role: "agent", sessions: ["a".repeat(26)] });
    const client = LineClient.auth(stranger, { session: id });
    await client.closed();
    expect(client.errors).toEqual(["SESSION_NOT_FOUND"]);
  });

  it("[AC1] every line that a client may send has a row", () => {
    const types = clientLineSchema.def.options.map(({ shape }) => shape.type.def.values[0]);
    expect(Object.keys(lineRows).sort()).toEqual([...types].sort());
    for (const [type, { line }] of Object.entries(lineRows))
      expect(clientLineSchema.parse({ type, ...line })).toEqual({ type, ...line });
  });

  it("[AC1] [AC2] observe: each line of an agent is answered as its row says, and does nothing", async () => {
    const { id, client } = await watched();
    await host.request("setAccess", { params: { id }, body: { level: "observe" } });
    for (const [type, { line, observe }] of Object.entries(lineRows)) {
      const before = client.errors.length;
      client.send({ type, ...line });
      await until(`an answer to ${type}`, () => client.errors.length > before);
      expect(client.errors.slice(before), type).toEqual([observe]);
    }
    expect(client.text).not.toContain("never");
    const { cols, rows } = await host.request("getSession", { params: { id } });
    expect({ cols, rows }).toEqual({ cols: 80, rows: 24 });
    expect(client.isClosed).toBe(false);
  });

  it("[AC1] [AC2] sealed: an agent's connection ends with that, no line does anything more, and none opens", async () => {
    const { id, client } = await watched();
    await host.request("setAccess", { params: { id }, body: { level: "sealed" } });
    for (const [type, { line }] of Object.entries(lineRows)) client.send({ type, ...line });
    await client.closed();
    expect(new Set(client.errors)).toEqual(new Set(["SEALED"]));
    const again = LineClient.auth(web.agentToken, { session: id });
    for (const [type, { line }] of Object.entries(lineRows)) again.send({ type, ...line });
    await again.closed();
    expect(again.errors).toEqual(["SEALED"]);
    expect(again.text).toBe("");
    const { cols, rows } = await host.request("getSession", { params: { id } });
    expect({ cols, rows }).toEqual({ cols: 80, rows: 24 });
    const screen = (await host.request("readScreen", { params: { id } })) as { lines: string[] };
    expect(screen.lines.filter(Boolean)).toEqual(["up"]);
  });

  /** A session that an agent's connection watches. */
  async function watched() {
    const { id } = await host.request("createSession", {
      body: { name: "kept", command: ["/bin/sh", "-c", "echo up; exec cat"] },
    });
    const client = LineClient.auth(web.agentToken, { session: id });
    await client.shows("up");
    return { id, client };
  }

  it("[LS3] [CR3] an agent's stdin obeys the keyboard and password prompts; a person's takes the keyboard", async () => {
    const script =
      'echo up; read -r a; stty -echo; printf "Password: "; read -r b; stty echo; echo "<$b>"; exec cat';
    const { id } = await host.request("createSession", {
      body: { name: "kept", command: ["/bin/sh", "-c", script] },
    });
    const agent = LineClient.auth(web.agentToken, { session: id });
    const person = LineClient.auth(web.ownerToken, { session: id });
    await agent.shows("up");
    await person.shows("up");
    person.type("x");
    await agent.shows("x");
    agent.type("y");
    await until("a refusal", () => agent.errors.length === 1);
    expect(agent.of("error")[0]).toMatchObject({
      // Unsent text, too, so it takes more than the silence after typing.
      code: "DRAFT_PENDING",
      retry_after_ms: expect.any(Number),
    });
    person.type("\r");
    await agent.shows("Password: ");
    await until(
      "the host knows",
      async () => (await host.request("getSession", { params: { id } })).credential !== null,
    );
    agent.type("guess\r");
    await until("another", () => agent.errors.length === 2);
    expect(agent.errors[1]).toBe("HUMAN_REQUIRED");
    person.type("secret\r");
    await person.shows("<secret>");
  });
});

describe("two people", () => {
  it("[LS9] one by the line service meets the choice of one at a screen, and is asked for nothing else", async () => {
    const { id } = await host.request("createSession", {
      body: { name: "kept", command: ["/bin/cat"] },
    });
    const ada = host.attach(id, { query: "?idle=never", actor: { ...testOwner, id: "ada" } });
    await ada.until("hello", () => ada.hello !== undefined);
    const other = LineClient.auth(web.ownerToken, { session: id });
    ada.send({ type: "politeness", politeness: "ask" });
    ada.type("one\r");
    await other.shows("one");
    for (const key of "QZ") other.type(key);
    await until("two refusals", () => other.errors.length === 2);
    expect(other.errors).toEqual(["HUMAN_BUSY", "HUMAN_BUSY"]);
    ada.send({ type: "politeness", politeness: "immediate" });
    await ada.until("the news", () =>
      ada.messages.some((news) => news.type === "lease" && news.lease.politeness === "immediate"),
    );
    other.type("four\r");
    await other.shows("four");
    expect(other.text).not.toMatch(/Q|Z/);
  });
});

describe("many and slow clients", () => {
  it("[TC1] [AT4] a client that does not read holds a bounded amount and nobody else back, and is shown the screen afterwards", {
    timeout: 60_000,
  }, async () => {
    const { id } = await host.request("createSession", {
      body: {
        name: "kept",
        command: ["/bin/sh", "-c", "read -r go; seq 1 1500000; echo LAST; exec cat"],
      },
    });
    const slow = LineClient.auth(web.ownerToken, { session: id });
    const quick = LineClient.auth(web.ownerToken, { session: id });
    await until(
      "both",
      async () => (await host.request("getSession", { params: { id } })).viewers === 2,
    );
    slow.socket.pause();
    const before = process.memoryUsage().rss;
    quick.type("\r");
    await until(
      "the last line",
      () => quick.of("output").at(-1)?.data?.includes("LAST") ?? false,
      50_000,
    );
    // 11 MB went past a client that reads nothing.
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
    slow.socket.resume();
    await until(
      "the screen",
      () => slow.lines.some((line) => line.reset === true && String(line.data).includes("LAST")),
      20_000,
    );
  });

  it("[TC1] at most as many connections per token as sockets", async () => {
    const token = web.token({ role: "viewer" });
    const { id } = await host.request("createSession", {
      body: { name: "kept", command: ["/bin/cat"] },
    });
    const many = Array.from({ length: limits.socketsPerPrincipal + 1 }, () =>
      LineClient.auth(token, { session: id }),
    );
    await until("one refusal", () => many.some((client) => client.isClosed));
    expect(many.filter(({ errors }) => errors.includes("TOO_MANY_SOCKETS"))).toHaveLength(1);
  });

  it("[TC1] connections that show no token make room for others", async () => {
    const silent = Array.from({ length: limits.unauthenticatedSockets }, () => new LineClient());
    await Promise.all(
      silent.map(({ socket }) => until("open", () => socket.readyState === "open")),
    );
    const client = LineClient.auth(web.ownerToken, {
      command: ["/bin/sh", "-c", "echo up; exec cat"],
    });
    await client.shows("up");
    await until("one made room", () => silent.some(({ isClosed }) => isClosed));
    expect(silent.filter(({ isClosed }) => isClosed)).toHaveLength(1);
  });
});

describe("with processes", () => {
  it("[TC1] netcat is a client, and what a killed web process left behind the next one ends", {
    timeout: 60_000,
  }, async () => {
    const server = new Server(["--tcp", "0"]);
    let nc: ChildProcessWithoutNullStreams | undefined;
    try {
      await server.start();
      const token = await server.token("owner");
      nc = spawn("nc", ["127.0.0.1", String(await linePort(server))]);
      let said = "";
      nc.stdout.on("data", (chunk) => {
        said += chunk;
      });
      nc.stdin.write(`{"type":"auth","token":"${token}","command":["/bin/sh"]}\n`);
      nc.stdin.write('{"type":"stdin","data":"echo from-netcat\\r"}\n');
      await until(
        "netcat's echo",
        () => said.includes("\\nfrom-netcat") || said.includes("\\r\\nfrom-netcat"),
      );
      const ended = new Promise((resolve) => nc?.once("exit", resolve));
      await server.killWeb();
      nc.stdin.end();
      await ended;
      const listed = async () =>
        JSON.parse((await server.cli("ls", "--json")).stdout).sessions.length;
      expect(await listed()).toBe(1);
      await server.start();
      expect(await listed()).toBe(0);
    } finally {
      nc?.kill();
      await server.stop();
    }
  });
});

/** As `cotty start` says it. */
async function linePort(server: Server): Promise<number> {
  let port = 0;
  await until("the port", () => {
    port = Number(/127\.0\.0\.1 port (\d+)/.exec(server.said)?.[1] ?? 0);
    return port > 0;
  });
  return port;
}
