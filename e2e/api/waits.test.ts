// Issue 4, shown by 3 and 6: waits over real shells and programs, with the shells' markers and without, are neither too early, nor too late, nor
// met by their own echo.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import type { Act, ActReply, Verdict, WaitRequest } from "#lib/protocol/wait.ts";
import { createToken, revokeCredential } from "#server/state/credential-store.ts";
import { fishHome } from "#server/testing/fish-home.ts";
import { patience } from "#server/testing/patience.ts";
import { startTestHost, type TestHost, testAgent, testOwner } from "#server/testing/test-host.ts";
import { startTestWeb, type TestWeb } from "#server/testing/test-web.ts";

let host: TestHost;
let home: string;
let web: TestWeb;
let longWait: Promise<Verdict>;

/** In ms, on a machine that others use too; in any case before silence alone would have ended the wait. */
const soon = () => Math.min(patience(5_000), limits.waitSettleMs - 1_000);

beforeAll(async () => {
  home = fishHome(mkdtempSync(join(tmpdir(), "cotty-waits-")));
  writeFileSync(join(home, ".zshrc"), "PS1='zsh-prompt%# '\n");
  writeFileSync(join(home, ".bashrc"), "PS1='bash-prompt\\$ '\n");
  host = await startTestHost({ maxSessions: 64 });
  web = await startTestWeb({ host: host.host });
  // Longer than any limit of silence on the way; it waits while the other tests run.
  const id = await open(["sh", "-c", "exec sleep 300"]);
  const { token } = createToken(web.store, { name: "patient", role: "agent" });
  const body = { for: [{ exit: true }], timeout_ms: limits.stalledReplyMs + 3_000 };
  longWait = web
    .call("POST", `/sessions/${id}/wait`, { token, body })
    .then(async (reply) => (await reply.json()) as Verdict);
  // Whoever runs a few of these tests does not wait for it.
  longWait.catch(() => {});
});
afterAll(async () => {
  await web?.dispose();
  await host?.dispose();
  rmSync(home, { recursive: true, force: true });
});
async function open(command: string[], more: CreateSession = {}): Promise<string> {
  const { id } = await host.request("createSession", {
    body: { command, cwd: home, env: { HOME: home, ENV: "" }, cols: 80, rows: 24, ...more },
    actor: testAgent,
  });
  return id;
}

function act(id: string, body: Act): Promise<ActReply> {
  return host.request("act", { params: { id }, body, actor: testAgent });
}

function wait(id: string, body: WaitRequest = {}): Promise<Verdict> {
  return host.request("waitSession", { params: { id }, body, actor: testAgent });
}

/** A shell that has shown its prompt. */
async function shell(command: string[], more: CreateSession = {}): Promise<string> {
  const id = await open(command, more);
  await wait(id, { for: [{ prompt: true }], timeout_ms: 10_000 });
  return id;
}

const line = (text: string): Act["input"] => [{ text: `${text}\n` }];

const shells: Record<string, { command: string[]; more?: CreateSession }> = {
  bash: { command: ["bash"] },
  zsh: { command: ["zsh"] },
  fish: { command: ["fish"] },
  dash: { command: ["dash"] },
  "bash without markers": { command: ["bash"], more: { integration: "off" } },
  "zsh without markers": { command: ["zsh"], more: { integration: "off" } },
  "fish without markers": { command: ["fish"], more: { integration: "off" } },
};

interface Shell {
  readonly id: string;
  readonly name: string;
  readonly isMarked: boolean;
}

/** By name, at their prompts, for the next test: what stands on their screens already must not deceive a wait. */
const atPrompt = new Map<string, string>();

/** In all shells at once; each is told by its name when it fails. `isSpent`: behind it the shell is not at its prompt, or is a person's. */
async function inEvery(
  check: (shell: Shell) => Promise<void>,
  { isSpent = false } = {},
): Promise<void> {
  const failures: string[] = [];
  await Promise.all(
    Object.entries(shells).map(async ([name, { command, more }]) => {
      const id = atPrompt.get(name) ?? (await shell(command, more));
      atPrompt.set(name, id);
      const isMarked = !name.includes("without") && name !== "dash";
      let isOver = isSpent;
      await check({ id, name, isMarked }).catch((error: unknown) => {
        failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
        isOver = true;
      });
      if (!isOver) return;
      atPrompt.delete(name);
      await host.request("closeSession", { params: { id } });
    }),
  );
  expect(failures).toEqual([]);
}

