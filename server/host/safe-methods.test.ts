import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiBase } from "#lib/protocol/operations/operation.ts";
import { operations } from "#lib/protocol/operations/table.ts";
import { startTestHost, type TestHost, testAgent, testOwner } from "#server/testing/test-host.ts";

let test: TestHost;
beforeAll(async () => {
  test = await startTestHost();
});
afterAll(() => test.dispose());

/** Everything that is kept on disk, by name. */
function kept(folder: string): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true });
  return Object.fromEntries(
    files
      .filter((file) => file.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path, createHash("sha256").update(readFileSync(path)).digest("hex")]),
  );
}

describe("safe methods", () => {
  it("[T18] no GET changes a session, the list, the keyboard or a file, whoever asks", async () => {
    const command = ["sh", "-c", "echo a; exec cat"];
    const { id } = await test.request("createSession", { body: { command } });
    // That an agent is there is known from its first look on.
    await test.request("readScreen", { params: { id }, actor: testAgent });
    const looks = Object.values(operations).filter(
      ({ method, by, ...rest }) => method === "GET" && by === "host" && !("streams" in rest),
    );
    expect(looks.length).toBeGreaterThan(10);
    await expect
      .poll(async () => (await test.request("readScreen", { params: { id } })) as object)
      .toMatchObject({ lines: expect.arrayContaining(["a"]) });
    await expect
      .poll(async () => (await test.request("getSession", { params: { id } })).phase)
      .toBe("waiting_input");
    const state = async () => ({
      sessions: (await test.request("listSessions")).sessions,
      writes: await test.request("listWrites", { params: { id } }),
      screen: await test.request("readScreen", { params: { id } }),
      files: kept(test.host.dir.root),
    });
    const before = await state();
    for (const actor of [testOwner, testAgent])
      for (const { path } of looks)
        await test.raw("GET", apiBase + path.replace("{id}", id).replace("{index}", "latest"), {
          actor,
        });
    const after = await state();
    expect({ ...after, files: {} }).toEqual({ ...before, files: {} });
    // Refusals of what an agent may not read are told in the audit, and nowhere else.
    const changed = Object.keys(after.files).filter((at) => after.files[at] !== before.files[at]);
    expect(changed.filter((path) => !path.includes("/audit/"))).toEqual([]);
  });
});
