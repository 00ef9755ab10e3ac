// What the gate knows of a request or upgrade: values only, so that every step is a function of a record.
import type { IncomingMessage } from "node:http";

/** Lower-case name -> every value in order of arrival. Built from the raw list: Node's own object hides duplicates (T03). */
export type HeaderFacts = ReadonlyMap<string, readonly string[]>;

export interface RequestFacts {
  readonly kind: "request" | "upgrade";
  readonly method: string;
  /** The request target exactly as it came. */
  readonly target: string;
  readonly headers: HeaderFacts;
  /** Address of the socket's other end; forwarded headers are never looked at (T06). */
  readonly peer: string;
}

export function requestFacts(
  kind: RequestFacts["kind"],
  request: Pick<IncomingMessage, "method" | "url" | "rawHeaders"> & {
    readonly socket: { readonly remoteAddress?: string | undefined };
  },
): RequestFacts {
  const headers = new Map<string, string[]>();
  const raw = request.rawHeaders;
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const value = raw[at + 1] ?? "";
    const values = headers.get(name);
    if (values) values.push(value);
    else headers.set(name, [value]);
  }
  return {
    kind,
    method: request.method ?? "",
    target: request.url ?? "",
    headers,
    peer: request.socket.remoteAddress ?? "",
  };
}

/** The value of a header that came exactly once; undefined when it is absent or doubled. */
export function single(headers: HeaderFacts, name: string): string | undefined {
  const values = headers.get(name);
  return values?.length === 1 ? values[0] : undefined;
}
