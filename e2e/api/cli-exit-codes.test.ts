// The exit codes of CL1, each by the way a person or a script meets it, and help that can be read anywhere.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CommandLine } from "../fixtures/command-line.ts";
import { Server } from "../server.ts";

// Each call of the command is a process of its own, and takes seconds on a machine that is busy.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const server = new Server();
let cotty: CommandLine;
let id: string;
let agent: Record<string, string>;
beforeAll(async () => {
  await server.start();
  cotty = new CommandLine(server);
  id = await cotty.get("new", "--name", "work", "--", "cat");
  agent = { COTTY_URL: server.url, COTTY_TOKEN: await server.token("agent") };
});
afterAll(() => server.stop());

describe("[CL1] exit codes", () => {
  it("0 ok, 1 failure, 2 usage", async () => {
    expect((await cotty.run("ls")).code).toBe(0);
    expect((await cotty.run("mouse", id, "click", "1,1")).code).toBe(1);
    for (const wrong of [
      ["resize", id, "big"],
      ["resize", id, "9999x1"],
      ["send", id],
      ["send", id, "C-Enter"],
      ["screen", id, "--nope"],
      ["wait", id, "--regex", "("],
      ["signal", id, "WINCH"],
      ["new", "--", "/nonexistent"],
    ]) {
      const { code, stdout, stderr } = await cotty.run(...wrong);
      expect([wrong, code, stdout]).toEqual([wrong, 2, ""]);
      expect(stderr).not.toBe("");
    }
  });

  it("3 not found, with what was probably meant", async () => {
    const { code, stderr } = await cotty.run("screen", "wrok");
    expect(code).toBe(3);
    expect(stderr).toContain("Did you mean work?");
    expect((await cotty.run("screen", "a".repeat(26))).code).toBe(3);
    expect((await cotty.run("output", id)).code).toBe(3);
    expect((await cotty.run("token", "revoke", "nobody")).code).toBe(3);
  });

  it("a session is found by its id, the beginning of it, its name and the beginning of that; two of a kind are told", async () => {
    await cotty.get("send", id, "found", "Enter");
    await cotty.until(id, "found\nfound");
    for (const name of [id.slice(0, 6), "work", "wo", "WO"])
      expect(await cotty.get("screen", name)).toContain("found");
    const twin = await cotty.get("new", "--name", "work", "--", "cat");
    const { code, stderr } = await cotty.run("screen", "work");
    expect(code).toBe(2);
    expect(stderr).toContain(id);
    expect(stderr).toContain(twin);
    await cotty.get("kill", twin);
  });

  it("4 auth: no token, a wrong one, one that may not; the server's hint is told", async () => {
    const none = await cotty.run("ls", "--url", server.url);
    expect(none.code).toBe(4);
    expect(none.stderr).toContain("COTTY_TOKEN");
    expect((await cotty.run("ls", "--url", server.url, "--token", "cot_agt_x")).code).toBe(4);
    const viewer = { ...agent, COTTY_TOKEN: await server.token("viewer") };
    const refused = await cotty.sh(`cotty send ${id} x`, viewer);
    expect(refused.code).toBe(4);
    expect(refused.stderr).toContain("FORBIDDEN");
    expect((await cotty.sh(`cotty access ${id} sealed`, agent)).code).toBe(4);
  });

  it("5 lease and access: an agent while a person types, looks only, or is kept out", async () => {
    await cotty.get("lease", id, "take");
    const denied = await cotty.sh(`cotty send ${id} x`, agent);
    expect(denied.code).toBe(5);
    expect(denied.stderr).toContain("cotty wait ID --keyboard");
    await cotty.get("lease", id, "back");
    const taken = await cotty.sh(
      // Again and again: nothing tells from outside when the wait has begun.
      `cotty wait ${id} --text x --timeout 60 & pid=$!; unset COTTY_TOKEN; ` +
        `while kill -0 $pid 2>/dev/null; do cotty lease ${id} take >/dev/null; cotty lease ${id} back >/dev/null; done; wait $pid`,
      agent,
    );
    expect(taken).toMatchObject({ code: 5, stdout: "human_took_over\n" });
    await cotty.get("lease", id, "back");
    await cotty.get("access", id, "observe");
    expect((await cotty.sh(`cotty send ${id} x`, agent)).code).toBe(5);
    await cotty.get("access", id, "sealed");
    expect((await cotty.sh(`cotty screen ${id}`, agent)).code).toBe(5);
    await cotty.get("access", id, "collaborate");
    expect((await cotty.sh(`cotty send ${id} x`, agent)).code).toBe(0);
  });

  it("6 a person is required: a password is asked for", async () => {
    const secret = await cotty.get(
      "new",
      "--",
      "sh",
      "-c",
      "stty -echo; printf 'Password: '; read x; exec cat",
    );
    await cotty.get("wait", secret, "--text", "Password", "--since", "start");
    await cotty.get("wait", secret, "--phase", "waiting_input");
    expect((await cotty.sh(`cotty wait ${secret} --text x --timeout 5`, agent)).code).toBe(6);
    expect((await cotty.sh(`cotty send ${secret} x`, agent)).code).toBe(6);
    await cotty.get("kill", secret);
  });

  it("7 unreachable, with what to do; a token in the clear is refused before anything is sent", async () => {
    const nobody = await cotty.sh("COTTY_STATE_DIR=$HOME/empty cotty ls");
    expect(nobody.code).toBe(7);
    expect(nobody.stderr).toContain("cotty start");
    const closed = await cotty.sh("cotty ls --url http://127.0.0.1:1", agent);
    expect(closed.code).toBe(7);
    const clear = await cotty.sh("cotty ls --url http://example.invalid:7070", agent);
    expect(clear.code).toBe(2);
    expect(clear.stderr).toContain("--insecure");
    expect(
      (await cotty.sh("cotty ls --insecure --url http://example.invalid:7070", agent)).code,
    ).toBe(7);
  });

  it("124 when the time is up, 130 when interrupted", async () => {
    expect((await cotty.run("wait", id, "--text", "never", "--timeout", "0.1")).code).toBe(124);
    const interrupted = await cotty.sh(
      "cotty events > heard & pid=$!; until [ -s heard ]; do cotty run --rm --wait -- true >/dev/null 2>&1; done; kill -INT $pid; wait $pid; echo $?",
    );
    expect(interrupted.stdout).toBe("130\n");
  });
});

