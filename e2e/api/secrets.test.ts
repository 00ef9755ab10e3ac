// Issue 5, shown by 4: passwords typed at real prompts, and values of a launch, over a whole server with its files, logs, streams and viewers. An
// agent waits meanwhile. Afterwards every byte that left the server or stands in its folder is searched for them.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SessionInfo } from "#lib/protocol/session.ts";
import type { Verdict } from "#lib/protocol/wait.ts";
import type { AttachClientDouble } from "#server/testing/attach-client-double.ts";
import { fishHome } from "#server/testing/fish-home.ts";
import { connectMcp, httpTransport, type McpTestClient } from "#server/testing/mcp-client.ts";
import { leftOut, missing } from "#server/testing/situations/stage.ts";
import { SshServer, sshServerNeeds } from "../fixtures/ssh-server.ts";
import { Server } from "../server.ts";
import { Caller, until } from "./caller.ts";

const folder = mkdtempSync(join(tmpdir(), "cotty-secrets-"));
const config = join(folder, "config.json");
const launchSecret = 'tök-4711-"abcdef"-Zq';
let server: Server;
let ada: Recorder;
let bob: Recorder;
let bot: Recorder;
let mcp: McpTestClient;
let linePort: number;
let events: EventTap;

/** Every reply that anybody got, as it came. */
const replies: string[] = [];
const viewers: { readonly of: Caller; readonly client: AttachClientDouble }[] = [];
const lineTaps: LineTap[] = [];
const sshServers: SshServer[] = [];

class Recorder extends Caller {
  override async raw(...args: Parameters<Caller["raw"]>): Promise<Response> {
    const reply = await super.raw(...args);
    const isStream = reply.headers.get("content-type")?.startsWith("text/event-stream");
    if (!isStream) replies.push(`${args[0]} ${args[1]} ${await reply.clone().text()}`);
    return reply;
  }
}

/** An event stream, kept whole. */
class EventTap {
  text = "";
  private readonly reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(reply: Response) {
    this.reader = (reply.body as ReadableStream<Uint8Array>).getReader();
    void this.read();
  }

  async end(): Promise<void> {
    await this.reader.cancel();
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await this.reader.read();
      if (done) return;
      this.text += decoder.decode(value, { stream: true });
    }
  }
}

/** A connection of the line service to one session, kept whole. */
class LineTap {
  /** Everything as it came, and behind it what the terminal printed, in one piece. */
  raw = "";
  private readonly socket;

  constructor(id: string, token: string) {
    this.socket = connect({ host: "127.0.0.1", port: linePort });
    this.socket.setEncoding("utf8");
    this.socket.on("data", (chunk) => {
      this.raw += chunk;
    });
    this.socket.write(`${JSON.stringify({ type: "auth", token, session: id })}\n`);
    lineTaps.push(this);
  }

  get text(): string {
    const whole = this.raw.split("\n").slice(0, -1);
    const lines = whole.map((line): { type: string; data?: string } => JSON.parse(line));
    return lines.map(({ type, data }) => (type === "output" ? data : "")).join("");
  }

  end(): void {
    this.socket.destroy();
  }
}

