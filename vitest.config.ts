import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { fishHome } from "./server/testing/fish-home.ts";

/** What a process must have to itself: its memory, descriptors, a changed environment, mocks, V8's flags. */
const needsOwnProcess =
  /memoryUsage|heapUsed|cpuUsage|\bgc\b|\/proc\/self|process\.chdir|process\.env\.\w+ = |stubEnv|stubGlobal|vi\.mock|FlagsFromString/;

const testsOf = (room: string) =>
  readdirSync(join(import.meta.dirname, room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => `${room}/${name}`);
const unitTests = ["lib", "server", "components"].flatMap(testsOf);
const apiTests = testsOf("e2e/api");
const alone = [...unitTests, ...apiTests].filter((name) =>
  needsOwnProcess.test(readFileSync(join(import.meta.dirname, name), "utf8")),
);

/** Shells under test read nobody's start-up files: some take a minute, or stand still when several shells start at once. */
const home = fishHome(mkdtempSync(join(tmpdir(), "cotty-home-")));
process.once("exit", () => rmSync(home, { recursive: true, force: true }));

/**
 * The longest, for which nobody should have to wait at the end of a run; a fresh clone remembers no durations. The two runs of the corpus of
 * situations, sixteen at once, stand apart: each is as much as the processors can do.
 */
const first = [
  "e2e/api/terminal",
  "e2e/api/waits",
  "e2e/api/shell-stacks",
  "e2e/api/floods",
  "e2e/api/cli-exit-codes",
  "e2e/api/cli-quickstart",
  "e2e/api/half-lines",
  "e2e/api/adversity",
  "e2e/api/secrets",
  "e2e/api/tui",
  "e2e/api/cli-attach",
  "e2e/api/web-kills",
  "e2e/api/access-doors",
  "e2e/api/cli-inside",
  "e2e/api/lifecycle",
  "e2e/api/agents-responses",
  "e2e/api/package",
  "e2e/api/keyboard",
  "e2e/api/agents-fuzz",
  "e2e/api/tcp",
  "e2e/api/doors",
  "e2e/api/audit",
  "e2e/api/cli",
  "server/host/bombs-in-one-session",
  "server/host/activity/real",
  "server/host/pty/lifecycle",
  "server/host/api/attach-sockets",
  "server/host/api/silent-peers",
  "server/host/pty/input",
  "server/testing/bombs",
  "server/host/situations",
  "server/host/session/whose-hands.real",
  "server/host/start",
  "server/host/main",
  "server/audit/kills",
  "server/cli/mcp",
  "server/host/mcp/mcp-over-http",
  "server/web/listener",
  "server/host/api/read-output",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const at = first.findIndex((name) => moduleId.endsWith(`${name}.test.ts`));
      const place = at < 0 ? first.length : at;
      // Those that share a process stand together: it is kept only from one of them to the next.
      return ["api", "alone", "shared"].indexOf(project.name) * (first.length + 1) + place;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

// Unit and API tests; the browser tests are Playwright's (playwright.config.ts).
export default defineConfig({
  test: {
    // Two cores here and in CI, which three keep busy to the end; with four, tests in which time matters wait for their turn too often.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: { name: "alone", include: alone },
      },
      {
        // What they test are processes of their own.
        extends: true,
        test: { name: "api", include: apiTests, exclude: alone, isolate: false },
      },
      {
        // A process and its modules for many files: starting both anew takes longer than most of them run.
        extends: true,
        test: { name: "shared", include: unitTests, exclude: alone, isolate: false },
      },
    ],
    // No test is about these: they end what hangs, on a machine that has other things to do as well.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    unstubEnvs: true,
    env: { HOME: home },
  },
});
