// IN2, shown by the program: which bytes arrive for every key there is, through the HTTP API.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { applicationKeys, keyBytes, keyModifiers, keyTable } from "#server/testing/key-table.ts";
import { ProbeSession } from "#server/testing/probe-session.ts";
import { startTestHost, type TestHost } from "#server/testing/test-host.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startTestHost();
});
afterAll(async () => {
  await host.dispose();
});

const characters: readonly [string, string][] = [
  ["q", "q"],
  ["Z", "Z"],
  ["%", "%"],
  ["é", "é"],
  ["日", "日"],
  ["👩", "👩"],
  ["M-x", "^[x"],
  ["M--", "^[-"],
  ["S-a", "A"],
  ["M-S-a", "^[A"],
  ["C-Space", "^@"],
  ["C-[", "^["],
  ["C-\\", "^\\"],
  ["C-]", "^]"],
  ["C-^", "^^"],
  ["C-_", "^_"],
  ...Array.from({ length: 26 }, (_, i): [string, string] => [
    `C-${String.fromCharCode(97 + i)}`,
    `^${String.fromCharCode(65 + i)}`,
  ]),
];
const noKeys = ["C-Enter", "C-1", "S-1", "C-é", "ab", "Entr", "F13", "F0", "C-C-a", "X-a", "C--"];

describe("keys at the program", () => {
  it.each([
    ["normal", "", {}],
    ["application", "\\x1b[?1h\\x1b=", applicationKeys],
  ] as const)(
    "[IN2] in %s mode every key of the table sends exactly its bytes, and what is no key sends none",
    async (_mode, print, changed) => {
      const session = await ProbeSession.start(host, { print });
      const wanted = new Map<string, string>([
        ...keyTable.flatMap(([name, ...columns]) =>
          columns.map((shown, at): [string, string] => [`${keyModifiers[at]}${name}`, shown]),
        ),
        ...characters,
        ...Object.entries(changed),
      ]);
      let refused = 0;
      let expected = "";
      const received = await session.received(async () => {
        for (const [key, shown] of wanted) {
          // The separator names the key that a difference begins at.
          const reply = await session.post("input", { input: [{ raw: "|" }, { key }] });
          if (shown === "-") {
            expect([key, reply.status]).toEqual([key, 400]);
            expect(reply.json()).toMatchObject({
              code: "UNKNOWN_KEY",
              errors: [{ path: "body.input.1.key" }],
            });
            refused += 1;
          } else {
            expect([key, reply.status]).toEqual([key, 200]);
            expected += `|${Buffer.from(keyBytes(shown)).toString("latin1")}`;
          }
        }
        for (const key of noKeys) {
          const reply = await session.post("input", { input: [{ raw: "!" }, { key }] });
          expect([key, reply.status]).toEqual([key, 400]);
        }
      });
      const sequences = (bytes: string) => bytes.split("|").map((part) => JSON.stringify(part));
      expect(sequences(Buffer.from(received, "hex").toString("latin1"))).toEqual(
        sequences(expected),
      );
      expect(refused).toBe([...wanted.values()].filter((shown) => shown === "-").length);
      expect(wanted.size).toBeGreaterThan(300);
      await session.close();
    },
    120_000,
  );
});