beforeAll(async () => {
  mkdirSync(join(folder, "home"));
  writeFileSync(join(folder, "token"), `${launchSecret}\n\n`);
  writeFileSync(
    join(folder, "key.txt"),
    "-----BEGIN KEY-----\nMIIabcdef01\nxy\n-----END KEY-----\n",
  );
  const sources = {
    FROM_FILE: { file: join(folder, "token") },
    FROM_COMMAND: { command: ["sh", "-c", `cat '${join(folder, "token")}'`] },
    FROM_ENV: { env: "SERVER_ONLY_SECRET" },
    BROKEN: { file: join(folder, "absent") },
  };
  const profile = {
    name: "with-secrets",
    command: ["/bin/sh"],
    secrets: { API_KEY: { named: "FROM_FILE" } },
  };
  writeFileSync(config, JSON.stringify({ secrets: sources, profiles: [profile] }));
  linePort = await freePort();
  const flags = ["--config", config, "--log-level", "debug", "--tcp", String(linePort)];
  server = new Server(flags, {
    SERVER_ONLY_SECRET: launchSecret,
    HOME: join(folder, "home"),
  });
  await server.start();
  ada = new Recorder(server, await server.token("owner"));
  bob = new Recorder(server, await server.token("owner"));
  bot = new Recorder(server, await server.token("agent"));
  events = new EventTap(await bot.raw("GET", "/events"));
  mcp = await connectMcp(httpTransport(server.url, bot.token), "2025");
});
afterAll(async () => {
  for (const { client } of viewers) client.dispose();
  for (const tap of lineTaps) tap.end();
  await mcp?.close();
  for (const sshServer of sshServers) sshServer.stop();
  await events?.end();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function watch(caller: Caller, id: string, query = ""): Promise<AttachClientDouble> {
  const client = caller.attach(id, query);
  viewers.push({ of: caller, client });
  await client.attached();
  return client;
}

/** Whatever can be asked about a session, asked; for what is in the replies. */
async function askEverything(id: string): Promise<void> {
  const paths = [
    "",
    ...["text", "raw", "html"].map((format) => `/screen?format=${format}`),
    "/screen?view=compact",
    "/screen?join_wrapped=1&ghost=keep",
    "/output",
    "/output?since=0:2&max_bytes=1024",
    "/commands",
    "/commands/latest",
    "/commands/latest/output",
    "/explain",
    "/lease",
  ];
  for (const caller of [bot, ada]) {
    for (const path of paths) await caller.raw("GET", `/sessions/${id}${path}`);
    await caller.raw("GET", "/sessions");
    await caller.raw("GET", "/capsule");
    await caller.raw("POST", `/sessions/${id}/wait`, {
      for: [{ quiet_ms: 1 }],
      timeout_ms: 500,
      since: "start",
    });
  }
  for (const path of ["audit", "writes", "agent_view"].map((part) => `/sessions/${id}/${part}`))
    expect([path, (await ada.raw("GET", path)).status]).toEqual([path, 200]);
  expect((await ada.raw("GET", "/audit")).status).toBe(200);
}

async function askTools(id: string): Promise<void> {
  const questions: [string, object][] = [
    ["terminal_snapshot", { id }],
    ["terminal_snapshot", { id, format: "raw" }],
    ["terminal_output", { id }],
    ["terminal_journal", { id }],
    ["terminal_wait", { id, for: [{ quiet_ms: 1 }], timeout_ms: 500, since: "start" }],
    ["terminal_list", {}],
  ];
  for (const [name, args] of questions)
    replies.push(`mcp ${name} ${JSON.stringify(await mcp.call(name, { ...args }))}`);
}

/** What the commands print, to a person on this machine and to an agent. */
async function askCommands(id: string): Promise<void> {
  const commands = [
    ["screen", id],
    ["screen", id, "--raw", "--json"],
    ["history", id],
    ["capsule"],
  ];
  const asAgent = ["--url", server.url, "--token", bot.token];
  await Promise.all(
    commands.flatMap((words) =>
      [words, [...words, ...asAgent]].map(async (line) => {
        const { code, stdout, stderr } = await server.cli(...line);
        expect([line[0], code, stderr.replace(/^next .*\n/, "")]).toEqual([line[0], 0, ""]);
        replies.push(`cotty ${line[0]} ${stdout}${stderr}`);
      }),
    ),
  );
}

/** A secret in the ways in which it may have been written down. */
function forms(secret: string): readonly Buffer[] {
  const bytes = Buffer.from(secret);
  const inner = (shift: number) =>
    // Base64 of it wherever it stands in what was encoded: without the characters that its neighbours have a part in.
    Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "")
      .slice(shift === 0 ? 0 : 4, -3);
  return [
    bytes,
    Buffer.from(JSON.stringify(secret).slice(1, -1)),
    Buffer.from(JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1)),
    Buffer.from(bytes.toString("hex")),
    Buffer.from(encodeURIComponent(secret)),
    ...[0, 1, 2].map((shift) => Buffer.from(inner(shift))),
  ];
}

function filesUnder(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const full = join(path, entry.name);
    if (entry.isDirectory()) return filesUnder(full);
    return entry.isFile() ? [full] : [];
  });
}

