import { describe, expect, it } from "vitest";
import { realTerminals } from "#server/testing/real-terminals.ts";
import { readForeground } from "./foreground.ts";
import { inputOf } from "./terminal-descriptor.ts";

const { run, sh } = await realTerminals();

async function until<T>(read: () => T, isRight: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + 5_000;
  for (;;) {
    const value = read();
    if (isRight(value) || performance.now() > deadline) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe("the program in front", () => {
  it("[OP1] is the shell at its prompt, then the program it runs, with its directory", async () => {
    const shell = await run(["/bin/bash", "--norc", "--noprofile", "-i"]);
    const { pid } = shell.pty;
    const idle = await until(
      () => readForeground(pid),
      (front) => front?.isSessionLeader === true,
    );
    expect(idle).toMatchObject({ pgid: pid, name: "bash", isSessionLeader: true });
    shell.pty.write(Buffer.from("cd /usr/share && sleep 30\n"));
    const busy = await until(
      () => readForeground(pid),
      (front) => front?.name === "sleep",
    );
    expect(busy).toMatchObject({ name: "sleep", cwd: "/usr/share", isSessionLeader: false });
  });

  it("is still told when the first of a pipeline has ended", async () => {
    const shell = await run(["/bin/bash", "--norc", "--noprofile", "-i"]);
    shell.pty.write(Buffer.from("true | sleep 30\n"));
    const front = await until(
      () => readForeground(shell.pty.pid),
      (one) => one?.name === "sleep",
    );
    expect(front).toMatchObject({ name: "sleep", isSessionLeader: false });
  });

  it("is null after the end, and for a pid that never was", async () => {
    const shell = await sh("exit 0");
    await shell.exited;
    expect(readForeground(shell.pty.pid)).toBeNull();
    expect(readForeground(4_000_000)).toBeNull();
  });

  it("takes input through the module where there is no descriptor", () => {
    const written: Buffer[] = [];
    const write = inputOf({ write: (data: Buffer) => written.push(data) } as never);
    expect(write(Buffer.from("abc"))).toBe(3);
    expect(Buffer.concat(written).toString()).toBe("abc");
  });
});