describe("[CL1] help", () => {
  const leaves = async () => {
    const help = await cotty.get("--help");
    return [...help.matchAll(/^ {2}([a-z]+)(?: [<[].*?)? {2,}\S/gm)].map((match) => match[1] ?? "");
  };

  it("of every command begins with examples and fits into 80 columns", async () => {
    const names = await leaves();
    for (const name of ["new", "attach", "wait", "start", "token", "completion"])
      expect(names).toContain(name);
    const left = [
      [],
      ...names.filter((name) => name !== "help").map((name) => [name]),
      ["token", "create"],
      ["audit", "show"],
    ];
    const check = async () => {
      for (let words = left.shift(); words; words = left.shift()) {
        const help = await cotty.get(...words, "--help");
        expect(help.startsWith("Examples:\n"), `${words}`).toBe(true);
        const wide = help.split("\n").filter((line) => line.length > 80);
        expect([words, wide]).toEqual([words, []]);
      }
    };
    // Six at a time: on a busy machine each takes seconds, and most of them in waiting for its turn.
    await Promise.all(Array.from({ length: 6 }, check));
  });

  it("a mistyped command is met with the one that was meant", async () => {
    const { code, stderr } = await cotty.run("attahc", id);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean attach?");
  });

  it("what is no terminal gets no colour, and names cannot smuggle any in", async () => {
    const odd = await cotty.get("new", "--name", "a\u001b[31mb", "--", "cat");
    const said = await cotty.run("ls");
    expect(said.stdout + said.stderr).not.toContain("\x1b");
    await cotty.get("kill", odd);
  });
});

describe("completion", () => {
  it("bash completes commands, flags, words and sessions", async () => {
    const tab = (words: string) =>
      cotty.sh(
        `bash -c 'eval "$(cotty completion bash)"; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _cotty; printf "%s\\n" "\${COMPREPLY[@]}"'`,
      );
    expect((await tab("cotty att")).stdout).toBe("attach\n");
    expect((await tab("cotty attach --wr")).stdout).toBe("--write\n");
    expect((await tab(`cotty attach ${id.slice(0, 4)}`)).stdout).toBe(`${id}\n`);
    expect((await tab("cotty token cr")).stdout).toBe("create\n");
    expect((await tab("cotty token create --ro")).stdout).toBe("--role\n");
    expect((await tab(`cotty lease ${id} ta`)).stdout).toBe("take\n");
  });

  it("zsh and fish read their scripts without a word", async () => {
    const zsh = await cotty.sh("cotty completion zsh > _cotty && zsh -fn _cotty && echo fine");
    expect(zsh).toMatchObject({ stdout: "fine\n", stderr: "" });
    const fish = await cotty.sh(
      `cotty completion fish > c.fish && fish --no-config -c 'source c.fish; complete -C "cotty att"; complete -C "cotty attach ${id.slice(0, 4)}"'`,
    );
    expect(fish.stdout).toMatch(/^attach\t/);
    expect(fish.stdout).toContain(`${id}\twork`);
    expect(fish.stderr).toBe("");
  });
});

describe("cotty start --detach", () => {
  it("runs in the background, prints a link that its log does not have, and stop ends it", async () => {
    const dir = `${cotty.home}/state`;
    const env = { COTTY_STATE_DIR: dir };
    const said = await cotty.sh("cotty start -d --port 0 --json", env);
    const { url, link, log } = JSON.parse(said.stdout);
    try {
      expect((await fetch(`${url}/api/v1/health`)).status).toBe(200);
      const code = link.split("#code=")[1];
      expect(code.length).toBeGreaterThan(20);
      expect(readFileSync(log, "utf8")).not.toContain("code=");
      const twice = await cotty.sh("cotty start -d --port 0", env);
      expect(twice.code).toBe(1);
      expect(twice.stderr).toContain("already runs");
      const doctor = await cotty.sh("cotty doctor --json", env);
      const { findings } = JSON.parse(doctor.stdout) as {
        findings: { what: string; says: string }[];
      };
      const whats = findings.map(({ what }) => what);
      for (const what of ["versions", "terminals", "shell", "state", "tokens", "dashboard", "host"])
        expect(whats).toContain(what);
      expect(findings.find(({ what }) => what === "dashboard")?.says).toContain(url);
    } finally {
      const stopped = await cotty.sh("cotty stop --all", env);
      expect(stopped.code).toBe(0);
    }
    await expect(fetch(`${url}/api/v1/health`)).rejects.toThrow();
  });

  it("a start that fails says why", async () => {
    const said = await cotty.sh("cotty start -d --host 0.0.0.0", {
      COTTY_STATE_DIR: `${cotty.home}/other`,
    });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain("--allow-host");
  });
});