/** Where it is found. `isSeen`: people's viewers may have it. */
function finds(secret: string, { isSeen = false } = {}): string[] {
  const places: [string, Buffer][] = [
    ...filesUnder(server.stateDir).map((file): [string, Buffer] => [file, readFileSync(file)]),
    ...replies.map((reply): [string, Buffer] => [reply.slice(0, 200), Buffer.from(reply)]),
    ["events", Buffer.from(events.text)],
    ["what web said", Buffer.from(server.said)],
    ...lineTaps.flatMap((tap): [string, Buffer][] => [
      ["lines", Buffer.from(tap.raw)],
      ["what lines show", Buffer.from(squeezed(tap.text))],
    ]),
    ...viewers.flatMap(({ of, client }): [string, Buffer][] => {
      const messages: [string, Buffer] = [
        "messages of a viewer",
        Buffer.from(JSON.stringify(client.messages)),
      ];
      if (isSeen && of !== bot) return [messages];
      const seen = seenBy(client);
      const name = of === bot ? "an agent's viewer" : "a viewer";
      return [
        messages,
        [`bytes of ${name}`, seen],
        [`what ${name} shows`, Buffer.from(squeezed(seen.toString()))],
      ];
    }),
  ];
  const wanted = forms(secret);
  return places.flatMap(([name, bytes]) =>
    wanted.some((form) => bytes.includes(form)) ? [name] : [],
  );
}

function seenBy(viewer: AttachClientDouble): Buffer {
  return Buffer.concat([Buffer.from(viewer.text), ...viewer.snapshot.map(({ data }) => data)]);
}

