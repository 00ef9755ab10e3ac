// The first of the two commands, as a person gives it in a terminal: `npm start` serves, prints a one-time link, and opens it in the browser.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { PersonTerminal } from "../fixtures/person-terminal.ts";
import { until } from "./caller.ts";

const root = join(import.meta.dirname, "../..");

describe.runIf(process.platform === "linux")("npm start", { timeout: 90_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "cotty-npm-start-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("[SE3] opens a link that signs in once; Ctrl-C ends the web server, and 'stop --all' all", async () => {
    const opened = join(folder, "opened");
    const state = join(folder, "state");
    // The desktop's way to open an address; this one notes it.
    const script = `#!/bin/sh\nprintf %s "$1" > ${opened}.part && mv ${opened}.part ${opened}\n`;
    writeFileSync(join(folder, "xdg-open"), script, { mode: 0o755 });
    const terminal = await PersonTerminal.open({
      HOME: folder,
      PATH: `${folder}:${process.env.PATH}`,
      DISPLAY: ":99",
      COTTY_STATE_DIR: state,
      // The mark by which `npm test` finds what outlived it.
      XDG_COTTY_TEST_RUN: process.env.XDG_COTTY_TEST_RUN ?? "",
    });
    try {
      await terminal.line(`cd ${root}`);
      terminal.type("npm start\r");
      await until("the browser", async () => existsSync(opened), 40_000);
      const link = readFileSync(opened, "utf8");
      expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/welcome\/#code=/);
      await terminal.until(() => terminal.received.includes(link));
      const { origin, hash } = new URL(link);
      expect(await (await fetch(link)).text()).toContain("<title>");
      const signIn = () =>
        fetch(`${origin}/api/v1/login`, {
          method: "POST",
          headers: { "content-type": "application/json", origin },
          body: JSON.stringify({ code: hash.slice("#code=".length) }),
        });
      expect((await signIn()).status).toBe(200);
      expect((await signIn()).status).toBe(401);
      terminal.type("\x03");
      await terminal.until((screen) => /\nouter\$ *$/.test(screen.trimEnd()));
      await expect(fetch(origin)).rejects.toThrow();
    } finally {
      // Not typed: a shell that has just been interrupted drops what it has read already.
      await promisify(execFile)(process.execPath, [join(root, "dist/cotty.js"), "stop", "--all"], {
        env: { ...process.env, COTTY_STATE_DIR: state },
      });
      terminal.dispose();
    }
  });
});
