// [CR3] What an agent's viewer gets of a password that a program prints again: stars, live and late, from whatever place, in bytes, snapshots and
// frames. People's viewers get what was printed, and both count the same bytes.
import { afterEach, describe, expect, it } from "vitest";
import { concatBytes, utf8 } from "#lib/base/bytes.ts";
import type { Actor } from "#lib/protocol/actor.ts";
import type { TerminalLook } from "#server/host/activity/tty-read.ts";
import { MemorySink } from "#server/testing/memory-sink.ts";
import { agent, person, sessionRig } from "#server/testing/session-rig.ts";

const secret = "hunter22-Zq";
const stars = "*".repeat(secret.length);
const opened: { dispose(): void }[] = [];

afterEach(() => {
  for (const each of opened.splice(0).reverse()) each.dispose();
});

function lookOf(kind: "reading" | "not_reading"): TerminalLook {
  const reading = {
    kind: "reading",
    how: "blocked",
    call: "read",
    pid: 7,
    program: "sudo",
    readBytes: null,
    wait: "7",
  } as const;
  return {
    foreground: {
      pgid: 7,
      name: "sudo",
      isSessionLeader: false,
      isShell: false,
      runsScript: false,
      members: [7],
    },
    read: kind === "reading" ? reading : { kind, because: "it runs" },
  };
}

/** A program of 20 columns that asks for a password when told to. */
async function rig() {
  let look = lookOf("not_reading");
  let echo = true;
  const made = sessionRig({
    parts: {
      lookAtTerminal: () => look,
      readTty: async () => ({ kind: "known", canonical: true, echo }),
    },
  });
  opened.push(made.registry);
  const { id, port, pty, view } = await made.create({ cols: 20, rows: 6 });
  const ada = port(person).attach(new MemorySink(), { readonly: false });
  const attach = (options: { since?: number } = {}, actor = agent) => {
    const sink = new MemorySink();
    port(actor).attach(sink, { readonly: true, ...options });
    return sink;
  };
  const type = (keys: string) => ada.typed(utf8(keys));
  const ask = async () => {
    look = lookOf("reading");
    echo = false;
    pty.print("Password: ");
    await made.settle(2_000);
    expect(port().info().credential?.source).toBe("echo_off");
  };
  const answered = async () => {
    look = lookOf("not_reading");
    echo = true;
    pty.print("\r\n");
    await made.settle(10_000);
    expect(port().info().credential).toBeNull();
  };
  const password = async (value = secret) => {
    await ask();
    type(`${value}\r`);
    await answered();
  };
  const print = async (...parts: string[]) => {
    for (const part of parts) {
      pty.print(part);
      await made.settle(20);
    }
    await made.settle(300);
  };
  return { ...made, id, port, view, attach, type, ask, answered, password, print };
}

/** Everything a viewer got, as bytes in text. */
function bytesOf(sink: MemorySink): string {
  const parts = sink.frames.flatMap((frame) => (frame.kind === "bytes" ? [frame.bytes] : []));
  return Buffer.from(concatBytes([...parts, new Uint8Array(0)])).toString("latin1");
}