/** Without what may stand between two characters of a value on a screen. */
const squeezed = (text: string) => text.replace(/\x1b\[[0-?]*[ -/]*[@-~]|[\r\n]/g, "");

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

/** Python that asks as `ask` says, says whether it got the right one, and never prints it. */
const python = (secret: string, ask: string) => [
  "/usr/bin/env",
  "python3",
  "-c",
  `import sys,os,hashlib,time,getpass,termios,tty
def echo(on,fd):
  a=termios.tcgetattr(fd)
  a[3]=(a[3]|termios.ECHO) if on else (a[3]&~termios.ECHO)
  termios.tcsetattr(fd,termios.TCSAFLUSH,a)
def from_tty(prompt):
  fd=os.open('/dev/tty',os.O_RDWR); echo(False,fd); os.write(fd,prompt.encode())
  r=os.read(fd,4096).decode().rstrip('\\n'); echo(True,fd); os.write(fd,b'\\n'); return r
def stars(prompt):
  fd=os.open('/dev/tty',os.O_RDWR); old=termios.tcgetattr(fd); tty.setcbreak(fd); os.write(fd,prompt.encode()); b=b''
  while True:
    c=os.read(fd,1)
    if c in b'\\r\\n': break
    b+=c
    if c[0]&0xc0!=0x80: os.write(fd,b'*')
  termios.tcsetattr(fd,termios.TCSAFLUSH,old); os.write(fd,b'\\n'); return b.decode()
def check(p):
  ok=hashlib.sha256(p.encode()).hexdigest()=='${sha(secret)}'
  if not ok: time.sleep(1.2)
  print('granted' if ok else 'Sorry, try again.',flush=True); return ok
${ask}
time.sleep(1); print("went on",flush=True); time.sleep(3)`,
];

interface Prompt {
  readonly name: string;
  readonly needs?: readonly string[];
  command(secret: string): readonly string[];
  /** What is typed, line by line; each once the program asks. */
  lines?(secret: string): readonly string[];
  /** A person has to say that it is one. */
  readonly isMarked?: boolean;
  /** Bullets are seen in its place. */
  readonly shows?: string;
  /** Files and servers; variables of the session. */
  prepare?(cwd: string, secret: string): Promise<Record<string, string>>;
}

const prompts: readonly Prompt[] = [
  {
    name: "read -s of bash",
    command: (secret) => [
      "bash",
      "-c",
      `read -rs -p 'Token: ' x; [ "$(printf %s "$x" | sha256sum | cut -c1-64)" = ${sha(secret)} ] && echo granted; sleep 1; echo went on; sleep 3`,
    ],
  },
  {
    name: "getpass",
    needs: ["python3"],
    command: (secret) => python(secret, "check(getpass.getpass())"),
  },
  {
    name: "a password as ssh asks for it, from the terminal itself",
    needs: ["python3"],
    command: (secret) => python(secret, 'check(from_tty("ada@example.org\'s password: "))'),
  },
  {
    name: "sudo's way: wrong, a pause, and right",
    needs: ["python3"],
    command: (secret) =>
      python(secret, "while not check(from_tty('[sudo] password for ada: ')): pass"),
    lines: (secret) => [`${secret.slice(2)}!wrong`, secret],
  },
  {
    name: "passwd's way: the old one, then the new one twice",
    needs: ["python3"],
    command: (secret) =>
      python(
        secret,
        "for p in ('Current password: ','New password: ','Retype new password: '): check(from_tty(p))",
      ),
    lines: (secret) => [secret, secret, secret],
  },
  {
    name: "stars for keys, as sudo with pwfeedback",
    needs: ["python3"],
    command: (secret) => python(secret, "check(stars('[sudo] password for ada: '))"),
    shows: "password for ada: ••••",
  },
  {
    name: "a prompt in words, with echo on",
    needs: ["python3"],
    command: (secret) =>
      python(
        secret,
        "sys.stdout.write('Password: '); sys.stdout.flush(); check(os.read(0,999).decode().rstrip('\\n'))",
      ),
    shows: "Password: ••••",
  },
  {
    name: "a question with echo on that a person marks",
    needs: ["python3"],
    command: (secret) =>
      python(
        secret,
        "sys.stdout.write('Word? '); sys.stdout.flush(); check(os.read(0,999).decode().rstrip('\\n'))",
      ),
    isMarked: true,
    shows: "Word? ••••",
  },
  {
    name: "a line editor that a person marks",
    needs: ["python3"],
    command: (secret) => python(secret, "import readline\ncheck(input('Word? '))"),
    isMarked: true,
    shows: "••••",
  },
  {
    name: "ssh-keygen, for a passphrase",
    needs: ["ssh-keygen"],
    command: () => [
      "sh",
      "-c",
      "ssh-keygen -y -f key >/dev/null && echo granted; sleep 1; echo went on; sleep 3",
    ],
    prepare: async (cwd, secret) => {
      const key = ["-q", "-t", "ed25519", "-N", secret, "-f", join(cwd, "key")];
      execFileSync("ssh-keygen", key);
      return {};
    },
  },
  {
    name: "ssh itself, refused by a server",
    needs: sshServerNeeds,
    command: () => [
      "sh",
      "-c",
      'ssh -F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o PreferredAuthentications=password -o NumberOfPasswordPrompts=2 -p "$PORT" nobody-of-cotty@127.0.0.1; echo granted; sleep 1; echo went on; sleep 3',
    ],
    lines: (secret) => [`${secret}!first`, secret],
    prepare: async (cwd) => {
      const sshServer = await SshServer.start(cwd);
      sshServers.push(sshServer);
      return { PORT: String(sshServer.port) };
    },
  },
  {
    name: "sudo itself, for another user, who gives up",
    needs: ["sudo", "setpriv", "root"],
    command: () => [
      "sh",
      "-c",
      "trap : INT; setpriv --reuid=65534 --regid=65534 --clear-groups sudo -k -p '[sudo] password for %p: ' true; echo granted; sleep 1; echo went on; sleep 3",
    ],
    lines: (secret) => [secret, "\x03"],
  },
];

describe("passwords at real prompts", { timeout: 90_000 }, () => {
  const secrets: string[] = [];
  const wanted = prompts.filter(({ needs }) => missing({ needs }).length === 0);

  it.runIf(process.env.CI)("none is left out where nothing may be", () => {
    expect(leftOut(prompts)).toEqual([]);
  });

  it.concurrent.each(wanted)(
    "[CR1] [CR2] [CR3] [T120] [T121] [B110] $name",
    async ({ name, command, lines, isMarked, shows, prepare }) => {
      const secret = `Zq${secrets.length}"pä\\${Math.random().toString(36).slice(2, 10)}`;
      secrets.push(secret);
      const cwd = mkdtempSync(join(folder, "at-"));
      const env = (await prepare?.(cwd, secret)) ?? {};
      const { id } = await bot.create({
        command: [...command(secret)],
        cwd,
        env,
        cols: 100,
        integration: "off",
      });
      // From the first byte: a program may have asked already.
      const [typist, other] = [await watch(ada, id, "?since=0"), await watch(bob, id, "?since=0")];
      await watch(bot, id);
      const told = (at: AttachClientDouble) =>
        at.messages.filter((message) => message.type === "credential").at(-1)?.credential ?? null;
      if (isMarked) {
        await typist.untilText("Word? ");
        typist.send({ type: "keyboard", action: "treat_as_secret" });
      }
      const info = (): Promise<SessionInfo> => bot.info(id);
      await until("the password prompt", async () => (await info()).credential !== null);
      const through = bot.call<Verdict>("POST", `/sessions/${id}/wait`, {
        for: [{ text: "went on" }],
        timeout_ms: 60_000,
        through_credential: true,
      });
      const refused = await bot.call<Verdict>("POST", `/sessions/${id}/wait`, {
        for: [{ text: "went on" }],
        timeout_ms: 60_000,
      });
      expect(refused.outcome).toBe("human_required");
      const write = await bot.raw("POST", `/sessions/${id}/input`, {
        input: [{ text: "guess\n" }],
      });
      expect([write.status, ((await write.json()) as { code: string }).code]).toEqual([
        409,
        "HUMAN_REQUIRED",
      ]);
      const typed = lines?.(secret) ?? [secret];
      // Where the answer to the prompt before began: the next prompt comes after it.
      let answeredAt = 0;
      for (const [n, line] of typed.entries()) {
        if (typed.length > 1) {
          await typist.until(
            "its prompt",
            () => /(password|passphrase)[^\n]*: $/i.test(typist.text.slice(answeredAt)),
            30_000,
          );
          await until("its question", async () => (await info()).phase === "waiting_input");
        }
        for (const key of line) typist.type(key);
        if (shows && n === 0)
          await other.until("what stands for keys", () => other.text.includes(shows));
        // Ctrl+C has ended the question: Enter after it would be typing like any other.
        if (line === "\x03") break;
        await askEverything(id);
        answeredAt = typist.text.length;
        typist.type("\r");
      }
      expect((await through).outcome).toBe("matched");
      expect(typist.text).toContain("granted");
      await until("the end of the prompt", async () => (await info()).credential === null);
      await until("word of it at the other viewer", () => told(other) === null);
      await askEverything(id);
      await askTools(id);
      // The search finds what is there to be found.
      const places = finds("granted");
      expect(places.some((place) => place.includes("/output"))).toBe(true);
      expect(places).toContain("bytes of a viewer");
      // Nobody who comes later gets it either.
      for (const caller of [bob, bot]) {
        await watch(caller, id);
        await watch(caller, id, "?since=0");
      }
      for (const line of typed) if (line.length > 6) expect(finds(line), name).toEqual([]);
    },
  );
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const door = createServer().listen(0, "127.0.0.1", () => {
      const { port } = door.address() as AddressInfo;
      door.close(() => resolve(port));
    });
  });
}

