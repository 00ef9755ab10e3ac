// A whole host in the test's process, in a state directory of its own, with the ways in that tests need. The real thing but for its address.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Actor } from "#lib/protocol/actor.ts";
import { type Problem, problemSchema } from "#lib/protocol/errors.ts";
import {
  apiBase,
  type BodyOf,
  type Operation,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from "#lib/protocol/operations/operation.ts";
import { type OperationName, type Operations, operations } from "#lib/protocol/operations/table.ts";
import { type HostOptions, type RunningHost, startHost } from "#server/host/start.ts";
import { connectHost, type HostEndpoint, type HostReply } from "#server/state/host-endpoint.ts";
import { AttachClientDouble, type AttachDoubleOptions } from "./attach-client-double.ts";

export const testOwner: Actor = { kind: "human", id: "owner1", name: "Olga", role: "owner" };
export const testAgent: Actor = { kind: "agent", id: "agent1", name: "Bot", role: "agent" };
export const testViewer: Actor = { kind: "human", id: "viewer1", name: "Vera", role: "viewer" };

/** An error answer where a reply was asked for. */
export class ProblemReply extends Error {
  constructor(readonly problem: Problem) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`);
  }
}

type Input<O> = {
  params?: ParamsOf<O>;
  query?: QueryOf<O>;
  body?: BodyOf<O>;
  actor?: Actor;
};

export interface TestHost {
  readonly host: RunningHost;
  readonly endpoint: HostEndpoint;
  /** One operation, its reply checked against the table. Throws ProblemReply. */
  request<Name extends OperationName>(
    name: Name,
    input?: Input<Operations[Name]>,
  ): Promise<ReplyOf<Operations[Name]>>;
  /** Anything, as the owner unless told otherwise. */
  raw(
    method: string,
    path: string,
    options?: { actor?: Actor; body?: unknown },
  ): Promise<HostReply>;
  attach(
    session: string,
    options?: { query?: string; actor?: Actor } & Partial<AttachDoubleOptions>,
  ): AttachClientDouble;
  dispose(): Promise<void>;
}

export async function startTestHost(options: Partial<HostOptions> = {}): Promise<TestHost> {
  const stateRoot = options.stateRoot ?? mkdtempSync(join(tmpdir(), "cotty-host-"));
  const host = await startHost({ ...options, stateRoot });
  return testHostOn(host, await connectHost(host.dir), () =>
    rmSync(stateRoot, { recursive: true, force: true }),
  );
}

function testHostOn(host: RunningHost, endpoint: HostEndpoint, cleanUp: () => void): TestHost {
  const viewers: AttachClientDouble[] = [];
  const raw: TestHost["raw"] = (method, path, { actor = testOwner, body } = {}) =>
    endpoint.request(method, path, { actor, ...(body === undefined ? {} : { body }) });
  return {
    host,
    endpoint,
    raw,
    async request(name, input = {}) {
      const operation: Operation = operations[name];
      const reply = await raw(operation.method, addressOf(operation, input), input);
      if (reply.status >= 400) throw new ProblemReply(problemSchema.parse(reply.json()));
      if (reply.status !== operation.status) {
        throw new Error(`${name} answered ${reply.status}, not ${operation.status}`);
      }
      return operation.reply.parse(reply.json()) as ReplyOf<Operations[typeof name]>;
    },
    attach(session, { query = "", actor = testOwner, headers = {}, ...rest } = {}) {
      const url = `ws+unix:${endpoint.socketPath}:${apiBase}/sessions/${session}/attach${query}`;
      const viewer = new AttachClientDouble(url, {
        ...rest,
        headers: { ...endpoint.headers(actor, "test"), ...headers },
      });
      viewers.push(viewer);
      return viewer;
    },
    async dispose() {
      for (const viewer of viewers) viewer.dispose();
      await host.stop();
      cleanUp();
    },
  };
}

function addressOf(operation: Operation, input: { params?: unknown; query?: unknown }): string {
  const params = (input.params ?? {}) as Record<string, string>;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(params[name] ?? ""),
  );
  const query = new URLSearchParams((input.query ?? {}) as Record<string, string>).toString();
  return `${apiBase}${path}${query && `?${query}`}`;
}
