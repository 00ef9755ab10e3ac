// Every line of the references' human side, with our names, against one server and real terminals.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CommandLine } from "../fixtures/command-line.ts";
import { Server } from "../server.ts";

// Each call of the command is a process of its own, and takes seconds on a machine that is busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const server = new Server();
let cotty: CommandLine;
beforeAll(async () => {
  await server.start();
  cotty = new CommandLine(server);
});
afterAll(() => server.stop());

/** Says what a mouse and keys send, byte for byte. */
const echoer = "printf '\\033[?1000h\\033[?1006hready\\r\\n'; stty raw -echo; exec cat -v";

describe("[CL1] [CL3] a person's quick start", () => {
  it("new prints the id of the session, in which the program runs", async () => {
    const id = await cotty.get("new", "bash");
    expect(id).toMatch(/^[a-z2-7]{26}$/);
    expect(JSON.parse(await cotty.get("ls", "--json")).sessions).toMatchObject([
      { id, command: ["bash"], cols: 80, rows: 24, cwd: cotty.home },
    ]);
    await cotty.get("kill", id);
  });

  it("new takes size, directory, variables and a command with flags of its own", async () => {
    const said = await cotty.sh(
      `cotty new --size 120x40 --cwd / --env FOO=bar --json -- sh -c 'echo $FOO-$PWD; stty size; exec cat' -x`,
    );
    const { id, cols, rows } = JSON.parse(said.stdout);
    expect([cols, rows]).toEqual([120, 40]);
    await cotty.get("wait", id, "--text", "40 120", "--since", "start");
    expect(await cotty.get("screen", id)).toBe("bar-/\n40 120");
    await cotty.get("kill", id);
  });

  it("the address and the token may come from the environment, or as flags; the token is never in the list of processes", async () => {
    const env = { COTTY_URL: server.url, COTTY_TOKEN: await server.token("owner") };
    const listed = await cotty.sh("COTTY_STATE_DIR=/nonexistent/x cotty ls --json", env);
    expect(JSON.parse(listed.stdout)).toEqual({ sessions: [] });
    const { code, stdout } = await cotty.sh(
      'cotty events --url "$COTTY_URL" --token "$COTTY_TOKEN" > events & pid=$!; ' +
        // Of a process that is just being started the system tells nothing.
        "until said=$(tr '\\0' ' ' < /proc/$pid/cmdline); test -n \"$said\" && case $said in *--token*) false;; esac; do :; done; " +
        'echo "$said"; kill $pid',
      env,
    );
    expect(code).toBe(0);
    expect(stdout).not.toContain("cot_own_");
  });

  it("[B071] [B072] send: words that name keys are keys, the rest is text; -l makes all of it text", async () => {
    const wide = ["--size", "120x24"];
    const id = await cotty.get("new", "--name", "echoer", ...wide, "--", "sh", "-c", echoer);
    await cotty.get("wait", id, "--text", "ready", "--since", "start");
    await cotty.get("send", id, "echo hi", "Enter", "C-c", "Up", "M-x");
    await cotty.get("send", "-l", id, "Enter");
    for (const text of ["-x", "--help", "-----BEGIN KEY-----"])
      await cotty.get("send", "echoer", "--", text);
    // Without the two dashes it is no text, and nothing is typed.
    expect((await cotty.run("send", "echoer", "-----BEGIN KEY-----")).code).toBe(2);
    // The echo of what was typed ends no wait (WT2): the screen is looked at instead.
    await cotty.until(id, "KEY-----");
    expect(await cotty.get("screen", id)).toBe(
      "ready\necho hi^M^C^[[A^[xEnter-x--help-----BEGIN KEY-----",
    );
  });

  it("mouse: a click at a cell counted from 0, the wheel, a modifier; refused where nobody listens", async () => {
    await cotty.get("lease", "echoer", "take");
    await cotty.get("mouse", "echoer", "click", "10,3");
    await cotty.get("mouse", "echoer", "scroll", "0,0", "--ctrl");
    await cotty.until("echoer", "<81;1;1M");
    expect(await cotty.get("screen", "echoer")).toContain("^[[<0;11;4M^[[<0;11;4m^[[<81;1;1M");
    const refused = await cotty.run("mouse", "echoer", "move", "1,1");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("MOUSE_NOT_REPORTED");
    await cotty.get("lease", "echoer", "back");
    expect((await cotty.run("mouse", "echoer", "click", "10,3")).stderr).toContain("take it first");
    await cotty.get("kill", "echoer");
  });

  it("screen: plain text, the full state as JSON, with colours as ANSI, compact", async () => {
    const id = await cotty.get(
      "new",
      "--",
      "sh",
      "-c",
      "printf '\\033[31mred\\033[0m\\n'; exec cat",
    );
    await cotty.get("wait", id, "--text", "red", "--since", "start");
    expect(await cotty.get("screen", id)).toBe("red");
    const state = JSON.parse(await cotty.get("screen", id, "--json"));
    expect(state).toMatchObject({ cols: 80, rows: 24, cursor: { x: 0, y: 1 } });
    expect(await cotty.get("screen", id, "--raw")).toMatch(/\x1b\[(?:0;)?31mred/);
    expect(await cotty.get("screen", id, "--compact")).toContain("0|red");
    expect(await cotty.get("screen", id, "--compact", "--since", String(state.version))).toContain(
      "unchanged",
    );
  });

  it("resize: the program learns of it", async () => {
    const id = await cotty.get(
      "new",
      "--",
      "sh",
      "-c",
      "trap 'stty size' WINCH; echo up; while :; do sleep 0.05; done",
    );
    await cotty.get("wait", id, "--text", "up", "--since", "start");
    await cotty.get("resize", id, "120x40");
    expect(await cotty.get("wait", id, "--text", "40 120", "--since", "start")).toBe("matched");
    expect((await cotty.run("resize", id, "wide")).code).toBe(2);
  });

  it("kill ends the session and forgets it", async () => {
    const { sessions } = JSON.parse(await cotty.get("ls", "--json"));
    const ids = sessions.map(({ id }: { id: string }) => id);
    expect(ids.length).toBeGreaterThan(0);
    await cotty.get("kill", ...ids);
    const said = await cotty.run("ls");
    expect([said.code, said.stdout]).toEqual([0, ""]);
    expect(said.stderr).toContain("cotty new");
  });
});

describe("[CL4] the journal at a command line", () => {
  let id: string;
  beforeAll(async () => {
    id = await cotty.shell("shell");
  });

  it("output --wait exits with the command's own status, and prints what it printed", async () => {
    const said = await cotty.sh(
      `cotty send ${id} 'sleep 0.5; echo made; (exit 3)' Enter; cotty output ${id} --wait 5; echo $?`,
    );
    expect(said.stdout).toBe("made\n3\n");
  });

  it("output --wait of a command that has ended already gives its status at once", async () => {
    const said = await cotty.sh(
      `cotty send ${id} 'echo quick; false' Enter --wait >/dev/null 2>&1; echo $?; cotty output ${id} --wait 5; echo $?; cotty output ${id} 1 --wait 5; echo $?`,
    );
    expect(said.stdout).toBe("1\nquick\n1\nmade\n3\n");
  });

  it("output --wait gives 124 when the time is up, and the command goes on", async () => {
    const said = await cotty.sh(
      `cotty send ${id} 'echo begun; cat' Enter; cotty output ${id} --wait 0.5; echo $?; cotty send ${id} C-d; cotty output ${id} --wait 5; echo $?`,
    );
    expect(said.stdout).toBe("begun\n124\nbegun\n0\n");
    expect(said.stderr).toContain("timed_out");
  });

  it("output --next waits for a command that was not started yet", async () => {
    const said = await cotty.sh(
      `(sleep 1; cotty send ${id} '(exit 4)' Enter) & cotty output ${id} --next --wait 20; echo $?; wait`,
    );
    expect(said.stdout).toBe("4\n");
    expect((await cotty.run("output", id, "--next", "--wait", "0.2")).code).toBe(124);
  });

  it("journal lists the newest, from an index, as a table and as JSON", async () => {
    const table = await cotty.get("journal", id);
    expect(table.split("\n")[0]).toMatch(/^INDEX {2}STATUS {2}TIME/);
    expect(table).toContain("echo quick; false");
    const list = JSON.parse(
      await cotty.get("journal", id, "--from", "2", "--limit", "1", "--json"),
    );
    expect(list.commands).toMatchObject([{ index: 2, exit_code: 1 }]);
  });

  it("output of one command, as text and as JSON; an index that was never used is not found", async () => {
    expect(await cotty.get("output", id, "1")).toBe("made");
    expect(JSON.parse(await cotty.get("output", id, "1", "--json")).record.exit_code).toBe(3);
    expect((await cotty.run("output", id, "99")).code).toBe(3);
  });

  it("history --since: now gives a place and no text; from there on what was printed, once", async () => {
    const now = await cotty.run("history", id, "--since", "now");
    expect(now.stdout).toBe("");
    const place = /next (\d+:\d+)/.exec(now.stderr)?.[1] ?? "";
    await cotty.run("send", id, "echo since", "Enter", "--wait", "10");
    const then = await cotty.run("history", id, "--since", place);
    expect(then.stdout).toMatch(/^echo since\nsince\n/);
    const json = JSON.parse(await cotty.get("history", id, "--since", "start", "--json"));
    expect(json.text).toContain("made");
    expect(json.next).toMatch(/^\d+:\d+$/);
    expect((await cotty.run("history", id, "--since", "yesterday")).code).toBe(2);
  });

  it("[OP3] history and output --tail: the last lines; with --since it is a mistake in usage", async () => {
    expect((await cotty.run("send", id, "seq 300", "Enter", "--wait", "20")).code).toBe(0);
    expect((await cotty.get("output", id, "--tail", "2")).split("\n")).toEqual(["299", "300"]);
    const last = (await cotty.get("history", id, "--tail", "3")).split("\n");
    expect(last.slice(0, 2)).toEqual(["299", "300"]);
    for (const wrong of [
      ["--tail", "3", "--since", "0:0"],
      ["--tail", "0"],
    ])
      expect((await cotty.run("history", id, ...wrong)).code).toBe(2);
  });

  it("history and output --max-bytes: so much and no more, said to be cut; the rest from the next place on", async () => {
    // 9,000 bytes and a little, in lines that tell their number.
    await cotty.run(
      "send",
      id,
      "clear; seq -f 'line %04.0f of it' 600 1199",
      "Enter",
      "--wait",
      "20",
    );
    const all = (await cotty.get("history", id)).split("\n");
    const first = await cotty.run("history", id, "--max-bytes", "4096");
    expect(Buffer.byteLength(first.stdout)).toBeLessThanOrEqual(4_097);
    expect(Buffer.byteLength(first.stdout)).toBeGreaterThan(3_900);
    expect(first.stderr).toContain("there is more");
    let told = first.stdout;
    for (let last = first; last.stderr.includes("there is more"); ) {
      const place = /next (\d+:\d+)/.exec(last.stderr)?.[1] ?? "";
      last = await cotty.run("history", id, "--since", place, "--max-bytes", "4096");
      told += last.stdout;
    }
    const numbered = (text: string) => text.match(/^line \d{4} of it$/gm);
    expect(numbered(told)).toEqual(numbered(all.join("\n")));
    expect(numbered(told)).toHaveLength(600);
    const output = await cotty.run("output", id, "--max-bytes", "4096");
    expect(Buffer.byteLength(output.stdout)).toBeLessThanOrEqual(4_097);
    expect(output.stdout).toMatch(/^line 0600 of it\n/);
    expect(output.stderr).toContain("there is more; say --max-bytes");
    const whole = await cotty.run("output", id, "--max-bytes", "65536");
    expect(numbered(whole.stdout)).toHaveLength(600);
    expect(whole.stderr).toBe("");
    for (const verb of ["history", "output"])
      expect(await cotty.run(verb, id, "--max-bytes", "100")).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("4096 to 8388608"),
      });
  });

  it("[WT4] wait tells the outcome, and 124 when the time is up", async () => {
    expect(await cotty.run("wait", id, "--text", "never", "--timeout", "200ms")).toMatchObject({
      code: 124,
      stdout: "timed_out\n",
    });
    expect(await cotty.run("wait", id, "--quiet", "100ms")).toMatchObject({ stdout: "settled\n" });
    expect(await cotty.run("wait", id, "--phase", "idle")).toMatchObject({ stdout: "matched\n" });
    const many = await cotty.sh(
      `cotty new --tag t --name other -- sh -c 'sleep 0.5; exit 5' >/dev/null; cotty wait ${id} other --exit --timeout 10; cotty wait --tag t --exit; cotty wait other --text x; echo $?`,
    );
    expect(many.stdout).toMatch(/^[a-z2-7]{26} exited\n[a-z2-7]{26} exited\nexited\n1\n$/);
  });
});