describe("in bash, zsh, fish and dash, with markers and without", () => {
  it("[WT2] [B089] waiting for what the own command line holds takes until it is printed", async () => {
    await inEvery(async ({ id }) => {
      const { wait: verdict } = await act(id, {
        input: line("echo READY; sleep 3; echo READY2"),
        wait: { for: [{ text: "READY2" }], timeout_ms: 15_000 },
      });
      expect(verdict).toMatchObject({ outcome: "matched", confidence: "exact", condition: 0 });
      expect(verdict.evidence.line).toBe("READY2");
      expect(verdict.elapsed_ms).toBeGreaterThanOrEqual(2_950);
      expect(verdict.elapsed_ms).toBeLessThan(10_000);
    });
  });

  it("[WT1] [WT2] [B089] the same with a pattern, and while a person types key by key", async () => {
    await inEvery(
      async ({ id }) => {
        // On a busy machine the typing may be there before the wait is.
        const { next: since } = await host.request("readOutput", {
          params: { id },
          query: { since: "now" },
          actor: testOwner,
        });
        // The host's own clients take silence for so long.
        const body = { for: [{ regex: "^READY\\d$" }], since, timeout_ms: 29_000 };
        const waiting = host.request("waitSession", { params: { id }, body, actor: testOwner });
        // Told below, after the typing.
        waiting.catch(() => {});
        for (const text of [..."echo READY2;", " sleep 1; echo READY", "3\n"]) {
          await host.request("writeInput", { params: { id }, body: { input: [{ text }] } });
        }
        expect(await waiting).toMatchObject({ outcome: "matched", evidence: { line: "READY2" } });
      },
      { isSpent: true },
    );
  });

  it("[WT8] with default settings a command is waited for until it is done", async () => {
    await inEvery(async ({ id, isMarked }) => {
      const { wait: verdict, delta } = await act(id, { input: line("sleep 5; echo do''ne") });
      expect(verdict.elapsed_ms).toBeGreaterThanOrEqual(4_950);
      expect(verdict.elapsed_ms).toBeLessThan(15_000);
      expect(verdict.outcome).toBe("command_done");
      expect(verdict.confidence).toBe(isMarked ? "marker" : "inferred");
      expect(verdict.exit_code).toBe(isMarked ? 0 : undefined);
      expect(verdict.evidence.because).toContain(
        isMarked ? "exit code 0" : "announces no commands",
      );
      expect(delta?.text).toMatch(/^done$/m);
    });
  });

  it("[WT4] [WT8] a command that prints nothing and ends at once is done at once", async () => {
    await inEvery(async ({ id, isMarked }) => {
      for (const [text, code] of [
        ["true", 0],
        ["false", 1],
      ] as const) {
        const { wait: verdict } = await act(id, { input: line(text) });
        expect(verdict).toMatchObject({
          outcome: "command_done",
          no_output: true,
          first_output_ms: null,
        });
        expect(verdict.elapsed_ms).toBeLessThan(soon());
        expect(verdict.exit_code).toBe(isMarked ? code : undefined);
      }
    });
  });

  it("[WT4] the first output is told with its time, also behind many blank lines and without a line end", async () => {
    await inEvery(async ({ id, isMarked }) => {
      const said = async (text: string) => (await act(id, { input: line(text) })).wait;
      const blank = await said("seq 300 | tr -d 0-9; echo late");
      expect(blank.no_output).toBe(false);
      expect(blank.first_output_ms).not.toBeNull();
      if (!isMarked) return;
      expect((await said("printf word")).first_output_ms).not.toBeNull();
      const slow = await said("sleep 0.3; echo x; sleep 0.3");
      expect(slow.first_output_ms).toBeGreaterThanOrEqual(250);
      expect(slow.first_output_ms).toBeLessThanOrEqual(slow.elapsed_ms);
    });
  });

  it("[WT8] a program that reads waits for its user, and says so exactly", async () => {
    await inEvery(
      async ({ id, name }) => {
        const { wait: verdict } = await act(id, { input: line("read x") });
        // fish edits the line of `read` as it edits its own, and only its markers tell one from the other.
        if (name === "fish without markers") return;
        const confidence = name === "fish" ? "inferred" : "exact";
        expect(verdict).toMatchObject({
          outcome: "settled",
          confidence,
          evidence: { phase: "waiting_input" },
        });
        expect(verdict.elapsed_ms).toBeLessThan(soon());
      },
      { isSpent: true },
    );
  });

  it("[WT3] a partial last line can match", async () => {
    await inEvery(
      async ({ id }) => {
        const { wait: verdict } = await act(id, {
          input: line("printf 'Continue? [%s] ' y/N; sleep 9"),
          wait: { for: [{ text: "Continue? [y/N]" }], timeout_ms: 20_000 },
        });
        expect(verdict.outcome).toBe("matched");
        expect(verdict.elapsed_ms).toBeLessThan(8_000);
      },
      { isSpent: true },
    );
  });

  it("[OP7] a line typed ahead and several lines at once are all waited for", async () => {
    await inEvery(async ({ id, isMarked }) => {
      const { wait: verdict } = await act(id, {
        input: line("sleep 1\necho READY; sleep 1\nsh -c 'exit 3'"),
        read: "command",
      });
      expect(verdict.outcome).toBe("command_done");
      expect(verdict.elapsed_ms).toBeGreaterThanOrEqual(1_950);
      if (isMarked) expect(verdict.exit_code).toBe(3);
    });
  });
});

