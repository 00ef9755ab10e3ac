// The links (OSC 8) that a terminal's cells point to, instead of the library's own keeping (xterm 6.0.0, pinned; headless and browser build
// alike): that costs 3 KB and four listeners a link, all of which every scrolled line calls, and it forgets a link with its line only, so
// a status line redrawn with a link in it grows for days. Here a link is its address, and those that no cell points to are swept out
// from time to time: when a link is opened, at which moment the pen has none, and DECRC brings none back.
import { limits } from "#lib/protocol/limits.ts";

export interface LinkData {
  readonly id?: string;
  readonly uri: string;
}

interface Line {
  readonly length: number;
  readonly _data: Uint32Array;
  readonly _extendedAttrs: Readonly<Record<number, { readonly urlId: number } | undefined>>;
}

interface Buffer {
  readonly lines: { readonly length: number; get(index: number): Line | undefined };
}

/** What is touched of the library's inside; xterm-internals.test.ts fails loudly when it changes. */
interface Core {
  readonly buffers: { readonly normal: Buffer; readonly alt: Buffer };
  readonly _oscLinkService: {
    registerLink(data: LinkData): number;
    addLineToLink(urlId: number, y: number): void;
    getLinkData(urlId: number): LinkData | undefined;
  };
}

/** Bit of a cell's third word: its attributes go on in `_extendedAttrs`. */
const hasExtended = 0x10000000;

/** Puts a table in the place of the library's keeper, for good. Before the terminal's first byte. */
export function keepLinks(terminal: object): LinkTable {
  const core = (terminal as { _core: Core })._core;
  const table = new LinkTable(core);
  const service = core._oscLinkService;
  service.registerLink = (data) => table.open(data);
  service.addLineToLink = () => {};
  service.getLinkData = (urlId) => table.get(urlId);
  return table;
}

export class LinkTable {
  private readonly links = new Map<number, LinkData>();
  private readonly named = new Map<string, number>();
  private last = 0;
  private sweepAt: number = limits.linksBeforeSweep;

  constructor(private readonly core: Core) {}

  get count(): number {
    return this.links.size;
  }

  get(urlId: number): LinkData | undefined {
    return this.links.get(urlId);
  }

  /** The number to be written into cells; links of the same id and address are one. */
  open(data: LinkData): number {
    const key = data.id === undefined ? undefined : `${data.id};;${data.uri}`;
    const known = key === undefined ? undefined : this.named.get(key);
    if (known !== undefined) return known;
    if (this.links.size >= this.sweepAt) this.sweep();
    const urlId = ++this.last;
    this.links.set(urlId, data);
    if (key !== undefined) this.named.set(key, urlId);
    return urlId;
  }

  private sweep(): void {
    const used = this.inUse();
    for (const urlId of this.links.keys()) if (!used.has(urlId)) this.links.delete(urlId);
    for (const [key, urlId] of this.named) if (!used.has(urlId)) this.named.delete(key);
    // Twice what is in use: then a sweep is paid for by as many links as it has to look through.
    this.sweepAt = Math.max(limits.linksBeforeSweep, 2 * this.links.size);
  }

  private inUse(): Set<number> {
    const { normal, alt } = this.core.buffers;
    const used = new Set<number>();
    for (const { lines } of [normal, alt]) {
      for (let y = 0; y < lines.length; y++) {
        const line = lines.get(y);
        if (line) addLinks(line, used);
      }
    }
    return used;
  }
}

/** Cell by cell: a line keeps the attributes of overwritten cells too, and those point to nothing any more. */
function addLinks(line: Line, used: Set<number>): void {
  const { _data: words, _extendedAttrs: extended, length } = line;
  for (let x = 0; x < length; x++) {
    if (((words[3 * x + 2] as number) & hasExtended) === 0) continue;
    const urlId = extended[x]?.urlId;
    if (urlId) used.add(urlId);
  }
}
