import { describe, expect, it } from "vitest";
import { realTerminals } from "#server/testing/real-terminals.ts";
import { type EnvironmentSource, sessionEnvironment } from "./session-env.ts";

const { run } = await realTerminals();

const source: EnvironmentSource = {
  server: { PATH: "/usr/bin", HOME: "/home/x", USER: "x" },
  term: "xterm-256color",
  sessionId: "id",
  url: "http://127.0.0.1:7070",
  given: {},
};
const env = (more: Partial<EnvironmentSource> = {}) => sessionEnvironment({ ...source, ...more });

describe("the environment of a session", () => {
  it("[PT12] says what terminal this is and where the server is", () => {
    expect(env()).toEqual({
      PATH: "/usr/bin",
      HOME: "/home/x",
      USER: "x",
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      COTTY_URL: "http://127.0.0.1:7070",
      COTTY_SESSION: "id",
    });
    expect(env({ url: null })).not.toHaveProperty("COTTY_URL");
  });

  it("[PT12] keeps LANG, and an empty one is none", () => {
    expect(env({ server: { LANG: "de_DE.UTF-8", LC_TIME: "C" } })).toMatchObject({
      LANG: "de_DE.UTF-8",
      LC_TIME: "C",
    });
    expect(env({ server: { LANG: "" } }).LANG).toBe("C.UTF-8");
  });

  it("[PT12] [T101] passes none of the server's secrets or start-up noise on", () => {
    const noise = {
      COTTY_TOKEN: "cot_own_secret",
      COTTY_STATE_DIR: "/s",
      COTTY_PTY_MODULE: "x",
      npm_config_registry: "r",
      npm_lifecycle_event: "start",
      NODE_OPTIONS: "--inspect",
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: "7070",
      DATABASE_URL: "postgres://u:p@h/d",
      AWS_SECRET_ACCESS_KEY: "s",
      INIT_CWD: "/x",
      TMUX: "/tmp/tmux",
      COLUMNS: "10",
      VITEST: "true",
    };
    const result = env({ server: { ...source.server, ...noise } });
    for (const name of Object.keys(noise)) expect(result).not.toHaveProperty(name);
  });

  it("[PT12] takes npm's folders out of PATH, but only its own", () => {
    const path = "/p/node_modules/.bin:/node_modules/.bin:/lib/node-gyp-bin:/usr/bin:/bin";
    expect(env({ server: { PATH: path, npm_execpath: "npm" } }).PATH).toBe("/usr/bin:/bin");
    expect(env({ server: { PATH: path } }).PATH).toBe(path);
    expect(env({ server: {} }).PATH).toContain("/usr/bin");
  });

  it("[PT12] what the session was given wins, except over its own id; TERM is never empty", () => {
    const given = { LANG: "C", NODE_ENV: "test", TERM: "", COTTY_URL: "u", COTTY_SESSION: "other" };
    expect(env({ given })).toMatchObject({
      LANG: "C",
      NODE_ENV: "test",
      TERM: "xterm-256color",
      COTTY_URL: "u",
      COTTY_SESSION: "id",
    });
    expect(env({ given: { TERM: "vt100" } }).TERM).toBe("vt100");
  });

  it("[PT12] more names can be kept; the server's own only one by one", () => {
    const server = { MY_A: "1", MY_B: "2", COTTY_TOKEN: "secret", NODE_EXTRA_CA_CERTS: "/ca" };
    const kept = env({ server, keep: ["MY_*", "COTTY_*", "*", "NODE_EXTRA_CA_CERTS"] });
    expect(kept).toMatchObject({ MY_A: "1", MY_B: "2", NODE_EXTRA_CA_CERTS: "/ca" });
    expect(kept).not.toHaveProperty("COTTY_TOKEN");
  });

  it("[PT12] `env` in a real session shows exactly that", async () => {
    const shell = await run(["/usr/bin/env"], { session: "the-id", env: { GIVEN: "yes" } });
    await shell.exited;
    const names = shell.text.split("\r\n").map((line) => line.split("=")[0]);
    expect(shell.text).toContain("COTTY_SESSION=the-id\r\n");
    expect(shell.text).toContain("TERM=xterm-256color\r\n");
    expect(shell.text).toContain("GIVEN=yes\r\n");
    expect(names.filter((name) => /^(npm_|NODE_|VITEST|NEXT_|PORT$)/.test(name ?? ""))).toEqual([]);
  });
});