describe("secrets with echo, and typed too early", { timeout: 60_000 }, () => {
  it.concurrent.each(
    [["bash"], ["zsh"], ["fish"], ["dash"]].filter(
      ([shell]) => missing({ needs: [shell as string] }).length === 0,
    ),
  )("[CR3] a line that a person marks at the prompt of %s is nowhere", async (shell) => {
    const secret = `Zm${shell}pä-${Math.random().toString(36).slice(2, 10)}`;
    const home = mkdtempSync(join(folder, "home-"));
    fishHome(home, home);
    const env = { HOME: home, HISTFILE: "", XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, ENV: "" };
    const { id } = await ada.create({ command: [shell as string], env, cwd: home, cols: 60 });
    const [typist, other] = [await watch(ada, id), await watch(bob, id)];
    await until("the prompt", async () => {
      const { phase } = await bot.info(id);
      return phase === "idle" || phase === "waiting_input";
    });
    typist.send({ type: "keyboard", action: "treat_as_secret" });
    await until("the mark", async () => (await bot.info(id)).credential?.source === "manual");
    for (const key of `: '${secret}'`) typist.type(key);
    await other.until("bullets", () => other.text.split("•").length > 8);
    await askEverything(id);
    typist.type("\r");
    await until("the end of the secret", async () => (await bot.info(id)).credential === null);
    if (shell !== "dash")
      await until("the end of the command", async () => {
        const { last_command } = await bot.info(id);
        return last_command?.exit_code === 0 && last_command.command !== null;
      });
    await askEverything(id);
    await askTools(id);
    const { last_command } = await bot.info(id);
    if (shell !== "dash") expect(last_command?.command).toMatch(/^[• ]+$/);
    await watch(bob, id);
    await watch(bob, id, "?since=0");
    expect(finds(secret)).toEqual([]);
  });

  it("[CR3] typed ahead of the prompt it was echoed by the terminal: no reply has it from the prompt on", async () => {
    const secret = `Zt"pä-${Math.random().toString(36).slice(2, 10)}`;
    const { id } = await ada.create({
      command: [
        "bash",
        "-c",
        "echo busy; sleep 3; read -rs -p 'Token: ' x; echo; echo went on; sleep 3",
      ],
    });
    const typist = await watch(ada, id);
    await bot.untilText(id, "busy");
    typist.type(secret);
    await until("the password prompt", async () => (await bot.info(id)).credential !== null);
    const before = replies.length;
    await askEverything(id);
    typist.type("\r");
    await bot.untilText(id, "went on");
    await askEverything(id);
    expect(replies.slice(before).filter((reply) => reply.includes(secret.slice(4)))).toEqual([]);
  });

  it("[CR3] typed ahead with its Enter: no reply and no later viewer has it from the prompt on", async (context) => {
    if (missing({ needs: ["python3"] }).length > 0) context.skip();
    const secret = `Zu"pä-${Math.random().toString(36).slice(2, 10)}`;
    const cwd = mkdtempSync(join(folder, "ahead-"));
    // getpass throws away what came before its prompt: nobody can answer it ahead, though people try.
    const ask = `import os,time,getpass
print('busy',flush=True)
while not os.path.exists('go'): time.sleep(0.02)
getpass.getpass(); print('went on',flush=True); time.sleep(3)`;
    const { id } = await ada.create({ command: ["/usr/bin/env", "python3", "-c", ask], cwd });
    const typist = await watch(ada, id);
    await typist.untilText("busy");
    for (const key of secret) typist.type(key);
    typist.type("\r");
    await typist.untilText(secret);
    // What an agent was shown then is no more to be read either.
    await bot.untilText(id, secret);
    writeFileSync(join(cwd, "go"), "");
    await until("the password prompt", async () => (await bot.info(id)).credential !== null);
    const before = replies.length;
    await ada.raw("GET", `/sessions/${id}/agent_view`);
    await askEverything(id);
    typist.type("another-one\r");
    await bot.untilText(id, "went on");
    await askEverything(id);
    const late = [await watch(bot, id), await watch(bot, id, "?since=0")];
    const tap = new LineTap(id, bot.token);
    for (const viewer of late)
      await viewer.until("the whole of it", () => seenBy(viewer).includes("went on"));
    await until("the lines", () => tap.text.includes("went on"));
    const seen = [...replies.slice(before), tap.text, ...late.map((one) => seenBy(one).toString())];
    expect(seen.filter((one) => squeezed(one).includes(secret.slice(4)))).toEqual([]);
  });

  it("[CR3] a program that prints it again: agents get it nowhere, live or late", async () => {
    const secret = `Zr${Math.random().toString(36).slice(2, 10)}"pä-€x`;
    // Plain, over the edge, in colours, in two writes, in a title; far above the screen, and on it.
    const script = String.raw`read -rs -p 'Token: ' x; echo
begin=$(printf %s "$x" | cut -c1-3); rest=$(printf %s "$x" | cut -c4-)
p() {
  printf 'plain %s.\r\n' "$x"
  printf '%025d%s.\r\n' 7 "$x"
  printf '\033[31m%s\033[32m%s\033[0m.\r\n' "$begin" "$rest"
  printf %s "$begin"; sleep 0.02; printf '%s.\r\n' "$rest"
  printf '\033]2;%s\007' "$x"
}
p; seq 1 60; p; echo went on; read; sleep 9`;
    const { id } = await ada.create({
      command: ["bash", "-c", script],
      env: { LC_ALL: "C.UTF-8" },
      cols: 33,
      rows: 20,
    });
    const typist = await watch(ada, id);
    const live = await watch(bot, id);
    const taps = [new LineTap(id, bot.token)];
    await until("the password prompt", async () => (await bot.info(id)).credential !== null);
    await until("the lines", () => taps[0]?.text.includes("Token:") === true);
    typist.type(`${secret}\r`);
    await typist.untilText("went on");
    await bot.untilText(id, "went on");
    // A person sees what the program printed.
    expect(typist.text).toContain(`plain ${secret}.`);
    const end = typist.offset;
    await live.until("as many bytes as everybody", () => live.offset === end);
    const places = [0, Math.floor(end / 3), end - 300, end - 100, end - 90];
    const late = [await watch(bot, id)];
    for (const since of places) late.push(await watch(bot, id, `?since=${since}`));
    for (const viewer of late) await viewer.until("its end", () => viewer.offset === end);
    taps.push(new LineTap(id, bot.token));
    await until("the lines", () => taps.every(({ text }) => text.includes("went on")));
    await askEverything(id);
    await askTools(id);
    await askCommands(id);
    // A star for a byte of what was printed, and one for a cell of what is drawn.
    expect(live.text).toContain(`plain ${"*".repeat(Buffer.byteLength(secret))}.`);
    for (const { text } of taps) expect(text).toMatch(/plain \*{15,}\./);
    expect(replies.some((reply) => reply.includes("plain ••••••."))).toBe(true);
    expect(finds(secret, { isSeen: true })).toEqual([]);
    // The search finds what is there to be found.
    const found = finds("went on", { isSeen: true });
    for (const place of ["lines", "bytes of an agent's viewer"]) expect(found).toContain(place);
    for (const place of ["mcp terminal_output", "cotty history", "/output"])
      expect(found.some((one) => one.includes(place))).toBe(true);
  });

  it('[CR1] [CR3] "not a password" shows what is typed again, to agents too', async () => {
    const { id } = await ada.create({
      command: ["sh", "-c", "printf 'Token: '; read x; echo it was $x; sleep 3"],
    });
    const typist = await watch(ada, id);
    await until("the prompt", async () => (await bot.info(id)).credential !== null);
    typist.send({ type: "keyboard", action: "not_a_password" });
    await until("the correction", async () => (await bot.info(id)).credential === null);
    typist.type("plain-words\r");
    const screen = await bot.untilText(id, "it was plain-words");
    expect(screen.lines[0]).toBe("Token: plain-words");
  });
});

