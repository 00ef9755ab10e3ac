// `npm run demo`: a fresh server, a terminal in it, and a predefined sequence that shows what it can do: commands and prompts, a REPL, a password
// prompt, resize, scrollback, and coming back after the connection and the web server were gone. Ends with 0 when all of it happened, so it is a
// smoke test too. Uses nothing but what the package shows.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";
import { root, say } from "./steps/run.mjs";

await ensureInstalled();
await ensureBuilt(["server"]);
const { connect } = await import("../dist/client.js");

const folder = mkdtempSync(join(tmpdir(), "cotty-demo-"));
const state = join(folder, "state");
const cli = join(root, "dist/cotty.js");
const env = { ...process.env, HOME: folder, SHELL: "/bin/bash" };
for (const name of Object.keys(env)) if (name.startsWith("COTTY_")) delete env[name];
writeFileSync(join(folder, "notes.txt"), "one\ntwo\nthree\n");
// Asks as sudo does, without needing to be one.
const asks =
  'printf "[sudo] password for you: "; stty -echo; read -r p; stty echo; echo; echo "echo test: granted"';

const isColoured = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (isColoured ? `\x1b[1m${text}\x1b[0m` : text);
const step = (text) => process.stdout.write(`\n${bold(`== ${text}`)}\n`);

function check(isTrue, what) {
  if (!isTrue) throw new Error(`the demo expected ${what}`);
  process.stdout.write(`   ok: ${what}\n`);
}

let web;
/** Starts web, and the host where none runs; resolves with the address. */
function start(port) {
  web = spawn(
    process.execPath,
    [cli, "start", "--no-open", "--state-dir", state, "--port", String(port)],
    {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  return new Promise((resolve, reject) => {
    let said = "";
    for (const stream of [web.stdout, web.stderr])
      stream.on("data", (chunk) => {
        said += chunk;
        const url = /ready at (http:\/\/[\d.]+:\d+)/.exec(said)?.[1];
        if (url && said.includes("#code=")) resolve(url);
      });
    web.once("exit", (code) => reject(new Error(`cotty start ended with ${code}: ${said}`)));
  });
}

function run(...args) {
  const child = spawn(process.execPath, [cli, ...args, "--state-dir", state], {
    env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  return new Promise((resolve) => child.once("close", () => resolve(out.trim())));
}

async function until(what, isTrue) {
  const deadline = Date.now() + 20_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`the demo waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** The viewer hears of it a moment after the call that caused it was answered. */
async function shown(isTrue, what) {
  await until(what, isTrue);
  check(true, what);
}

try {
  step("a fresh server");
  const url = await start(0);
  const token = await run("token", "create", "--role", "owner", "--name", "demo");
  const cotty = connect({ url, token: token.split("\n").at(-1).trim() });
  const { id } = await cotty.api.createSession({
    body: { name: "demo", cwd: folder, cols: 80, rows: 24, command: ["/bin/bash", "--norc"] },
  });
  const params = { id };
  let printed = "";
  const show = (bytes) => {
    const text = Buffer.from(bytes).toString("utf8");
    printed += text;
    // Text and colours only: what moves the cursor was meant for a terminal of its own.
    process.stdout.write(
      text.replace(/\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[0-9;?]*[A-LN-Za-ln-z]/g, ""),
    );
  };
  const viewer = cotty.attach(id, {
    showScreen() {},
    showSnapshot(_size, _history, screen, drawn) {
      printed += Buffer.from(screen).toString("utf8");
      drawn();
    },
    write(bytes, drawn) {
      show(bytes);
      drawn();
    },
    resize() {},
  });
  viewer.start();
  await until("the viewer", () => viewer.state.kind === "live");

  const act = (text, wait) =>
    cotty.api.act({
      params,
      body: { input: [{ text }, { key: "Enter" }], wait: { timeout_ms: 20_000, ...wait } },
    });
  const line = async (text) => {
    const { wait } = await act(text, { for: [{ command_done: true }] });
    return wait;
  };

  step("prompts: ls -la, cat");
  await cotty.api.waitSession({ params, body: { for: [{ prompt: true }], timeout_ms: 20_000 } });
  check(
    (await line("ls -la")).outcome === "command_done",
    "that the shell tells when `ls -la` is done",
  );
  check((await line("cat notes.txt")).outcome === "command_done", "the same of `cat`");
  await shown(() => printed.includes("three"), "what was in the file");

  step("a program with prompts of its own: python3");
  check(
    (await act("python3 -q", { for: [{ text: ">>>" }] })).wait.outcome === "matched",
    "python's prompt",
  );
  await act("6 * 7", { for: [{ text: "42" }] });
  await shown(() => printed.includes("42"), "the answer");
  await line("exit()");

  step("a password prompt: people only");
  await act(asks, { for: [{ text: "password for you" }] });
  await until(
    "the host to see it",
    async () => (await cotty.api.getSession({ params })).credential !== null,
  );
  check(
    (await cotty.api.getSession({ params })).need?.reason === "password",
    "that a person is called",
  );
  const robot = connect({
    url,
    token: (await run("token", "create", "--role", "agent", "--name", "robot"))
      .split("\n")
      .at(-1)
      .trim(),
  });
  const refused = await robot.api
    .writeInput({ params, body: { input: [{ text: "guess" }] } })
    .catch((error) => error.code);
  check(refused === "HUMAN_REQUIRED", "that an agent may not answer it");
  await act("hunter2", { for: [{ text: "granted" }], through_credential: true });
  check(!printed.includes("hunter2"), "that the password was never shown");

  step("resize");
  await cotty.api.resizeSession({ params, body: { cols: 100, rows: 30 } });
  await act("stty size", { for: [{ text: "30 100" }] });
  await shown(() => printed.includes("30 100"), "that the program sees the new size");

  step("scrollback");
  await line("seq 1 200");
  const read = await cotty.api.readOutput({ params, query: { since: "start" } });
  check(
    read.text.includes("\n17\n") && read.text.includes("\n200\n"),
    "lines that have left the screen long ago",
  );

  step("reconnect: the web server is killed, the terminal goes on");
  web.removeAllListeners("exit");
  const gone = new Promise((resolve) => web.once("exit", resolve));
  web.kill("SIGKILL");
  await gone;
  await until("the viewer to notice", () => viewer.state.kind !== "live");
  await start(new URL(url).port);
  await until("the viewer to be back", () => viewer.state.kind === "live");
  await line("echo still the same shell: $PPID");
  await shown(
    () => /still the same shell: \d+/.test(printed),
    "the same shell, and the viewer is back by itself",
  );

  await act("exit", { for: [{ exit: true }] });
  viewer.dispose();
  step("done: everything happened as it should");
} catch (error) {
  say(`\n${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  web?.removeAllListeners("exit");
  await run("stop", "--all");
  web?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
}
// Sockets that were kept alive must not keep the person waiting.
process.exit();
