// Where the shell says that it works (OSC 7, 633;P;Cwd). A shell at the other end of ssh says it too, of a machine that is not this one:
// its directory is shown with its host and never as one of ours.
import { cleanText } from "#lib/terminal/hidden-characters.ts";

const maxChars = 4_096;

export class ToldFolder {
  private path: string | null = null;
  private host: string | null = null;
  private readonly ours: ReadonlySet<string>;

  /** `hosts`: names of this machine; the part before the first dot is one as well. */
  constructor(hosts: readonly string[]) {
    this.ours = new Set(["localhost", ...hosts.flatMap((host) => [host, short(host)])].map(lower));
  }

  told(path: string, host: string | null): void {
    if (path.length > maxChars) return;
    this.path = path;
    this.host = host === null || this.ours.has(lower(host)) ? null : host;
  }

  /** On this machine, as it was told; null: never told, or of another machine. */
  get local(): string | null {
    return this.host === null ? this.path : null;
  }

  /** For people: `host:/path` of another machine. */
  get shown(): string | null {
    if (this.path === null) return null;
    return cleanText(this.host === null ? this.path : `${this.host}:${this.path}`).text;
  }
}

function short(host: string): string {
  return host.split(".")[0] ?? "";
}

function lower(host: string): string {
  return host.toLowerCase();
}
