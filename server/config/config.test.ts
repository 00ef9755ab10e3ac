import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "./config.ts";
import { ConfigError } from "./config-error.ts";
import { settings } from "./settings.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cotty-config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An environment whose default config file does not exist. */
const bare = () => ({ XDG_CONFIG_HOME: folder, XDG_STATE_HOME: "/state" });

function fileWith(text: string): string {
  const path = join(folder, "c.json");
  writeFileSync(path, text);
  return path;
}

describe("config", () => {
  it("has defaults for everything", () => {
    expect(readConfig({}, bare())).toEqual({
      port: null,
      host: "127.0.0.1",
      allowHosts: [],
      tlsCert: null,
      tlsKey: null,
      behindTls: false,
      tcp: null,
      noOpen: false,
      noTerminal: false,
      noShellIntegration: false,
      stateDir: "/state/cotty",
      maxSessions: 32,
      leaseIdle: 4_000,
      politeness: "polite",
      sessionLimits: {},
      logLevel: "info",
      configFile: join(folder, "cotty/config.json"),
    });
  });

  it("takes flag over variable over file over default", () => {
    const path = fileWith('{"port": 1, "maxSessions": 5, "noOpen": true}');
    const config = readConfig(
      { port: "3" },
      { ...bare(), COTTY_PORT: "2", COTTY_MAX_SESSIONS: "4" },
      path,
    );
    expect([config.port, config.maxSessions, config.noOpen]).toEqual([3, 4, true]);
  });

  it("[SI1] shell integration is turned off by a switch, by off in the variable, by false in the file", () => {
    const read = (flags: object, env: object, file = "{}") =>
      readConfig(flags, { ...bare(), ...env }, fileWith(file)).noShellIntegration;
    expect(read({ noShellIntegration: true }, {})).toBe(true);
    expect(read({}, { COTTY_SHELL_INTEGRATION: "off" }, '{"shellIntegration": true}')).toBe(true);
    expect(read({}, { COTTY_SHELL_INTEGRATION: "auto" }, '{"shellIntegration": false}')).toBe(
      false,
    );
    expect(read({}, {}, '{"shellIntegration": false}')).toBe(true);
    expect(() => read({}, { COTTY_SHELL_INTEGRATION: "bash" })).toThrow("must be auto or off");
  });

  it("reads lists from repeated flags, commas and JSON", () => {
    expect(readConfig({ allowHosts: ["A.example", "b"] }, bare()).allowHosts).toEqual([
      "a.example",
      "b",
    ]);
    expect(readConfig({}, { ...bare(), COTTY_ALLOW_HOST: "a,b" }).allowHosts).toEqual(["a", "b"]);
    expect(readConfig({}, bare(), fileWith('{"allowHosts": ["x"]}')).allowHosts).toEqual(["x"]);
  });

  it.each<[string, () => unknown, RegExp]>([
    [
      "a flag",
      () => readConfig({ port: "80a" }, bare()),
      /--port must be a whole number from 0 to 65535, not "80a"/,
    ],
    [
      "a variable",
      () => readConfig({}, { ...bare(), COTTY_LOG_LEVEL: "loud" }),
      /COTTY_LOG_LEVEL must be one of .*"loud"/,
    ],
    [
      "a file's value",
      () => readConfig({}, bare(), fileWith('{"maxSessions": 0}')),
      /maxSessions in .*1 to 1000, not "0"/,
    ],
    [
      "an unknown key, with its line",
      () => readConfig({}, bare(), fileWith('{\n"port": 1,\n"prot": 2}')),
      /"prot" in line 3/,
    ],
    ["a file that is no JSON", () => readConfig({}, bare(), fileWith("{")), /is not JSON/],
    [
      "a file that is missing",
      () => readConfig({}, bare(), join(folder, "none")),
      /does not exist/,
    ],
    ["half of a TLS pair", () => readConfig({ tlsCert: "/c" }, bare()), /go together/],
    [
      "a host name with a port",
      () => readConfig({ allowHosts: ["a:80"] }, bare()),
      /without a port/,
    ],
  ])("refuses %s and names it", (_, read, message) => {
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(message);
  });

  it("the settings table in docs/settings.md is the table in the code", () => {
    const text = readFileSync(join(import.meta.dirname, "../../docs/settings.md"), "utf8");
    for (const setting of Object.values(settings)) {
      const flag =
        "placeholder" in setting ? `${setting.flag} ${setting.placeholder}` : setting.flag;
      expect(text).toContain(
        `| \`${flag}\` | \`${setting.env}\` | \`${setting.key}\` | ${setting.shownDefault} | ${setting.help} |`,
      );
    }
  });
});
