// Where a command's server is and who asks: an address and a token from flags or the environment, else the host of this machine's state
// directory, spoken to over its own socket as the person at its keyboard (HO4).
import { randomUUID } from "node:crypto";
import { type Command, Option } from "commander";
import type { ApiClient } from "#lib/client/api-client.ts";
import type { ApiClientOptions } from "#lib/client/call.ts";
import { findHost } from "#server/state/host-endpoint.ts";
import { unlessRefused } from "./api-failure.ts";
import { CliError, exitCodes } from "./exit.ts";
import { createLazyClient } from "./lazy-client.ts";
import { nodeFetch, type Route } from "./node-fetch.ts";
import { configOf, withSettings } from "./options.ts";
import { findWeb, localActor, stateOf } from "./running.ts";

export interface Remote {
  /** Failures of its calls are CliErrors already. */
  readonly api: ApiClient;
  /** The same, failing with ApiErrors: for those who try again. */
  readonly ask: ApiClient;
  /** For event streams: as for `api`. */
  readonly server: ApiClientOptions;
  /** `ws://…` or `wss://…` in front of `/api/v1`. */
  readonly socketUrl: string;
  /** For its sockets (remote-socket.ts). */
  readonly route: Route;
  /** For people: the address, or the state directory. */
  readonly where: string;
  /** Whether this machine's host answers, and not a server at an address. */
  readonly isLocal: boolean;
  /** The host that was asked has ended, and its sessions with it. Only a local one can be known to. */
  isGone(): boolean;
}

/** The flags of every command that asks a server. */
export function withServer(command: Command): Command {
  command
    .addOption(new Option("--url <URL>", "address of the server (COTTY_URL)").helpGroup("Server:"))
    .addOption(new Option("--token <TOKEN>", "its token; better: COTTY_TOKEN").helpGroup("Server:"))
    .addOption(
      new Option("--insecure", "send the token over plain HTTP beyond loopback").helpGroup(
        "Server:",
      ),
    );
  command.optionsGroup("Server:");
  return withSettings(command, ["stateDir"]);
}

export function remoteOf(command: Command): Remote {
  const given = command.opts<{ url?: string; token?: string; insecure?: true }>();
  // Out of the list of processes, where everybody on the machine could read it.
  if (given.token !== undefined) process.title = "cotty";
  const token = given.token ?? (process.env.COTTY_TOKEN || undefined);
  // COTTY_URL alone decides nothing: every program in a Cotty terminal has it, and no token (PT12).
  const url = given.url ?? (token === undefined ? undefined : process.env.COTTY_URL || undefined);
  if (token === undefined && url === undefined) return localRemote(configOf(command).stateDir);
  if (token === undefined)
    throw new CliError(
      exitCodes.auth,
      `there is no token for ${url}`,
      "Set COTTY_TOKEN; make one there with `cotty token create --role owner --name NAME`.",
    );
  const address = url ?? findWeb(stateOf(configOf(command).stateDir))?.url;
  if (address === undefined)
    throw new CliError(
      exitCodes.unreachable,
      "there is a token, and no address to send it to",
      "Give --url or COTTY_URL, the address that `cotty start` printed, or start it here.",
    );
  return webRemote(checkedAddress(address, given.insecure === true), token);
}

/** Without a slash at its end. A token goes over plain HTTP only where nobody listens in. */
function checkedAddress(written: string, isInsecure: boolean): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  const isHttp = url?.protocol === "http:" || url?.protocol === "https:";
  if (!url || !isHttp || url.username || url.password || url.search || url.hash)
    throw new CliError(
      exitCodes.usage,
      `not an address of a cotty: ${JSON.stringify(written.slice(0, 200))}`,
      "Give it like http://127.0.0.1:7070.",
    );
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !isInsecure)
    throw new CliError(
      exitCodes.usage,
      `${url.origin} would get the token unencrypted`,
      "Use https, or say --insecure where the network is yours alone.",
    );
  return url.href.replace(/\/$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function webRemote(address: string, token: string): Remote {
  const headers = { authorization: `Bearer ${token}` };
  return remote({
    baseUrl: address,
    route: () => ({ headers }),
    where: address,
    isLocal: false,
    isGone: () => false,
  });
}

function localRemote(stateRoot: string): Remote {
  const state = stateOf(stateRoot);
  const first = findHost(state);
  if (!first)
    throw new CliError(
      exitCodes.unreachable,
      `no cotty runs here (${state.root})`,
      "Start it with `cotty start`, or give --url and COTTY_TOKEN of one elsewhere.",
    );
  const actor = localActor();
  const route = () => {
    const host = findHost(state) ?? first;
    return { socketPath: host.socketPath, headers: host.headers(actor, randomUUID()) };
  };
  const { pid } = first.record;
  return remote({
    baseUrl: "http://host.invalid",
    route,
    where: state.root,
    isLocal: true,
    isGone: () => findHost(state)?.record.pid !== pid,
  });
}

function remote(facts: {
  baseUrl: string;
  route: Route;
  where: string;
  isLocal: boolean;
  isGone: () => boolean;
}): Remote {
  const { baseUrl, route, where, isLocal, isGone } = facts;
  const server: ApiClientOptions = { baseUrl, fetch: nodeFetch(route) };
  const ask = createLazyClient(server);
  return {
    api: unlessRefused(ask, where),
    ask,
    server,
    socketUrl: baseUrl.replace(/^http/, "ws"),
    route,
    where,
    isLocal,
    isGone,
  };
}