describe("an agent's viewer of a session in which a password was typed", () => {
  it.each([
    ["plain", [`got ${secret}.`], `got ${stars}.`],
    ["over the edge", [`a line of 15 ch ${secret}.`], `a line of 15 ch ${stars}.`],
    ["in two rows", ["hunter2\r\n2-Zq."], "*******\r\n****."],
    ["in colours", ["\x1b[31mhunter\x1b[32m22-Zq\x1b[m."], "\x1b[31m******\x1b[32m*****\x1b[m."],
    ["in two writes", ["got hun", "ter22-Zq."], `got ${stars}.`],
    ["in a title", [`\x1b]2;${secret}\x07.`], `\x1b]2;${stars}\x07.`],
  ])("[CR3] live, %s", async (_name, printed, expected) => {
    const { attach, password, print, view, port } = await rig();
    const bot = attach();
    const reader = attach({}, { ...person, id: "bob" });
    const { viewer: late } = view(agent);
    await password();
    await print(...printed);
    const seen = bytesOf(reader);
    expect(bytesOf(bot).slice(-expected.length)).toBe(expected);
    expect(bytesOf(bot)).not.toContain(secret);
    expect(seen.slice(-expected.length)).toBe(printed.join(""));
    expect(bytesOf(bot).length).toBe(seen.length);
    await late.drawnTo(bytesOf(attach({ since: 0 }, person)).length);
    expect(late.rows().join("")).not.toContain(secret);
    expect(port(agent).info().title).not.toContain(secret);
  });

  it("[CR3] [AT2] late: the snapshot has stars in its cells, and so has whatever a viewer goes on from", async () => {
    const { attach, password, print, view, settle } = await rig();
    await password();
    const lines = Array.from({ length: 12 }, (_, n) => `line ${n}`).join("\r\n");
    await print(
      `a line of 15 ch ${secret}.\r\n${lines}\r\n\x1b[7m${secret}\x1b[m\r\n\x1b]2;hunter`,
    );
    const whole = bytesOf(attach({ since: 0 }, person));
    const covered = whole.replaceAll(secret, stars).replace(/hunter$/, "******");
    const { viewer } = view(agent);
    const own = view(person).viewer;
    await settle(300);
    await viewer.drawnTo(whole.length);
    await own.drawnTo(whole.length);
    const rows = viewer.rows().join("");
    expect(rows).toContain(`a line of 15 ch ${stars}.`);
    expect(rows).not.toContain("hunter");
    expect(viewer.rows()).toEqual(
      own
        .rows()
        .map((row) => row.replace(/hunter22-Zq|hunt|er22-Zq/, (part) => "*".repeat(part.length))),
    );
    for (let since = 0; since <= whole.length; since += 1) {
      const sink = attach({ since });
      await settle(200);
      expect(sink.messages("resume")).toEqual([{ type: "resume", at: since }]);
      expect(bytesOf(sink)).toBe(covered.slice(since));
      sink.close(1000, "");
    }
  }, 60_000);

  it("[CR3] [AT6] frames for a terminal of another size", async () => {
    const { port, password, print } = await rig();
    const render = { cols: 30, rows: 8 };
    const watch = (actor: Actor) => {
      const sink = new MemorySink();
      const attachment = port(actor).attach(sink, { readonly: true, render });
      sink.onFrame((frame) => {
        if (frame.kind === "message" && frame.message.type === "frame")
          attachment.acknowledge(frame.message.at);
      });
      return sink;
    };
    const [bot, ada] = [watch(agent), watch(person)];
    await password();
    await print(`got \x1b[32m${secret}\x1b[m.`);
    expect(bytesOf(ada)).toContain(secret);
    expect(bytesOf(bot)).toContain(`\x1b[32m${stars}`);
    expect(bytesOf(bot)).not.toContain(secret);
  });

  it("[CR3] typed ahead with its Enter it is covered from the prompt on, in every text and for later viewers", async () => {
    const { attach, type, ask, answered, port, settle, print } = await rig();
    for (const key of secret) type(key);
    type("\r");
    // The terminal's own echo.
    await print(`${secret}\r\n`);
    await ask();
    const texts = async () =>
      JSON.stringify([await port(agent).screen(), await port(agent).readOutput({})]);
    expect(await texts()).not.toContain(secret);
    expect(await texts()).toContain("••••••");
    await answered();
    await settle(3_600_000);
    expect(await texts()).not.toContain(secret);
    for (const options of [{}, { since: 0 }]) {
      const late = attach(options);
      await settle(300);
      expect(bytesOf(late)).toContain(stars);
      expect(bytesOf(late)).not.toContain(secret);
    }
  });

  it('[CR3] "not a password" uncovers what was typed at that prompt, and nothing of another', async () => {
    const { attach, type, ask, answered, password, port, print } = await rig();
    const bot = attach();
    await password();
    await ask();
    type("plain-words\r");
    port().keyboard("not_a_password");
    await answered();
    await print(`${secret} plain-words.`);
    expect(bytesOf(bot).endsWith(`${stars} plain-words.`)).toBe(true);
    expect((await port(agent).screen()).lines.join("")).toContain("•••••• plain-words");
    // Where none stands it says nothing.
    port().keyboard("not_a_password");
    await print(`\r\n${secret}.`);
    expect(bytesOf(bot).endsWith(`\r\n${stars}.`)).toBe(true);
  });
});
