import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentWays, noToken, snippets } from "./agent-commands.ts";

const access = {
  origin: "https://cotty.example:8443",
  token: `cot_agt_${"a".repeat(16)}_${"b".repeat(52)}`,
  canWrite: true,
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "cotty-commands-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a pasted text in a shell in which `program` writes down what it was given, and answers `answer`. */
function pasted(code: string, program: string, answer = ""): string[][] {
  const record = join(folder, "calls");
  writeFileSync(record, "");
  writeFileSync(
    join(folder, program),
    `#!/bin/sh\nprintf '%s\\0' "$@" >>"${record}"\nprintf '\\n' >>"${record}"\nprintf '%s' '${answer}'\n`,
    { mode: 0o755 },
  );
  execFileSync("/bin/sh", ["-eu", "-c", code], {
    env: { ...process.env, PATH: `${folder}:/usr/bin:/bin` },
  });
  return readFileSync(record, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split("\0").slice(0, -1));
}
const codeOf = (way: (typeof agentWays)[number], more: Partial<typeof access> = {}) =>
  snippets(way, { ...access, ...more }).map(({ code }) => code);

describe("what is pasted to connect an agent", () => {
  it("[MC] claude gets the endpoint and the token as a header, each as one word", () => {
    const [run = ""] = codeOf("claude");
    expect(pasted(run, "claude")).toEqual([
      [
        ...["mcp", "add", "--transport", "http", "cotty", "https://cotty.example:8443/mcp"],
        ...["--header", `Authorization: Bearer ${access.token}`],
      ],
    ]);
  });

  it("[MC] codex gets the endpoint and the name of the variable, never the token itself", () => {
    const [set = "", run = "", toml = ""] = codeOf("codex");
    expect(pasted(`${set}\n${run}`, "codex")).toEqual([
      [
        ...["mcp", "add", "cotty", "--url", "https://cotty.example:8443/mcp"],
        ...["--bearer-token-env-var", "COTTY_TOKEN"],
      ],
    ]);
    expect(run + toml).not.toContain(access.token);
    expect(set).toBe(`export COTTY_TOKEN=${access.token}`);
  });

  it("[MC] .mcp.json is JSON without the token, because such files are shared", () => {
    const [file = "", set] = codeOf("mcp_json");
    expect(JSON.parse(file)).toEqual({
      mcpServers: {
        cotty: {
          type: "http",
          url: "https://cotty.example:8443/mcp",
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the agent fills it in.
          headers: { Authorization: "Bearer ${COTTY_TOKEN}" },
        },
      },
    });
    expect(set).toContain(access.token);
  });

  it("the curl script runs as it is pasted: it starts, types into what it started, and looks", () => {
    const [check = "", drive = ""] = codeOf("curl");
    expect(pasted(check, "curl")[0]).toContain("https://cotty.example:8443/api/v1/me");
    const calls = pasted(drive, "curl", '{"id":"0123","name":"build","pid":1}');
    expect(calls.map((words) => words.find((word) => word.startsWith("https:")))).toEqual([
      "https://cotty.example:8443/api/v1/sessions",
      "https://cotty.example:8443/api/v1/sessions/0123/input",
      "https://cotty.example:8443/api/v1/sessions/0123/screen",
    ]);
    for (const words of calls) expect(words).toContain(`Authorization: Bearer ${access.token}`);
    const body = calls[1]?.[(calls[1]?.indexOf("-d") ?? 0) + 1];
    expect(JSON.parse(body ?? "")).toEqual({ input: [{ text: "ls -la" }, { key: "Enter" }] });
  });

  it("a viewer is shown nothing that it may not do", () => {
    for (const way of agentWays)
      expect(codeOf(way, { canWrite: false }).join("\n")).not.toMatch(/POST|\/input/);
  });

  it("until there is a token no box holds one", () => {
    for (const way of agentWays)
      for (const { code } of snippets(way, { ...access, token: noToken }))
        expect(code).not.toMatch(/cot_\w+_[a-z2-7]{16}/);
  });
});
