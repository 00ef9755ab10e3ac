import headless, { type Terminal } from "@xterm/headless";
import { expect, it } from "vitest";
import { limits } from "#lib/protocol/limits.ts";
import { keepLinks, type LinkTable } from "./link-table.ts";

const before = limits.linksBeforeSweep;

function terminalWithLinks(): { terminal: Terminal; links: LinkTable; print(text: string): void } {
  const terminal = new headless.Terminal({
    cols: 20,
    rows: 5,
    scrollback: 10,
    allowProposedApi: true,
    logLevel: "off",
  });
  const core = (terminal as unknown as { _core: { writeSync(text: string): void } })._core;
  return { terminal, links: keepLinks(terminal), print: (text) => core.writeSync(text) };
}

function link(uri: string, text: string, id = ""): string {
  return `\x1b]8;${id};${uri}\x07${text}\x1b]8;;\x07`;
}

/** The address under a cell of the active buffer. */
function under(terminal: Terminal, links: LinkTable, x: number, y: number): string | undefined {
  const cell = (terminal.buffer.active.getLine(y)?.getCell(x) ?? {}) as {
    extended?: { urlId: number };
  };
  return links.get(cell.extended?.urlId ?? 0)?.uri;
}

it("[SC8] a line redrawn with a link in it for a day keeps no more links than a sweep leaves", () => {
  const { terminal, links, print } = terminalWithLinks();
  print(`${link("http://stays/", "stays")}\r\n`);
  let most = 0;
  for (let i = 0; i < 20_000; i++) {
    print(`\r${link(`http://e/${i}`, "x")}`);
    most = Math.max(most, links.count);
  }
  expect(most).toBeLessThanOrEqual(before);
  expect(under(terminal, links, 0, 0)).toBe("http://stays/");
  expect(under(terminal, links, 4, 0)).toBe("http://stays/");
  expect(under(terminal, links, 0, 1)).toBe("http://e/19999");
});

it("[SC8] no marker is made: nothing of a link is touched when the screen scrolls", () => {
  const { terminal, print } = terminalWithLinks();
  for (let i = 0; i < 100; i++) print(`${link(`http://e/${i}`, "x")}\r\n`);
  expect(terminal.markers.length).toBe(0);
});

it("what can still be seen outlives a sweep: scrollback, and the buffer that is not shown", () => {
  const { terminal, links, print } = terminalWithLinks();
  const sweep = () => {
    for (let i = 0; i < before; i++) print(`\r${link(`http://e/${i}`, "x")}`);
  };
  print(`${link("http://scrollback/", "s")}\r\n\n\n\n\n\n`);
  print("\x1b[?47h\x1b[H");
  print(`${link("http://alternate/", "a")}\r\n`);
  sweep();
  expect(links.count).toBeLessThan(before);
  expect(under(terminal, links, 0, 0)).toBe("http://alternate/");
  print("\x1b[?47l");
  expect(under(terminal, links, 0, 0)).toBe("http://scrollback/");
});

it("links of the same id and address are one, also after a sweep; those without an id never are", () => {
  const { links, print } = terminalWithLinks();
  print(link("http://a/", "1", "id=i") + link("http://a/", "2", "id=i"));
  expect(links.count).toBe(1);
  print(link("http://a/", "3") + link("http://a/", "4"));
  expect(links.count).toBe(3);
  print("\x1b[2J\x1b[H");
  for (let i = 0; i < before; i++) print(`\r${link(`http://e/${i}`, "x")}`);
  const swept = links.count;
  print(link("http://a/", "5", "id=i"));
  expect(links.count).toBe(swept + 1);
});
