import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { profilesReplySchema } from "#lib/protocol/profiles.ts";
import { FakeClock } from "#server/testing/fake-clock.ts";
import { ProfileCatalogue } from "./profile-catalogue.ts";

let folder: string;
let bin: string;
let configFile: string;
let clock: FakeClock;
let catalogue: ProfileCatalogue;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cotty-profiles-"));
  bin = join(folder, "bin");
  mkdirSync(bin);
  configFile = join(folder, "config.json");
  clock = new FakeClock();
  catalogue = made();
});
afterEach(() => rmSync(folder, { recursive: true }));

function made(environment: Record<string, string> = {}): ProfileCatalogue {
  return new ProfileCatalogue({
    configFile,
    environment: { PATH: bin, HOME: folder, SHELL: "/bin/bash", ...environment },
    cwd: folder,
    clock,
    shellsFile: join(folder, "shells"),
  });
}

function program(name: string, mode = 0o755, inFolder = bin): string {
  const file = join(inFolder, name);
  writeFileSync(file, "#!/bin/sh\necho hello\n");
  chmodSync(file, mode);
  return file;
}

let saves = 0;
function save(config: unknown): void {
  writeFileSync(configFile, typeof config === "string" ? config : JSON.stringify(config));
  // Two saves within one tick of the file system's clock are two states.
  saves += 1;
  utimesSync(configFile, saves, saves);
}

const names = () => catalogue.list().profiles.map(({ name }) => name);
const own = (name: string, more: object = {}) => ({ name, command: ["/bin/sh"], ...more });

describe("found programs", () => {
  it("[OP6] what is not on this machine is not offered; the user's shell comes first and is the default", () => {
    expect(catalogue.list()).toEqual({
      profiles: [
        {
          name: "bash",
          title: "Bash",
          kind: "shell",
          icon: "shell",
          command: ["/bin/bash"],
          cwd: null,
          env: [],
          is_default: true,
        },
      ],
      problems: [],
    });
  });

  it("[OP6] shells and agents that can be executed are found where a session would find them", () => {
    const claude = program("claude");
    program("codex", 0o644);
    mkdirSync(join(bin, "aider"));
    program("zsh");
    program("vim");
    const { profiles } = catalogue.list();
    expect(profiles.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "shell bash",
      "shell zsh",
      "agent claude",
    ]);
    expect(profiles[2]).toMatchObject({ title: "Claude Code", command: [claude] });
    expect(profilesReplySchema.parse(catalogue.list())).toEqual(catalogue.list());
  });

  it("[OP6] a shell outside PATH that the system lists is found, a listed one that is missing is not", () => {
    const elsewhere = join(folder, "opt");
    mkdirSync(elsewhere);
    const fish = program("fish", 0o755, elsewhere);
    writeFileSync(join(folder, "shells"), `# shells\n${fish}\n/no/such/zsh\n`);
    expect(names()).toEqual(["bash", "fish"]);
  });

  it("[OP6] a default shell that nobody knows is offered under its own name", () => {
    catalogue = made({ SHELL: program("mysh") });
    expect(catalogue.list().profiles[0]).toMatchObject({
      name: "mysh",
      kind: "shell",
      is_default: true,
    });
  });

  it("[OP6] relative folders of PATH offer nothing", () => {
    catalogue = made({ PATH: `.:${"bin"}:` });
    program("claude");
    expect(names()).toEqual(["bash"]);
  });

  it("[LM] what was found is believed for two seconds, then looked for again", () => {
    expect(names()).toEqual(["bash"]);
    program("claude");
    expect(names()).toEqual(["bash"]);
    clock.advance(limits.programLookMs);
    expect(names()).toEqual(["bash", "claude"]);
  });
});

