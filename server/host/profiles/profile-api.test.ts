// Launch profiles through a whole host with real terminals: what is offered can be started, and what a profile says is what runs.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestHost, type TestHost, testAgent } from "#server/testing/test-host.ts";

let folder: string;
let configFile: string;
let host: TestHost;
const before = process.env.PATH;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "cotty-profiles-"));
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "work"));
  for (const [name, text] of [
    ["claude", "#!/bin/sh\necho I am claude in $(pwd)\nexec sleep 600\n"],
    ["codex", "not executable"],
  ] as const)
    writeFileSync(join(folder, "bin", name), text, { mode: name === "claude" ? 0o755 : 0o644 });
  chmodSync(join(folder, "bin/claude"), 0o755);
  configFile = join(folder, "config.json");
  process.env.PATH = `${join(folder, "bin")}:${before}`;
  host = await startTestHost({ configFile });
});
afterAll(async () => {
  process.env.PATH = before;
  await host.dispose();
  rmSync(folder, { recursive: true });
});

async function screenWith(id: string, wanted: string): Promise<void> {
  await expect
    .poll(
      async () => {
        const screen = await host.request("readScreen", { params: { id }, query: {} });
        return JSON.stringify(screen);
      },
      { timeout: 20_000 },
    )
    .toContain(wanted);
}

describe("launch profiles of a host", () => {
  it("[OP6] agents on the sessions' PATH are offered and can be started by name", async () => {
    const { profiles } = await host.request("listProfiles", { actor: testAgent });
    expect(profiles.filter(({ kind }) => kind === "agent").map(({ name }) => name)).toContain(
      "claude",
    );
    expect(profiles.map(({ name }) => name)).not.toContain("codex");
    expect(profiles.filter(({ is_default }) => is_default)).toHaveLength(1);
    const info = await host.request("createSession", { body: { profile: "claude" } });
    expect(info).toMatchObject({
      name: "claude",
      profile: "claude",
      command: [join(folder, "bin/claude")],
    });
    await screenWith(info.id, "I am claude");
  });

  it("[OP1] command, directory and environment come from the owner's profile; explicit fields win", async () => {
    const shown = ["sh", "-c", "echo A=$A B=$B in $(pwd); exec sleep 600"];
    const profile = {
      name: "Show it",
      command: shown,
      cwd: join(folder, "work"),
      env: { A: "one", B: "two" },
    };
    writeFileSync(configFile, JSON.stringify({ profiles: [profile] }));
    const plain = await host.request("createSession", { body: { profile: "Show it" } });
    expect(plain).toMatchObject({ name: "Show it", command: shown, cwd: profile.cwd });
    await screenWith(plain.id, `A=one B=two in ${profile.cwd}`);
    const body = { profile: "Show it", env: { B: "three" }, cwd: folder, name: "mine" };
    const other = await host.request("createSession", { body });
    expect(other).toMatchObject({ name: "mine", cwd: folder });
    await screenWith(other.id, `A=one B=three in ${folder}`);
    const second = await host.request("createSession", { body: { profile: "Show it" } });
    expect(second.name).toBe("Show it 2");
  });

  it("[OP1] an unknown profile is 400 BAD_PROFILE naming the known ones, and starts nothing", async () => {
    const { sessions } = await host.request("listSessions");
    const reply = await host.raw("POST", "/api/v1/sessions", { body: { profile: "nope" } });
    expect(reply.status).toBe(400);
    const problem = reply.json() as { code: string; detail: string };
    expect(problem.code).toBe("BAD_PROFILE");
    expect(problem.detail).toMatch(/no profile "nope"; there are .*claude.*Show it/);
    expect((await host.request("listSessions")).sessions).toHaveLength(sessions.length);
  });

  it("[T105] sessions of a profile with limits are within these, others within those of the server", async () => {
    const command = ["sh", "-c", "echo may open $(ulimit -n) files; exec sleep 600"];
    const profiles = [
      { name: "narrow", command, limits: { "open-files": 90 } },
      { name: "as all", command },
    ];
    const strict = await startTestHost({ configFile, sessionLimits: { openFiles: 1_000 } });
    try {
      writeFileSync(configFile, JSON.stringify({ profiles }));
      for (const [profile, count] of [
        ["narrow", 90],
        ["as all", 1_000],
      ] as const) {
        const { id, command: shown } = await strict.request("createSession", { body: { profile } });
        expect(shown).toEqual(command);
        const screen = () => strict.request("readScreen", { params: { id }, query: {} });
        await expect
          .poll(async () => JSON.stringify(await screen()), { timeout: 20_000 })
          .toContain(`may open ${count} files`);
      }
      const plain = await strict.request("createSession", { body: { command } });
      expect(plain).toMatchObject({ name: "sh", command });
    } finally {
      await strict.dispose();
    }
  });

  it("[OP6] a broken edit is told to whoever lists, with its line, and stops nothing", async () => {
    writeFileSync(configFile, '{"profiles": [\n{"name": "good", "command": ["sh"]},\n{"nam": 1}]}');
    const { profiles, problems } = await host.request("listProfiles");
    expect(profiles.map(({ name }) => name)).toContain("good");
    expect(problems).toEqual([
      { line: 3, message: expect.stringMatching(/^"nam" is not a field of a profile/) },
    ]);
  });
});
