// HTTP by hand over a TCP socket: sends exactly the bytes given and reads whole answers, so that tests can say what no HTTP client says.
import { connect, type Socket } from "node:net";

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; values of repeated headers joined with ", ". */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** Whether the server ended the connection. */
  readonly isClosed: boolean;
  readonly elapsedMs: number;
}

/** Sends `bytes` to 127.0.0.1 and resolves with the first final answer, or with status 0 when the server closed without one. */
export function rawHttp(
  tcpPort: number,
  bytes: string | Uint8Array,
  options: { readonly waitForCloseMs?: number } = {},
): Promise<RawAnswer> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: tcpPort });
    const parts: Buffer[] = [];
    const isHead = Buffer.from(bytes).subarray(0, 5).toString("latin1") === "HEAD ";
    let timer: NodeJS.Timeout | null = null;
    const finish = (isClosed: boolean) => {
      if (timer) clearTimeout(timer);
      clearTimeout(patience);
      socket.destroy();
      const answer = parseAnswer(Buffer.concat(parts).toString("latin1"));
      resolve({ ...answer, isClosed, elapsedMs: performance.now() - started });
    };
    const patience = setTimeout(() => {
      socket.destroy();
      reject(
        new Error(
          `no whole answer within 20 s; got ${JSON.stringify(String(Buffer.concat(parts)))}`,
        ),
      );
    }, 20_000);
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (part) => {
      parts.push(part);
      if (timer || !isWhole(Buffer.concat(parts).toString("latin1"), isHead)) return;
      if (options.waitForCloseMs === undefined) finish(false);
      else timer = setTimeout(() => finish(false), options.waitForCloseMs);
    });
    // A reset after the answer still leaves the answer.
    socket.on("error", () => {});
    socket.on("close", () => finish(true));
  });
}

/** Keeps a connection open for as long as a test likes. */
export function openRaw(tcpPort: number, bytes = ""): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: tcpPort }, () => {
      if (bytes !== "") socket.write(bytes);
      resolve(socket);
    });
    socket.once("error", reject);
  });
}

/** A request's bytes from its parts; header lines are sent as they are. */
export function rawRequest(method: string, target: string, headers: readonly string[], body = "") {
  return `${[`${method} ${target} HTTP/1.1`, ...headers].join("\r\n")}\r\n\r\n${body}`;
}

function headEnd(text: string): number {
  const end = text.indexOf("\r\n\r\n");
  // 100 Continue comes before the answer.
  if (end >= 0 && /^HTTP\/1\.1 100/.test(text)) {
    const next = headEnd(text.slice(end + 4));
    return next < 0 ? -1 : end + 4 + next;
  }
  return end;
}

function isWhole(text: string, isHead: boolean): boolean {
  const end = headEnd(text);
  if (end < 0) return false;
  const { status, headers, body } = parseAnswer(text);
  // A decoded body no longer ends with its last chunk.
  if (headers.get("transfer-encoding") === "chunked") return text.endsWith("0\r\n\r\n");
  if (isHead || status === 101 || status === 204 || status === 304) return true;
  const length = headers.get("content-length");
  return length !== undefined && body.length >= Number(length);
}

function parseAnswer(text: string): Pick<RawAnswer, "status" | "headers" | "body"> {
  const start = text.startsWith("HTTP/1.1 100") ? text.indexOf("\r\n\r\n") + 4 : 0;
  const end = headEnd(text);
  const head = text.slice(start, end < 0 ? undefined : end).split("\r\n");
  const headers = new Map<string, string>();
  for (const line of head.slice(1)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head[0] ?? "")?.[1] ?? 0);
  const body = end < 0 ? "" : text.slice(end + 4);
  const isChunked = headers.get("transfer-encoding") === "chunked";
  return { status, headers, body: isChunked && body.endsWith("0\r\n\r\n") ? dechunk(body) : body };
}

function dechunk(body: string): string {
  let text = "";
  for (let at = 0; ; ) {
    const line = body.indexOf("\r\n", at);
    const length = Number.parseInt(body.slice(at, line), 16);
    if (!(length > 0)) return text;
    text += body.slice(line + 2, line + 2 + length);
    at = line + 2 + length + 2;
  }
}
