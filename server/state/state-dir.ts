// The state directory: where it is, what lies in it, and that nobody else can read it (SE5). Shared by host, web and CLI.
import { lstatSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Environment variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Paths inside one state directory. */
export interface StateDir {
  readonly root: string;
  /** The host's Unix socket. */
  readonly hostSocket: string;
  /** The host's key, fresh at each of its starts (HO4). */
  readonly hostKey: string;
  /** `{pid, startTime, version, protocol}` of the living host. */
  readonly hostRecord: string;
  /** Held by the host from its start to its end, so that two starts share one host. */
  readonly hostLock: string;
  /** The processes of the living host's sessions, so that the next host can end what a killed one left (HO6). */
  readonly hostSessions: string;
  readonly hostLog: string;
  /** `{pid, startTime, url, port}` of the living web process. */
  readonly webRecord: string;
  /** What a dashboard in the background says. */
  readonly webLog: string;
  /** Held by the process that serves, or is about to. */
  readonly webLock: string;
  /** Sessions that live only as long as their connection of the line service (TC1). */
  readonly lineSessions: string;
  /** One file per credential: tokens, logins, login codes; hashes only. */
  readonly credentials: string;
  /** The files of the audit (AU1). */
  readonly audit: string;
}

export function stateDirAt(root: string): StateDir {
  return {
    root,
    hostSocket: join(root, "host.sock"),
    hostKey: join(root, "host.key"),
    hostRecord: join(root, "host.json"),
    hostLock: join(root, "host.lock"),
    hostSessions: join(root, "host-sessions.json"),
    hostLog: join(root, "host.log"),
    webRecord: join(root, "web.json"),
    webLog: join(root, "web.log"),
    webLock: join(root, "web.lock"),
    lineSessions: join(root, "line-sessions.json"),
    credentials: join(root, "credentials"),
    audit: join(root, "audit"),
  };
}

/** `$XDG_STATE_HOME/cotty` or `~/.local/state/cotty`. */
export function defaultStateRoot(env: Environment): string {
  return join(env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "cotty");
}

/** Creates what is missing with 0700 and refuses directories that others could read or that are links. */
export function openStateDir(root: string): StateDir {
  const dir = stateDirAt(root);
  for (const path of [dir.root, dir.credentials, dir.audit]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const stat = lstatSync(path);
    if (!stat.isDirectory()) throw new Error(`the state directory ${path} is not a directory`);
    if (stat.uid !== process.getuid?.())
      throw new Error(`the state directory ${path} belongs to another user`);
    if ((stat.mode & 0o077) !== 0) {
      throw new Error(`the state directory ${path} can be read by others; run: chmod 700 ${path}`);
    }
  }
  return dir;
}
