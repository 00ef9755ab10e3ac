// `npm run demo` is a smoke test of everything at once: prompts, a REPL, a password, resize, scrollback, reconnect.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

it("the demo shows what it promises, and ends with 0", { timeout: 90_000 }, async () => {
  const demo = spawn(process.execPath, ["scripts/demo.mjs"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [demo.stdout, demo.stderr])
    stream.on("data", (chunk) => {
      said += chunk;
    });
  const code = await new Promise((resolve) => demo.once("close", resolve));
  expect(said).toContain("done: everything happened as it should");
  expect(code).toBe(0);
});
