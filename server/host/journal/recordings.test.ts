// Real shells with markers (e2e/recordings/*.cast): the log, replayed, gives the records, outputs and screen of the session that was recorded.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseRecording, replay } from "#server/testing/log-recording.ts";

const words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
const folder = join(import.meta.dirname, "../../../e2e/recordings");
const names = readdirSync(folder).flatMap((file) => file.match(/^(.+)\.cast$/)?.[1] ?? []);
const read = (file: string) => readFileSync(join(folder, file), "utf8");

/** What any shell must be seen to have run, however it spells its own prompts: exit code and output. */
const runs: [command: RegExp, code: number, output: string | null][] = [
  [/^true$/, 0, ""],
  [/^clear; echo cleared$/, 0, "cleared\n"],
  [/^false$/, 1, ""],
  [/exit 3\b/, 3, ""],
  [/^echo b \| tr b a$/, 0, "a\n"],
  [/^for x in 1 2/, 0, "1\n2\n"],
  // The end of the job before it may be announced here.
  [/^cd \/usr$/, 0, null],
  [/^echo a; echo 'b; c'$/, 0, "a\nb; c\n"],
  [/^printf .*1049h.*1049l'$/, 0, ""],
  [/^seq 100$/, 0, Array.from({ length: 100 }, (_, i) => `${i + 1}\n`).join("")],
  [/^echo one two .* fourteen$/, 0, `${words}\n`],
  [/^echo 'äöü 漢字'$/, 0, "äöü 漢字\n"],
  [/^echo lower$/, 0, "lower\n"],
  [/^echo narrower$/, 0, "narrower\n"],
];

describe("recorded shells", () => {
  it("bash, zsh and fish are among them", () => {
    for (const shell of ["bash", "zsh", "fish"])
      expect(names.filter((name) => name.startsWith(shell)).length).toBeGreaterThanOrEqual(1);
  });

  for (const name of names) {
    it(`[JR1] [JR2] ${name}: each command once, with its line, exit code and output, also scrolled away, cleared and wrapped anew`, async () => {
      const { records, outputs } = await replay(parseRecording(read(`${name}.cast`)));
      for (const [command, code, output] of runs) {
        const found = records.flatMap((one, i) => (command.test(one.command ?? "") ? [i] : []));
        expect(found, `${command}`).toHaveLength(1);
        const [index = 0] = found;
        expect(records[index], `${command}`).toMatchObject({ exit_code: code });
        if (output !== null) expect(outputs[index], `${command}`).toBe(output);
      }
      expect(records.find(({ command }) => command === "sleep 60")?.exit_code).toBe(130);
      // The line that was interrupted at the prompt, and the empty one, were no commands.
      expect(records.some(({ command }) => command?.includes("unfinished"))).toBe(false);
      expect(records.filter(({ command }) => command === null)).toEqual([]);
    });

    it(`[LG2] [JR1] ${name}: a log in a fresh screen and journal gives the same screen and records, however it is cut`, async () => {
      const recording = parseRecording(read(`${name}.cast`));
      const expected = JSON.parse(read(`${name}.json`));
      expect(expected.records.length).toBeGreaterThanOrEqual(15);
      for (const cut of [1 << 16, 7])
        expect(await replay(recording, cut), `cut ${cut}`).toEqual(expected);
    });
  }
});
