import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { readConfig } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { readConfigFile } from "./config-file.ts";
import { JsonLines } from "./json-lines.ts";
import { readProfiles } from "./profiles.ts";

function read(text: string) {
  return readProfiles(JSON.parse(text).profiles, new JsonLines(text));
}

describe("lines of a JSON text", () => {
  const text = `
{
  "a": 1, "b": [
    true,
    { "c\\"}": "x,]",

      "d": -1.5e3 }, []
  ],
  "e": {}
}`;

  it("every value has the line in which it begins, and a member that of its key", () => {
    const lines = new JsonLines(text);
    const of = (...path: (string | number)[]) => lines.lineOf(path);
    expect(of()).toBe(2);
    expect([of("a"), of("b")]).toEqual([3, 3]);
    expect([of("b", 0), of("b", 1), of("b", 1, 'c"}')]).toEqual([4, 5, 5]);
    expect([of("b", 1, "d"), of("b", 2), of("e")]).toEqual([7, 7, 9]);
  });

  it("what is not there has the line of what it is missing from", () => {
    const lines = new JsonLines(text);
    expect(lines.lineOf(["b", 1, "nope", 3])).toBe(5);
    expect(lines.lineOf(["nope"])).toBe(2);
  });
});

describe("a text that is not JSON", () => {
  it.each([
    ["", 1],
    ["{", 1],
    ['{\n"a": 1,\n}', 3],
    ["[1\n2]", 2],
    ['{"a"\n1}', 2],
    ['"a\nb"', 1],
    ['["\\x"]', 1],
    ["[01]", 1],
    ["[1.]", 1],
    ["[truex]", 1],
    ["\n// no comments\n{}", 2],
    ["{}\n{}", 2],
    ["[".repeat(100_000), 1],
  ])("%j is refused at its line, as JSON.parse refuses it", (broken, line) => {
    expect(() => JSON.parse(broken)).toThrow();
    expect(() => new JsonLines(broken)).toThrow(expect.objectContaining({ line }));
  });

  it("what JSON.parse takes is taken", () => {
    for (const text of [
      "[1e5,-0.5E-3,0]",
      '"\\u00e9\\n\\/"',
      " null ",
      '{"a":[],"b":{}}',
      '"é😀"',
    ]) {
      expect(() => JSON.parse(text)).not.toThrow();
      expect(() => new JsonLines(text)).not.toThrow();
    }
  });
});