describe("one wait", () => {
  it("[WT6] [B096] on a session that has exited answers at once", async () => {
    const id = await open(["sh", "-c", "exit 7"]);
    const first = await wait(id, { for: [{ exit: true }] });
    expect(first).toMatchObject({
      outcome: "exited",
      condition: 0,
      exit_code: 7,
      confidence: "exact",
    });
    for (const request of [
      {},
      { for: [{ text: "never" }] },
      { for: [{ command_done: true as const }] },
    ]) {
      const verdict = await wait(id, { ...request, timeout_ms: 60_000 });
      expect(verdict).toMatchObject({ outcome: "exited", exit_code: 7 });
      expect(verdict.elapsed_ms).toBeLessThan(1_000);
    }
  });

  it("[WT4] a timeout is an outcome with evidence, and says what was printed", async () => {
    const id = await open(["sh", "-c", "echo begun; sleep 60"]);
    await wait(id, { for: [{ text: "begun" }], since: "start" });
    const verdict = await wait(id, { for: [{ text: "never" }], timeout_ms: 200, since: "start" });
    expect(verdict).toMatchObject({ outcome: "timed_out", confidence: "exact" });
    expect(verdict.evidence.because).toContain("within 200 ms");
    expect(verdict.output?.text).toContain("begun");
  });

  it("[WT1] [WT2] [B090] only what comes after its cursor counts, and `next` goes on behind the match", async () => {
    const id = await open(["sh", "-c", "echo one; echo two; sleep 0.5; echo one; sleep 60"]);
    const first = await wait(id, { for: [{ text: "one" }], since: "start" });
    const second = await wait(id, { for: [{ text: "one" }], since: first.next });
    expect([first.outcome, second.outcome]).toEqual(["matched", "matched"]);
    expect(second.elapsed_ms).toBeGreaterThan(100);
    const third = await wait(id, { for: [{ text: "one" }], timeout_ms: 300 });
    expect(third.outcome).toBe("timed_out");
  });

  it("[WT1] a progress line that is written over, and a cleared screen, are new output", async () => {
    const script =
      'printf "loading 10%%     "; sleep 0.7; printf "\\rREADY 1"; sleep 0.7; printf "\\033[2J\\033[HREADY 2\\n"; sleep 60';
    const id = await open(["sh", "-c", script]);
    await wait(id, { for: [{ text: "loading" }], since: "start" });
    const over = await wait(id, { for: [{ text: "READY 1" }] });
    const cleared = await wait(id, { for: [{ regex: "^READY 2$" }] });
    expect([over.outcome, cleared.outcome]).toEqual(["matched", "matched"]);
  });

  it("[WT1] a full-screen program's text can be waited for", async () => {
    const id = await shell(["bash"]);
    const { wait: verdict } = await act(id, {
      input: line("seq -f 'line %g' 200 | less"),
      wait: { for: [{ text: "line 20" }] },
      read: "screen",
    });
    expect(verdict.outcome).toBe("matched");
    const down = await act(id, { input: [{ key: "G" }], wait: { for: [{ text: "line 200" }] } });
    expect(down.wait.outcome).toBe("matched");
    expect((await act(id, { input: [{ key: "q" }] })).wait.outcome).toBe("command_done");
  });

  it("[WT1] silence, a still screen and a spinner", async () => {
    const spinner = "while :; do for c in a b c d; do printf '\\r%s' $c; sleep 0.05; done; done";
    const id = await open(["sh", "-c", spinner]);
    await wait(id, { for: [{ regex: "[abcd]" }], since: "start" });
    const still = await wait(id, { for: [{ screen_stable_ms: 900 }], timeout_ms: 1_100 });
    expect(still.outcome).toBe("timed_out");
    const quiet = await open(["sh", "-c", "echo x; sleep 60"]);
    expect(await wait(quiet, { for: [{ quiet_ms: 200 }] })).toMatchObject({
      outcome: "settled",
      confidence: "inferred",
      condition: 0,
    });
    expect((await wait(quiet, { for: [{ screen_stable_ms: 200 }] })).outcome).toBe("settled");
  });

  it("[WT1] a pattern that cannot be judged is refused, and others go on", async () => {
    const id = await open([
      "sh",
      "-c",
      "printf '%s' aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; sleep 60",
    ]);
    const refused = await host.raw("POST", `/api/v1/sessions/${id}/wait`, {
      actor: testAgent,
      body: { for: [{ regex: "(" }] },
    });
    expect([refused.status, (refused.json() as { code: string }).code]).toEqual([
      400,
      "BAD_PATTERN",
    ]);
    const [endless, other] = await Promise.all([
      host.raw("POST", `/api/v1/sessions/${id}/wait`, {
        actor: testAgent,
        body: { for: [{ regex: "^(a+)+$x" }], since: "start" },
      }),
      wait(id, { for: [{ regex: "a{50}" }], since: "start" }),
    ]);
    expect((endless.json() as { code: string }).code).toBe("BAD_PATTERN");
    expect(other.outcome).toBe("matched");
  });

  it("[WT1] [WT5] a pattern finds its line in output that is faster than patterns are tried, before the command's end is told", async () => {
    const id = await shell(["bash"]);
    const { wait: verdict } = await act(id, {
      input: line("seq 1 150000 | sed 's/^40321$/x.c:40321: error/'"),
      wait: { for: [{ regex: "^x\\.c:\\d+: error$" }, { command_done: true }], timeout_ms: 60_000 },
      read: "none",
    });
    expect(verdict).toMatchObject({ outcome: "matched", condition: 0 });
    expect(verdict.evidence.line).toBe("x.c:40321: error");
  }, 70_000);

  it("[WT8] a command is done when its shell reads again, also behind a prompt that takes its time: what is pasted then is a paste", async () => {
    const rc = join(home, "slow.bashrc");
    writeFileSync(rc, "PS1='slow\\$ '\nPROMPT_COMMAND='sleep 0.7'\n");
    const id = await shell(["bash", "--rcfile", rc]);
    const { wait: verdict } = await act(id, { input: line("true") });
    expect(verdict).toMatchObject({ outcome: "command_done", evidence: { phase: "idle" } });
    const { delta } = await act(id, {
      input: [{ text: "printf %s 'a\tb' | od -An -c", paste: true }, { key: "Enter" }],
    });
    expect(delta?.text).toMatch(/^\s+a\s+\\t\s+b$/m);
  });

  it("[WT8] a line that only looks like a question is none", async () => {
    const id = await open([
      "sh",
      "-c",
      "printf 'Compiling: '; sleep 2; printf 'Loading… '; sleep 60",
    ]);
    const verdict = await wait(id, { timeout_ms: 3_000 });
    expect(verdict.outcome).toBe("timed_out");
  });

  it("[CR2] a password prompt ends it, or it goes on when a person has answered", async () => {
    const id = await shell(["bash"]);
    const script =
      "stty -echo; printf 'Password: '; read p; stty echo; echo; sleep 0.5; echo granted";
    const { wait: verdict } = await act(id, { input: line(script) });
    expect(verdict.outcome).toBe("human_required");
    const through = wait(id, { for: [{ text: "granted" }], through_credential: true });
    await host.request("writeInput", { params: { id }, body: { input: [{ text: "hunter2\n" }] } });
    expect((await through).outcome).toBe("matched");
  });

  it("[LS4] a person who types ends an agent's wait, and `keyboard` waits for the agent's turn", async () => {
    const id = await shell(["bash"]);
    const waiting = await pendingWait(id);
    await host.request("writeInput", { params: { id }, body: { input: [{ text: "#" }] } });
    expect((await waiting.verdict).outcome).toBe("human_took_over");
    await host.request("writeInput", { params: { id }, body: { input: [{ key: "C-c" }] } });
    const turn = wait(id, { for: [{ keyboard: true }] });
    await host.request("changeLease", { params: { id }, body: { action: "hand_back" } });
    expect(await turn).toMatchObject({ outcome: "matched", condition: 0 });
  });

  it("[AC2] sealing ends it at once and tells nothing", async () => {
    const id = await shell(["bash"]);
    const waiting = await pendingWait(id);
    await host.request("setAccess", { params: { id }, body: { level: "sealed" } });
    const verdict = await waiting.verdict;
    expect(verdict.outcome).toBe("sealed");
    expect(verdict.output).toBeUndefined();
    expect(verdict.evidence.line).toBeUndefined();
  });
});

