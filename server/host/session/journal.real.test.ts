// Commands of real shells, from the kernel's terminal to records, and back from the log.
import { describe, expect, it } from "vitest";
import { LogTap, replay, withoutSurroundings } from "#server/testing/log-recording.ts";
import { realRig } from "#server/testing/real-rig.ts";
import { agent } from "#server/testing/session-rig.ts";

describe("the journal of a real shell", () => {
  it("[LG2] [JR2] a session's log, dumped and replayed, gives its records, their outputs and its screen", async () => {
    const rig = await realRig();
    const session = await rig.create({
      command: ["bash"],
      cols: 50,
      rows: 10,
      env: { HOME: "/nonexistent", PS1: "$ ", LANG: "C.UTF-8" },
    });
    const { sink } = session.dump();
    const tap = new LogTap();
    sink.onFrame((frame) => tap.take(frame, 0));
    const port = session.port(agent);
    const run = async (line: string, index: number) => {
      await port.write([{ text: line }, { key: "Enter" }]);
      await sink.until(() =>
        sink.messages("command").some(({ record }) => record.index === index && record.ended_at),
      );
    };
    await run("true", 1);
    await run("echo 'ä 漢字'; (exit 7)", 2);
    session.port().resize({ cols: 40, rows: 6 });
    await run("seq 500", 3);
    await run("cd /usr", 4);
    await run("clear; printf 'a\\nb'", 5);
    await port.write([{ text: "exit 3" }, { key: "Enter" }]);
    await rig.exited(session.id);
    await sink.until(() => sink.messages("exited").length > 0);

    const { commands } = await port.listCommands({});
    expect(commands.map(({ command, exit_code }) => [command, exit_code])).toEqual([
      ["true", 0],
      ["echo 'ä 漢字'; (exit 7)", 7],
      ["seq 500", 0],
      ["cd /usr", 0],
      ["clear; printf 'a\\nb'", 0],
      ["exit 3", undefined],
    ]);
    expect(commands.at(-1)?.flags).toEqual(["incomplete", "pty_exited"]);
    expect(commands.map(({ command_from }) => command_from)).toEqual(Array(6).fill("shell"));
    expect(commands.every(({ by }) => by.join() === "Bot")).toBe(true);
    expect(commands.map(({ cwd }) => cwd)).toEqual(["/", "/", "/", "/", "/usr", "/usr"]);
    const outputs: string[] = [];
    for (const { index } of commands)
      outputs.push((await port.readCommandOutput(index)).output.text);
    const { lines } = await port.screen();
    const size = { cols: 50, rows: 10 };
    const replayed = await replay({ size, nonce: tap.nonce, entries: tap.entries });
    expect(replayed).toEqual({ records: commands.map(withoutSurroundings), outputs, lines });
    await session.port().close("HUP");
    rig.registry.dispose();
  });
});