describe("profiles in the config file", () => {
  it("[OP6] a whole entry is read, and what it leaves out has its default", () => {
    const { profiles, problems } = read(`{"profiles": [
      {"name": "Dev server", "command": ["npm", "run", "dev"], "cwd": "~/shop", "env": {"PORT": "1"}, "icon": "server"},
      {"name": "top", "command": ["top"]}
    ]}`);
    expect(problems).toEqual([]);
    expect(profiles).toEqual([
      {
        name: "Dev server",
        command: ["npm", "run", "dev"],
        cwd: "~/shop",
        env: { PORT: "1" },
        secrets: {},
        icon: "server",
        access: "collaborate",
        line: 2,
      },
      {
        name: "top",
        command: ["top"],
        cwd: null,
        env: {},
        secrets: {},
        icon: "terminal",
        access: "collaborate",
        line: 3,
      },
    ]);
  });

  it("[T105] what its sessions may use up is read as the setting for all of them is", () => {
    const { profiles, problems } = read(`{"profiles": [
      {"name": "a", "command": ["sh"], "limits": {"open-files": 100, "memory": "8G"}},
      {"name": "b", "command": ["sh"], "limits": "none"},
      {"name": "c", "command": ["sh"]}
    ]}`);
    expect(problems).toEqual([]);
    const limitsOf = profiles.map(({ limits }) => limits);
    expect(limitsOf).toEqual([{ openFiles: 100, memory: 8 * 1024 ** 3 }, {}, undefined]);
  });

  const good = '{"name": "good", "command": ["sh"]}';
  it.each<[string, string, number, RegExp]>([
    ["no object", "3", 3, /profile 2 must be an object/],
    ["no name", '{"command": ["x"]}', 3, /name is missing/],
    ["an empty name", '{"name": " ",\n"command": ["x"]}', 3, /^name /],
    ["a name with a slash", '{"command": ["x"],\n"name": "a/b"}', 4, /name has a slash/],
    ["no command", '{"name": "x"}', 3, /command is missing/],
    [
      "a command that is text",
      '{"name": "x",\n\n"command": "npm run"}',
      5,
      /command must be a list/,
    ],
    ["an empty command", '{"name": "x",\n"command": []}', 4, /command must name a program/],
    [
      "a number among the words",
      '{"name": "x", "command": ["a",\n7]}',
      4,
      /command\[1\] must be a string/,
    ],
    [
      "a relative directory",
      '{"name": "x", "command": ["a"],\n"cwd": "src"}',
      4,
      /cwd must be an absolute path/,
    ],
    [
      "a value that is no text",
      '{"name": "x", "command": ["a"], "env": {\n"A": "1",\n"B": 2}}',
      5,
      /env\["B"\] must be a string/,
    ],
    [
      "a bad variable name",
      '{"name": "x", "command": ["a"], "env": {\n"1A": "1"}}',
      4,
      /env\["1A"\] is not a variable name/,
    ],
    [
      "an unknown icon",
      '{"name": "x", "command": ["a"],\n"icon": "cat"}',
      4,
      /icon must be one of terminal/,
    ],
    [
      "limits that are too low",
      '{"name": "x", "command": ["a"],\n"limits": {"memory": "1M"}}',
      4,
      /^limits needs memory to be a whole number from 64M/,
    ],
    [
      "an unknown field",
      '{"name": "x", "command": ["a"],\n"color": "red"}',
      4,
      /"color" is not a field.*known are name, command, cwd, env, secrets, icon, access, limits/,
    ],
    [
      "a name that is taken",
      '{"name": "good2", "command": ["a"]},\n{"name": "good2", "command": ["b"]}',
      4,
      /"good2" is the name of the profile in line 3 too/,
    ],
  ])(
    "[OP6] an entry with %s is named with its line, and the others stay",
    (_, entry, line, message) => {
      const { profiles, problems } = read(`{"profiles": [\n${good},\n${entry}]}`);
      expect(problems).toHaveLength(1);
      expect(problems[0]?.line).toBe(line);
      expect(problems[0]?.message).toMatch(message);
      expect(profiles[0]?.name).toBe("good");
    },
  );

  it("[OP6] values of the environment are never repeated in a complaint", () => {
    const { problems } = read(
      '{"profiles": [{"name": "x", "command": ["a"], "env": {"KEY": "s3cret\\u0000"}}]}',
    );
    expect(problems[0]?.message).toBe('env["KEY"] contains NUL');
    expect(JSON.stringify(problems)).not.toContain("s3cret");
  });

  it("[LM] of too many profiles the first are read, and the rest is said", () => {
    const entry = (_: unknown, n: number) => ({ name: `p${n}`, command: ["sh"] });
    const text = JSON.stringify({ profiles: Array.from({ length: limits.profiles + 1 }, entry) });
    const { profiles, problems } = read(text);
    expect(profiles).toHaveLength(limits.profiles);
    expect(problems[0]?.message).toMatch(/there are 101 profiles; at most 100 are read/);
  });
});

describe("a config file with profiles at the start", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "cotty-config-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const written = (text: string) => {
    const path = join(folder, "c.json");
    writeFileSync(path, text);
    return path;
  };

  it("[OP6] a broken profile stops it, naming file, line and what is wrong", () => {
    const path = written('{"port": 1,\n"profiles": [\n{"name": "x", "comand": ["a"]}]}');
    expect(() => readConfig({}, {}, path)).toThrow(ConfigError);
    expect(() => readConfig({}, {}, path)).toThrow(
      `the config file ${path} has a broken profile in line 3: "comand" is not a field of a profile`,
    );
  });

  it("[OP6] a comma too many is named with its line", () => {
    const path = written('{\n"profiles": [\n{"name": "x", "command": ["a"],}]}');
    expect(() => readConfig({}, {}, path)).toThrow(`the config file ${path} in line 3 is not JSON`);
    const cut = written('{\n"profiles": [\n');
    expect(() => readConfig({}, {}, cut)).toThrow("in line 3 is not JSON: it ends too early");
  });

  it("the host is told where the file is, also when it does not exist yet", () => {
    const { configFile } = readConfig({}, { XDG_CONFIG_HOME: folder });
    expect(configFile).toBe(join(folder, "cotty/config.json"));
    expect(readConfig({}, {}, written("{}")).configFile).toBe(join(folder, "c.json"));
  });

  it("[LM] a file that is too long, or a folder in its place, is refused and not read", () => {
    const long = written(`{"x": "${"a".repeat(limits.configBytes)}"}`);
    expect(readConfigFile(long)).toMatchObject({
      kind: "broken",
      reason: expect.stringMatching(/longer than/),
    });
    expect(readConfigFile(folder)).toMatchObject({
      kind: "broken",
      reason: expect.stringMatching(/regular file/),
    });
  });
});
