import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { screenReplySchema } from "#lib/protocol/screen.ts";
import { attacks, type HygieneCase, legitimate } from "#lib/terminal/hygiene-corpus.ts";
import { screenOf } from "#server/testing/screen-dsl.ts";
import { screenReply } from "./screen-reply.ts";

async function read({ output }: Pick<HygieneCase, "output">, cols = 80) {
  const screen = await screenOf(output, { cols, rows: 4 });
  const view = screen.view();
  const replies = {
    whole: screen.text(),
    compact: screenReply(view, { view: "compact" }, undefined),
    raw: screenReply(view, { format: "raw" }, undefined),
    html: screenReply(view, { format: "html" }, undefined),
    joined: screenReply(view, { join_wrapped: "1" }, undefined),
  };
  screen.dispose();
  return replies;
}

describe("hygiene of a screen", () => {
  it("the corpus has more than thirty attacks and more than twenty honest texts", () => {
    expect(attacks.length).toBeGreaterThan(30);
    expect(legitimate.length).toBeGreaterThan(20);
  });

  for (const sample of [...attacks, ...legitimate]) {
    it(`[T88] ${sample.name}`, async () => {
      const { whole, compact, joined } = await read(sample);
      expect(whole.lines[0]).toBe(sample.text);
      if (sample.isDroppedByEmulator) return;
      expect(whole.hygiene.stripped).toBe(sample.stripped);
      expect(whole.hygiene.suspicious.map(({ kind }) => kind)).toEqual(sample.suspicious);
      expect(JSON.stringify(whole.hygiene)).not.toContain(sample.secret ?? "\0");
      expect(JSON.stringify([whole, compact])).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      const isOdd = sample.stripped > 0 || sample.suspicious.length > 0;
      expect("hygiene" in compact && compact.hygiene !== undefined).toBe(isOdd);
      if ("lines" in joined && !sample.name.includes("wrap")) {
        expect(joined.lines[0]).toBe(sample.text);
      }
    });
  }

  it("[T88] format=raw still has what was taken out of the text", async () => {
    const { raw } = await read({ output: "a\u200bb\u202ec" });
    expect(raw).toMatchObject({ lines: ["abc", "", "", ""] });
    expect("raw" in raw && raw.raw?.startsWith("a\u200bb\u202ec")).toBe(true);
  });

  it("[T88] a finding names the cells, behind wide characters too", async () => {
    const { whole } = await read({ output: "\r\n\u4e2d\u6587 \x1b[8mab cd\x1b[m x" });
    expect(whole.hygiene.suspicious).toEqual([
      expect.objectContaining({ kind: "concealed_text", row: 1, col: 5, cols: 5 }),
    ]);
  });

  it("[T84] a false host is named, and a false link's own text is not repeated", async () => {
    const uri = "https://evil.example/x";
    const { whole } = await read({ output: `\x1b]8;;${uri}\x1b\\bank.example/y\x1b]8;;\x1b\\` });
    expect(whole.hygiene.suspicious[0]?.detail).toContain("evil.example");
    expect(whole.hygiene.suspicious[0]).toMatchObject({ row: 0, col: 0 });
  });

  it("[T84] a link whose text wraps is read as a whole", async () => {
    const text = "https://bank.example/a/long/way";
    const { whole } = await read(
      { output: `\x1b]8;;https://evil.example\x1b\\${text}\x1b]8;;\x1b\\` },
      12,
    );
    expect(whole.hygiene.suspicious.map(({ kind }) => kind)).toEqual(["misleading_link"]);
  });

  it(`[LM] a screen full of oddities gives ${limits.hygieneFindings} findings and no more`, async () => {
    const row = "\x1b[8mx\x1b[m y ".repeat(20);
    const screen = await screenOf(`${row}\r\n${row}\r\n${row}`, { cols: 80, rows: 4 });
    expect(screen.text().hygiene.suspicious).toHaveLength(limits.hygieneFindings);
    screen.dispose();
  });

  it("[T8E] no control, reordering or invisible character in any text, whatever the stream; HTML has no tags but ours", async () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.constantFrom(...[...attacks, ...legitimate].map(({ output }) => output)),
      fc.constantFrom(
        "<script>",
        "\"'&<b onclick=x>",
        "\x1b[7m",
        "\x1b[4:3m",
        "\x1b[8m",
        "\x1b[m",
        "\r\n",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const replies = await read({ output: pieces.join("") }, 20);
        for (const reply of Object.values(replies)) screenReplySchema.parse(reply);
        const { whole, compact, joined, html } = replies;
        const texts = [whole.lines, whole.title, compact, joined];
        expect(JSON.stringify(texts)).not.toMatch(
          /[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u061c\ufeff\u00ad\u2028\u2029\u3164]/,
        );
        const markup = "html" in html ? (html.html ?? "") : "";
        const tags = markup.match(/<[^>]*>/g) ?? [];
        for (const tag of tags) {
          expect(tag).toMatch(
            /^<(\/?(pre|span|a)|span style="[\w:#;-]*( line-through| overline)*[\w:#;-]*"|pre class="cotty-screen" style="[\w:#;]*"|a href="(https?|mailto):[^"<>]*" title="[^"<>]*" target="_blank" rel="[a-z ]*")>$/,
          );
        }
        expect(markup.replace(/<[^>]*>/g, "")).not.toMatch(/[<>"\u202a-\u202e\u2066-\u2069\u200b]/);
      }),
      { numRuns: 300 },
    );
  });
});

it("[T88] a hostile stream of bytes never makes a reading throw", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      const screen = await screenOf(bytes, { cols: 7, rows: 3 });
      screenReplySchema.parse(screen.text());
      screen.dispose();
    }),
    { numRuns: 200 },
  );
});
