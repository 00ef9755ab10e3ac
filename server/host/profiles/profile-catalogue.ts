// Everything a new terminal may be started as: what the machine has, and what its owner wrote (OP6). An owner's profile stands in for a found
// program of the same name. Looks again when the config file changes and every few seconds; a file that breaks keeps what was good.
import { statSync } from "node:fs";
import type { Clock } from "#lib/base/clock.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Profile, ProfileProblem, ProfilesReply } from "#lib/protocol/profiles.ts";
import type { CreateSession } from "#lib/protocol/session.ts";
import type { SessionLimits } from "#lib/protocol/session-limits.ts";
import { readConfigFile } from "#server/config/config-file.ts";
import {
  readProfiles,
  type WrittenProfile,
  type WrittenProfiles,
} from "#server/config/profiles.ts";
import { readOwnSecrets, type WrittenSecrets } from "#server/config/secrets.ts";
import { findProgram } from "#server/host/pty/program-lookup.ts";
import { sessionEnvironment } from "#server/host/pty/session-env.ts";
import { obstacleToLimits } from "#server/host/pty/session-limits.ts";
import { defaultCommand, defaultTerm, resolveCwd } from "#server/host/pty/spawn-spec.ts";
import { foundPrograms } from "./found-programs.ts";

export interface CatalogueOptions {
  /** null: the owner wrote none. It may come to be, change and go at any time. */
  readonly configFile: string | null;
  /** The host's own, from which sessions get theirs. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where sessions start. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly shellsFile?: string;
}

interface Look {
  readonly atMs: number;
  readonly reply: ProfilesReply;
}

interface Written extends WrittenProfiles {
  readonly secrets: WrittenSecrets["secrets"];
}

const nothingWritten: Written = { profiles: [], problems: [], secrets: {} };

export class ProfileCatalogue {
  private written: Written = nothingWritten;
  /** Tells one state of the file from another; null: missing. */
  private stamp: string | null | undefined;
  private look: Look | null = null;

  constructor(private readonly options: CatalogueOptions) {}

  list(): ProfilesReply {
    const { clock } = this.options;
    const isReread = this.reread();
    const isFresh = this.look !== null && clock.monotonic() - this.look.atMs < limits.programLookMs;
    if (isReread || !isFresh || !this.look)
      this.look = { atMs: clock.monotonic(), reply: this.search() };
    return this.look.reply;
  }

  /** The request with what its profile says filled in; explicit fields win. Throws BAD_PROFILE. */
  applied(request: CreateSession): CreateSession {
    if (request.profile === undefined) return request;
    const { profiles, problems } = this.list();
    const profile = profiles.find(({ name }) => name === request.profile);
    if (!profile) throw unknownProfile(request.profile, profiles, problems);
    const {
      env,
      access,
      secrets = {},
    } = this.written.profiles.find(({ name }) => name === profile.name) ?? {};
    return {
      ...request,
      // The owner's word stands for what nobody said; a person's request says more.
      ...(access === undefined || request.access !== undefined ? {} : { access }),
      command: request.command ?? [...profile.command],
      ...(request.cwd === undefined && profile.cwd !== null ? { cwd: profile.cwd } : {}),
      ...(env ? { env: { ...env, ...request.env } } : {}),
      ...(Object.keys(secrets).length > 0 ? { secrets: { ...secrets, ...request.secrets } } : {}),
    };
  }

  /** What a session of this profile may use up; undefined: its owner did not say. */
  limitsOf(name: string | undefined): SessionLimits | undefined {
    return this.written.profiles.find((profile) => profile.name === name)?.limits;
  }

  /** Where the values of the owner's secrets are found, by name. */
  get secrets(): Written["secrets"] {
    this.list();
    return this.written.secrets;
  }

  /** True when the file was read anew. */
  private reread(): boolean {
    const { configFile } = this.options;
    if (configFile === null) return false;
    const stamp = stampOf(configFile);
    if (stamp === this.stamp) return false;
    this.stamp = stamp;
    this.written = this.read(configFile);
    return true;
  }

  private read(configFile: string): Written {
    const file = readConfigFile(configFile);
    switch (file.kind) {
      case "missing":
        return nothingWritten;
      case "broken": {
        const problem = { line: file.line, message: `the config file ${file.reason}` };
        return { ...this.written, problems: [problem] };
      }
      case "values":
        return withSecrets(
          readProfiles(file.values.profiles, file.lines),
          readOwnSecrets(file.values.secrets, file.lines),
        );
    }
  }

  private search(): ProfilesReply {
    const { environment, shellsFile = "/etc/shells" } = this.options;
    const env = this.environmentWith({});
    const found = foundPrograms({
      path: env.PATH ?? "",
      // Of the host's environment, as a session without a command gets it.
      defaultShell: defaultCommand(environment)[0] ?? "/bin/sh",
      shellsFile,
    });
    const own: Profile[] = [];
    const missing: ProfileProblem[] = [];
    for (const profile of this.written.profiles) {
      const obstacle = this.obstacleTo(profile);
      if (obstacle === null) own.push(offered(profile));
      else
        missing.push({
          line: profile.line,
          message: `${profile.name} is not offered: ${obstacle}`,
        });
    }
    const isOwn = new Set(this.written.profiles.map(({ name }) => name));
    return {
      profiles: [...found.filter(({ name }) => !isOwn.has(name)), ...own],
      problems: [...this.written.problems, ...missing],
    };
  }

  private obstacleTo({ command, cwd, env, limits: bounds }: WrittenProfile): string | null {
    const full = this.environmentWith(env);
    try {
      const folder = resolveCwd(cwd ?? this.options.cwd, full, undefined);
      const program = findProgram(command[0] ?? "", folder, full.PATH ?? "");
      return program.kind === "refused" ? program.reason : obstacleToLimits(bounds ?? {});
    } catch (error) {
      if (error instanceof TermError) return error.message;
      throw error;
    }
  }

  private environmentWith(given: Readonly<Record<string, string>>): Record<string, string> {
    const { environment } = this.options;
    return sessionEnvironment({
      server: environment,
      term: defaultTerm,
      sessionId: "",
      url: null,
      given,
    });
  }
}

function withSecrets(
  { profiles, problems }: WrittenProfiles,
  { secrets, problems: flaws }: WrittenSecrets,
): Written {
  return { profiles, problems: [...problems, ...flaws], secrets };
}

function offered({ name, command, cwd, env, secrets, icon }: WrittenProfile): Profile {
  return {
    name,
    title: name,
    kind: "own",
    icon,
    command: [...command],
    cwd,
    env: [...new Set([...Object.keys(env), ...Object.keys(secrets)])],
    is_default: false,
  };
}

function unknownProfile(
  wanted: string,
  profiles: readonly Profile[],
  problems: readonly ProfileProblem[],
): TermError {
  const names = profiles.map(({ name }) => name);
  const list = names.slice(0, 30).join(", ") + (names.length > 30 ? ", …" : "");
  const broken =
    problems.length > 0 ? `; the config file has ${problems.length} broken entries` : "";
  return new TermError(
    "BAD_PROFILE",
    `there is no profile ${JSON.stringify(wanted)}; there are ${list}${broken}`,
    { errors: [{ path: "body.profile", message: "is not a known profile" }] },
  );
}

/** A save may keep size or time, an editor's rename changes the inode: all of them together tell. */
function stampOf(file: string): string | null {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(file);
    return [mtimeMs, ctimeMs, size, ino].join();
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? null : code;
  }
}