describe("a thousand commands", () => {
  it("[OP7] [JR2] through act in one bash have each the right exit code and output", {
    timeout: 240_000,
  }, async () => {
    const id = await shell(["bash"]);
    const wrong: unknown[] = [];
    for (let n = 0; n < 1_000; n += 1) {
      const { wait: verdict, command } = await act(id, {
        input: line(`echo out-$((${n}*3)); (exit ${n % 7})`),
        read: "command",
      });
      const got = [verdict.outcome, verdict.exit_code, command?.output.text];
      if (JSON.stringify(got) !== JSON.stringify(["command_done", n % 7, `out-${n * 3}\n`]))
        wrong.push([n, ...got]);
    }
    expect(wrong).toEqual([]);
  });
});

describe("many waits", () => {
  it("[OP7] [IN6] an act whose connection was lost is answered when it is sent again, and typed once", async () => {
    const id = await shell(["bash"]);
    const token = createToken(web.store, { name: "unlucky", role: "agent" }).token;
    const send = (signal?: AbortSignal) =>
      fetch(`${web.origin}/api/v1/sessions/${id}/act`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": "once",
        },
        body: JSON.stringify({ input: [{ text: "sleep 1; echo a$((1+1))\n" }] }),
        ...(signal ? { signal } : {}),
      });
    const viewer = host.attach(id);
    await viewer.until("the screen", () => viewer.messages.some(({ type }) => type === "snapshot"));
    const lost = new AbortController();
    const first = send(lost.signal).catch(() => "lost");
    await viewer.untilText("sleep 1");
    lost.abort();
    expect(await first).toBe("lost");
    let reply = await send();
    while (reply.status === 409) {
      expect(((await reply.json()) as { code: string }).code).toBe("IDEMPOTENCY_BUSY");
      await new Promise((resolve) => setTimeout(resolve, 100));
      reply = await send();
    }
    const { wait: verdict, delta } = (await reply.json()) as ActReply;
    expect(verdict).toMatchObject({ outcome: "command_done", exit_code: 0 });
    expect(delta?.text.match(/a2/g)).toHaveLength(1);
    expect(reply.headers.get("idempotent-replayed")).toBe("true");
  });

  it("[WT6] [SE4] one whose credential is revoked ends with it", async () => {
    const id = await open(["sh", "-c", "exec sleep 300"]);
    const { token, record } = createToken(web.store, { name: "to be revoked", role: "agent" });
    const viewer = host.attach(id, { query: "?readonly=1" });
    await viewer.until("the screen", () => viewer.messages.some(({ type }) => type === "snapshot"));
    const cut = web.call("POST", `/sessions/${id}/wait`, { token, body: { timeout_ms: 60_000 } });
    const ended = cut.then((reply) => reply.text()).catch(() => "cut");
    await viewer.until("an agent that waits", () =>
      viewer.messages.some((message) => message.type === "agent" && message.did === "waits"),
    );
    const revokedMs = performance.now();
    revokeCredential(web.store, record.id);
    await ended;
    expect(performance.now() - revokedMs).toBeLessThan(2_000);
  });

  it("[WT7] [OP4] over many sessions the first wins, and nothing is told twice", async () => {
    const [slow, fast] = await Promise.all([
      open(["sh", "-c", "sleep 1.5; echo go; sleep 60"], { tags: ["many"] }),
      open(["sh", "-c", "sleep 0.5; echo go; sleep 60"], { tags: ["many"] }),
    ]);
    const body = { tag: "many", for: [{ text: "go" }], timeout_ms: 5_000 };
    const ask = (generation?: string) =>
      host.request("waitMany", {
        body: { ...body, ...(generation === undefined ? {} : { generation }) },
        actor: testAgent,
      });
    const first = await ask();
    const second = await ask(first.generation);
    expect([first.session, second.session]).toEqual([fast, slow]);
    const none = await host.request("waitMany", {
      body: { ...body, timeout_ms: 200, generation: second.generation },
      actor: testAgent,
    });
    expect(none).toMatchObject({ session: null, verdict: null });
    const ended = await open(["sh", "-c", "exit 0"], { tags: ["many"] });
    await wait(ended, { for: [{ exit: true }] });
    const third = await ask(none.generation);
    expect([third.session, third.verdict?.outcome]).toEqual([ended, "exited"]);
    const again = await host.request("waitMany", {
      body: { ...body, timeout_ms: 200, generation: third.generation },
      actor: testAgent,
    });
    expect(again.session).toBeNull();
  });

  it("[WT7] what happened between two calls is not missed", async () => {
    const id = await shell(["bash"], { tags: ["between"] });
    const body = { sessions: [id], for: [{ command_done: true as const }], timeout_ms: 200 };
    const { generation } = await host.request("waitMany", { body, actor: testAgent });
    await act(id, { input: line("(exit 4)") });
    const next = await host.request("waitMany", {
      body: { ...body, generation },
      actor: testAgent,
    });
    expect(next.verdict).toMatchObject({ outcome: "command_done", exit_code: 4 });
    const last = await host.request("waitMany", {
      body: { ...body, generation: next.generation },
      actor: testAgent,
    });
    expect(last.session).toBeNull();
  });
});

describe("a wait of more than a minute", () => {
  it("[WT1] is answered through web", { timeout: 120_000 }, async () => {
    const verdict = await longWait;
    expect(verdict.outcome).toBe("timed_out");
    expect(verdict.elapsed_ms).toBeGreaterThanOrEqual(limits.stalledReplyMs);
  });
});

/** One that has begun: people who watch are told of it. */
async function pendingWait(id: string): Promise<{ verdict: Promise<Verdict> }> {
  const viewer = host.attach(id, { query: "?readonly=1" });
  await viewer.until("the screen", () => viewer.messages.some(({ type }) => type === "snapshot"));
  const verdict = wait(id, { for: [{ text: "never" }] });
  await viewer.until("an agent that waits", () =>
    viewer.messages.some((message) => message.type === "agent" && message.did === "waits"),
  );
  return { verdict };
}
