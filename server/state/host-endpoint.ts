// How web and the local CLI reach the host: its socket, its key, one request function (HO4). Trusts what the state directory says,
// because nobody else can write there.
import { randomUUID } from "node:crypto";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import {
  type Actor,
  actorHeader,
  encodeActor,
  hostKeyHeader,
  requestIdHeader,
} from "#lib/protocol/actor.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { type HostRecord, incompatibility, readHostRecord } from "./host-record.ts";
import { readPrivateFile } from "./private-file.ts";
import { isRunning } from "./process-identity.ts";
import type { StateDir } from "./state-dir.ts";

export interface HostReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The body as JSON; undefined when it is empty. Throws when it is something else. */
  json(): unknown;
}

export interface HostRequestOptions {
  /** Left out for paths under `/internal`, which need the key alone. */
  actor?: Actor;
  /** Sent as JSON. */
  body?: unknown;
  requestId?: string;
  /** Default 30 s without any byte from the host. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface HostEndpoint {
  readonly record: HostRecord;
  readonly socketPath: string;
  /** The headers with which a request or an upgrade is passed on as `actor`'s. Never to be sent anywhere else. */
  headers(actor: Actor | undefined, requestId: string): Record<string, string>;
  /** Throws TermError HOST_LOST when the host does not answer; every answer, errors too, is a reply. */
  request(method: string, path: string, options?: HostRequestOptions): Promise<HostReply>;
}

/** The endpoint of the host in `dir` as its files tell, without asking it; undefined when none lives there. */
export function findHost(dir: StateDir): HostEndpoint | undefined {
  const record = readHostRecord(dir);
  if (!record || !isRunning(record)) return undefined;
  const key = readPrivateFile(dir.hostKey)?.trim();
  return key ? endpoint(dir.hostSocket, record, key) : undefined;
}

/** The living host in `dir`. Throws TermError HOST_LOST: none there, not answering, or of another major version. */
export async function connectHost(dir: StateDir): Promise<HostEndpoint> {
  const found = findHost(dir);
  if (!found) throw new TermError("HOST_LOST", `no cotty host runs in ${dir.root}`);
  const refusal = incompatibility(found.record);
  if (refusal) throw new TermError("HOST_LOST", refusal);
  if (!(await answers(found))) {
    throw new TermError("HOST_LOST", `the cotty host (pid ${found.record.pid}) does not answer`);
  }
  return found;
}

/** Whether the host answers with its key within `timeoutMs`. */
export async function answers(host: HostEndpoint, timeoutMs = 5_000): Promise<boolean> {
  try {
    const reply = await host.request("GET", "/internal/status", { timeoutMs });
    return reply.status === 200;
  } catch {
    // Refused, reset or late: it does not answer.
    return false;
  }
}

export async function isHostAlive(dir: StateDir): Promise<boolean> {
  const found = findHost(dir);
  return found !== undefined && (await answers(found));
}

function endpoint(socketPath: string, record: HostRecord, key: string): HostEndpoint {
  const headers = (actor: Actor | undefined, requestId: string): Record<string, string> => ({
    [hostKeyHeader]: key,
    [requestIdHeader]: requestId,
    ...(actor ? { [actorHeader]: encodeActor(actor) } : {}),
  });
  return {
    record,
    socketPath,
    headers,
    request: (method, path, options = {}) => {
      const { actor, body, requestId = randomUUID(), timeoutMs = 30_000, signal } = options;
      const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      return new Promise((resolve, reject) => {
        const lost = (reason: string) =>
          reject(new TermError("HOST_LOST", `the cotty host does not answer: ${reason}`));
        const outgoing = httpRequest(
          {
            socketPath,
            method,
            path,
            // One request per connection: a kept connection to a host that has gone would fail the next request.
            agent: false,
            headers: {
              host: "host.invalid",
              // Never "close", and closed by us after the answer: Node ends a body with one more, empty write, which would fail on
              // a connection that the host has closed by then, and hide the answer.
              connection: "keep-alive",
              ...headers(actor, requestId),
              ...(payload
                ? { "content-type": "application/json", "content-length": payload.length }
                : {}),
            },
            ...(signal ? { signal } : {}),
          },
          (incoming) => {
            const parts: Buffer[] = [];
            incoming.on("data", (part: Buffer) => parts.push(part));
            incoming.on("error", (error) => lost(error.message));
            incoming.on("end", () => {
              const text = Buffer.concat(parts).toString("utf8");
              resolve({
                status: incoming.statusCode ?? 0,
                headers: incoming.headers,
                text,
                json: () => (text === "" ? undefined : JSON.parse(text)),
              });
            });
          },
        );
        outgoing.setTimeout(timeoutMs, () =>
          outgoing.destroy(new Error(`nothing came for ${timeoutMs} ms`)),
        );
        outgoing.on("error", (error) => lost(error.message));
        outgoing.end(payload);
      });
    },
  };
}
