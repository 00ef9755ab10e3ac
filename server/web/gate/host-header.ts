// Gate step 3 (SE2, T01-T07): the Host of every request is compared whole with a list. This is what stops DNS rebinding, so nothing
// skips it: not TLS, not static files, not unknown paths.
import { type Refusal, refusal } from "./refusal.ts";
import { type RequestFacts, single } from "./request-facts.ts";

export interface ListenAddress {
  readonly tcpPort: number;
  /** What browsers see: https with TLS or behind a TLS proxy. */
  readonly scheme: "http" | "https";
}

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
const defaultPort = { http: 80, https: 443 } as const;
/** `name`, `name:port`, `[v6]`, `[v6]:port`; names as DNS knows them, without a dot at the end. */
const shape = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::([1-9][0-9]{0,4}))?$/;

export class HostAllowList {
  /** `name:port`, the port always written. */
  private readonly allowed: ReadonlySet<string>;

  constructor(
    /** Entries of --allow-host: a name means the port that web listens on and the scheme's own; `name:port` means that port only. */
    names: readonly string[],
    private readonly address: ListenAddress,
  ) {
    const { tcpPort, scheme } = address;
    const allowed = new Set(loopbackNames.map((name) => `${name}:${tcpPort}`));
    for (const entry of names) {
      const parsed = parseHost(entry);
      if (!parsed) throw new Error(`--allow-host ${JSON.stringify(entry)} is not a host name`);
      for (const port of parsed.port === null ? [tcpPort, defaultPort[scheme]] : [parsed.port])
        allowed.add(`${parsed.name}:${port}`);
    }
    this.allowed = allowed;
  }

  /** The origin a browser has when it shows what this Host serves; null when the Host is not in the list. */
  originOf(host: string): string | null {
    const parsed = parseHost(host);
    if (!parsed) return null;
    const usual = defaultPort[this.address.scheme];
    const port = parsed.port ?? usual;
    if (!this.allowed.has(`${parsed.name}:${port}`)) return null;
    return `${this.address.scheme}://${parsed.name}${port === usual ? "" : `:${port}`}`;
  }
}

export function parseHost(host: string): { name: string; port: number | null } | null {
  if (host.length > 300) return null;
  const match = shape.exec(host.toLowerCase());
  if (!match?.[1]) return null;
  const port = match[2] === undefined ? null : Number(match[2]);
  return port !== null && port > 65_535 ? null : { name: match[1], port };
}

/** Passes with the request's own origin, for the comparison of step 5. */
export function checkHost(
  facts: RequestFacts,
  list: HostAllowList,
): { readonly origin: string } | Refusal {
  const host = single(facts.headers, "host") ?? "";
  const origin = list.originOf(host);
  if (origin !== null) return { origin };
  const shown = host.length <= 80 && parseHost(host) ? host : "this Host";
  return refusal("host", "HOST_NOT_ALLOWED", `${shown} is not a name of this server`);
}
