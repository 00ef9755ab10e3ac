// What a command loads before it does anything: most of the time that a short one takes. The bounds are what it was when this was written and
// a tenth more; who needs more should know what for.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CommandLine } from "../fixtures/command-line.ts";
import { type Loaded, loadedBy, packagesOf } from "../fixtures/loaded-modules.ts";
import { Server } from "../server.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const server = new Server();
let cotty: CommandLine;
beforeAll(async () => {
  await server.start();
  cotty = new CommandLine(server);
  await cotty.get("new", "--name", "work", "--", "cat");
});
afterAll(() => server.stop());

const loads = (...args: string[]) => loadedBy(args, cotty.env);

/** Each takes longer to load than a command takes to ask and to answer; `fetch`'s own classes longest. */
const heavyBuiltIns = ["tls", "https", "http2", "internal/deps/undici/undici"];

function expectLight(loaded: Loaded): void {
  expect(packagesOf(loaded)).toEqual(["commander", "zod"]);
  expect(loaded.builtIns.filter((name) => heavyBuiltIns.includes(name))).toEqual([]);
  const far = /^server\/(?:host|web|tcp|audit)\/|^server\/cli\/(?:tui|raw-attach)\/|json-schema/;
  expect(loaded.sources.filter((source) => far.test(source))).toEqual([]);
}

describe("[CL5] what a command loads", () => {
  it("`--version`: the entry and the version", async () => {
    const loaded = await loads("--version");
    expect(loaded.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(packagesOf(loaded)).toEqual([]);
    expect(loaded.bytes).toBeLessThan(10_000);
    expect(loaded.builtIns).not.toContain("http");
  });

  it.each([
    ["ls", ["ls"], "work"],
    ["screen", ["screen", "work"], ""],
    ["send", ["send", "work", "x"], ""],
  ])("%s: Commander, schemas of what it asks for, no WebSocket, no TLS", async (_, args, says) => {
    const loaded = await loads(...args);
    expect(loaded.stdout).toContain(says);
    expectLight(loaded);
    expect(loaded.builtIns).not.toContain("child_process");
    expect(loaded.bytes).toBeLessThan(275_000);
    // A file takes a millisecond to find.
    expect(loaded.files).toBeLessThanOrEqual(26);
  });

  it("a completion's Tab: as little as a list of the sessions", async () => {
    const loaded = await loads("completion", "sessions");
    expect(loaded.stdout).toContain(":work");
    expect(packagesOf(loaded)).toEqual(["commander", "zod"]);
    expect(loaded.builtIns.filter((name) => heavyBuiltIns.includes(name))).toEqual([]);
    expect(loaded.bytes).toBeLessThan(275_000);
  });

  it("a command's own help does not load the others' groups", async () => {
    const loaded = await loads("ls", "--help");
    const groups = loaded.sources.filter((source) => source.startsWith("server/cli/groups/"));
    expect(groups).toEqual(["server/cli/groups/sessions.ts"]);
  });

  it("the list of all commands loads them, and nothing that they need only when they run", async () => {
    const loaded = await loads("--help");
    expect(packagesOf(loaded)).toEqual(["commander", "zod"]);
    expect(loaded.builtIns.filter((name) => ["tls", "https"].includes(name))).toEqual([]);
    expect(loaded.bytes).toBeLessThan(345_000);
  });
});