describe("secrets at launch", { timeout: 60_000 }, () => {
  const show = (name: string) =>
    `printf 'is %s there\\n' "$${name}"; printf '\\033]2;%s\\007' "$${name}"; printf %s "$${name}" | sha256sum`;

  it("[SX1] a person's file, variable and command are in the child's environment and in no text", async () => {
    const secrets = {
      A_FILE: { file: join(folder, "token") },
      A_VARIABLE: { env: "SERVER_ONLY_SECRET" },
      A_COMMAND: { command: ["cat", join(folder, "token")] },
      A_NAME: { named: "FROM_COMMAND" },
    };
    const names = Object.keys(secrets);
    const info = await ada.create({ command: ["sh", "-c", "cat"], secrets });
    expect(info.secrets).toEqual(names);
    await ada.close(info.id);
    for (const name of names) {
      const { id } = await ada.create({
        command: ["bash"],
        secrets: { [name]: secrets[name as keyof typeof secrets] },
        cols: 33,
      });
      const viewer = await watch(ada, id);
      await until("the prompt", async () => (await bot.info(id)).phase === "idle");
      const reply = await bot.call<{ delta?: { text: string } }>("POST", `/sessions/${id}/act`, {
        input: [{ text: `${show(name)}\n` }],
        wait: { for: [{ prompt: true }], timeout_ms: 20_000 },
      });
      expect(reply.delta?.text).toContain(`is •••${name}••• there`);
      expect(reply.delta?.text).toContain(sha(launchSecret));
      await bot.raw("POST", `/sessions/${id}/act`, {
        input: [{ text: `: ${launchSecret}\n` }],
        note: `uses ${launchSecret}`,
        wait: { for: [{ prompt: true }], timeout_ms: 20_000 },
      });
      await askEverything(id);
      // A person sees what the program printed.
      expect(viewer.text).toContain(`is ${launchSecret} there`);
    }
    expect(finds(launchSecret, { isSeen: true })).toEqual([]);
  });

  it("[SX1] agents name what the owner defined, and nothing else; a profile brings its own", async () => {
    const named = await bot.create({
      command: ["sh", "-c", `${show("T")}; sleep 9`],
      secrets: { T: { named: "FROM_ENV" } },
    });
    const screen = await bot.untilText(named.id, sha(launchSecret));
    expect(screen.lines[0]).toBe("is •••T••• there");
    const profiled = await bot.create({ profile: "with-secrets" });
    expect(profiled.secrets).toEqual(["API_KEY"]);
    const refusals: [object, number, RegExp][] = [
      [{ T: { env: "SERVER_ONLY_SECRET" } }, 403, /named/],
      [{ T: { file: join(folder, "token") } }, 403, /named/],
      [{ T: { command: ["cat", join(folder, "token")] } }, 403, /named/],
      [{ T: { named: "UNKNOWN" } }, 400, /T is no secret/],
      [{ T: { named: "__proto__" } }, 400, /T is no secret/],
      [{ T: { named: "BROKEN" } }, 400, /T names a file that cannot be read \(ENOENT\)/],
    ];
    for (const [secrets, status, message] of refusals) {
      const reply = await bot.raw("POST", "/sessions", { secrets });
      expect([reply.status, await reply.text()]).toEqual([status, expect.stringMatching(message)]);
    }
    expect(finds(launchSecret, { isSeen: true })).toEqual([]);
  });

  it("[SX1] an agent's viewer is refused where values could come through, and people are told what cannot be read", async () => {
    const { id } = await ada.create({
      command: ["cat"],
      secrets: { T: { env: "SERVER_ONLY_SECRET" } },
    });
    const viewer = bot.attach(id);
    viewers.push({ of: bot, client: viewer });
    await viewer.until(
      "the refusal",
      () => viewer.refused !== undefined || viewer.closed !== undefined,
    );
    expect(viewer.hello).toBeUndefined();
    const wrong: [object, RegExp][] = [
      [{ env: "NOT_THERE" }, /a variable that the server does not have/],
      [{ file: folder }, /a file that is none/],
      [{ file: "/dev/zero" }, /a file that is none/],
      [{ command: ["false"] }, /a command that ended with 1/],
      [{ command: ["no-such-program-of-cotty"] }, /a command that ended with 127/],
      [{ command: ["yes"] }, /a command that printed over/],
      [{ command: ["true"] }, /is empty/],
      [{ command: ["printf", "\\377"] }, /is not text/],
    ];
    for (const [source, message] of wrong) {
      const reply = await ada.raw("POST", "/sessions", { secrets: { T: source } });
      expect([reply.status, await reply.text()]).toEqual([400, expect.stringMatching(message)]);
    }
  });

  it("[SX1] each line of a key is hidden by itself", async () => {
    const { id } = await ada.create({
      command: ["sh", "-c", "printf '%s\\n' \"$K\"; sleep 9"],
      secrets: { K: { file: join(folder, "key.txt") } },
    });
    const screen = await bot.untilText(id, "xy");
    expect(screen.lines.slice(0, 4)).toEqual(["•••K•••", "•••K•••", "xy", "•••K•••"]);
  });
});