describe("the owner's profiles", () => {
  it("[OP6] they come after what was found, one of the same name stands in for it, and no value of env is shown", () => {
    program("claude");
    program("codex");
    save({ profiles: [own("claude", { env: { KEY: "s3cret" } }), own("Mine", { cwd: "~" })] });
    const reply = catalogue.list();
    expect(names()).toEqual(["bash", "codex", "claude", "Mine"]);
    expect(reply.profiles[2]).toMatchObject({ kind: "own", command: ["/bin/sh"], env: ["KEY"] });
    expect(JSON.stringify(reply)).not.toContain("s3cret");
  });

  it("[OP6] an edit counts at once; a broken one is reported with its line and the good ones stay", () => {
    expect(names()).toEqual(["bash"]);
    save({ profiles: [own("one")] });
    expect(names()).toEqual(["bash", "one"]);
    save('{"profiles": [\n{"name": "one", "command": ["/bin/sh"]},\n{"name": "two"}]}');
    expect(names()).toEqual(["bash", "one"]);
    expect(catalogue.list().problems).toEqual([{ line: 3, message: "command is missing" }]);
    save('{"profiles": [\n{"name": "one", "command": ["/bin/sh"]},\n]}');
    expect(names()).toEqual(["bash", "one"]);
    expect(catalogue.list().problems).toMatchObject([
      { line: 3, message: expect.stringContaining("is not JSON") },
    ]);
    save({ profiles: [own("three")] });
    expect(catalogue.list()).toMatchObject({ problems: [] });
    expect(names()).toEqual(["bash", "three"]);
    rmSync(configFile);
    expect(names()).toEqual(["bash"]);
  });

  it("[OP6] an editor that saves by renaming a file of the same size and time is noticed", () => {
    save({ profiles: [own("aaa")] });
    expect(names()).toContain("aaa");
    const fresh = join(folder, "fresh");
    writeFileSync(fresh, JSON.stringify({ profiles: [own("bbb")] }));
    utimesSync(fresh, saves, saves);
    renameSync(fresh, configFile);
    expect(names()).toContain("bbb");
  });

  it("[OP6] one whose program or directory is missing is not offered, and why is said", () => {
    save({
      profiles: [
        { name: "a", command: ["no-such-program"] },
        own("b", { cwd: "/no/such/folder" }),
        { name: "c", command: ["tool"], env: { PATH: join(folder, "tools") } },
      ],
    });
    mkdirSync(join(folder, "tools"));
    program("tool", 0o755, join(folder, "tools"));
    expect(names()).toEqual(["bash", "c"]);
    expect(catalogue.list().problems).toEqual([
      { line: 1, message: "a is not offered: no-such-program was not found in PATH" },
      { line: 1, message: "b is not offered: the directory /no/such/folder does not exist" },
    ]);
  });
});

describe("a create with a profile", () => {
  it("[OP1] it fills in command, directory and environment; explicit fields win, env is merged", () => {
    save({ profiles: [own("p", { cwd: "/tmp", env: { A: "1", B: "2" } })] });
    expect(catalogue.applied({ profile: "p" })).toEqual({
      profile: "p",
      command: ["/bin/sh"],
      cwd: "/tmp",
      env: { A: "1", B: "2" },
      access: "collaborate",
    });
    const given = { profile: "p", command: ["ls"], cwd: "/", env: { B: "3", C: "4" }, cols: 90 };
    const access = "collaborate";
    expect(catalogue.applied(given)).toEqual({
      ...given,
      env: { A: "1", B: "3", C: "4" },
      access,
    });
    expect(catalogue.applied({ cols: 5 })).toEqual({ cols: 5 });
  });

  it("[SX1] its secrets are named in its offer and come with it; those of the request win", () => {
    const secrets = { TOKEN: { file: "/run/token" }, KEY: { named: "MAIN" } };
    save({ profiles: [own("p", { secrets })], secrets: { MAIN: { env: "MAIN_KEY" } } });
    const offer = catalogue.list().profiles.find(({ name }) => name === "p");
    expect(offer?.env).toEqual(["TOKEN", "KEY"]);
    expect(catalogue.applied({ profile: "p", secrets: { KEY: { env: "K" } } }).secrets).toEqual({
      TOKEN: { file: "/run/token" },
      KEY: { env: "K" },
    });
    expect(catalogue.secrets).toEqual({ MAIN: { env: "MAIN_KEY" } });
  });

  it("[OP1] an unknown one is BAD_PROFILE and names those there are", () => {
    save({ profiles: [own("p")] });
    const refused = () => catalogue.applied({ profile: "q" });
    expect(refused).toThrow(TermError);
    expect(refused).toThrow('there is no profile "q"; there are bash, p');
    expect(() => catalogue.applied({ profile: "__proto__" })).toThrow(/no profile "__proto__"/);
  });
});