describe("[CL4] run", () => {
  it("--wait prints the output as it comes, and exits with the command's status", async () => {
    const said = await cotty.run(
      "run",
      "--wait",
      "--",
      "sh",
      "-c",
      "echo one; sleep 0.4; echo two; exit 7",
    );
    expect(said).toMatchObject({ code: 7, stdout: "one\ntwo\n" });
  });

  it("without a terminal it does the same; more lines than are kept on the screen all come", async () => {
    const said = await cotty.sh("cotty run --rm --name many -- seq 3000 | cksum; seq 3000 | cksum");
    const [ours, theirs] = said.stdout.trim().split("\n");
    expect(ours).toBe(theirs);
    expect((await cotty.run("screen", "many")).code).toBe(3);
  });

  it("gives up with 124, and a command ended by a signal has the shell's number for it", async () => {
    const said = await cotty.run("run", "--wait", "0.3", "--name", "slow", "--", "sleep", "60");
    expect(said.code).toBe(124);
    expect(JSON.parse(await cotty.get("screen", "slow", "--json")).exited).toBe(false);
    const killed = await cotty.sh(
      "cotty run --name killed -- sh -c 'kill -KILL $$'; echo $?; cotty run --wait --json -- true",
    );
    const [status, json] = killed.stdout.trim().split("\n");
    expect(status).toBe("137");
    expect(JSON.parse(json ?? "")).toMatchObject({ exited: true, exit_code: 0, output: "" });
  });
});

describe("[LS6] [AC1] sharing", () => {
  it("lease shows and takes the keyboard; access shows and sets; explain says why", async () => {
    const id = await cotty.shell("shared");
    expect(await cotty.get("lease", id, "take")).toContain("takeover");
    expect(JSON.parse(await cotty.get("lease", id, "--json")).holder).toBe("human");
    await cotty.get("lease", id, "ask");
    expect(await cotty.get("lease", id, "back")).toBe("agents may type");
    expect(await cotty.get("access", id)).toBe("collaborate");
    expect(await cotty.get("access", id, "observe")).toBe("observe");
    expect(await cotty.get("explain", id)).toMatch(/^idle \(marker\)/);
    expect(await cotty.get("capsule")).toContain('"shared"');
    await cotty.get("signal", id, "sigint");
  });
});
