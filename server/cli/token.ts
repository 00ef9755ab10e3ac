// `cotty token create | list | revoke`: bearer tokens for agents and owners (SE4). Works with or without a running server.
import { type Command, InvalidArgumentError, Option } from "commander";
import { systemClock } from "#lib/base/clock.ts";
import { sessionIdSchema } from "#lib/protocol/ids.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type Role, roleSchema } from "#lib/protocol/roles.ts";
import {
  type CredentialStore,
  createToken,
  listTokens,
  revokeCredential,
} from "#server/state/credential-store.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { configOf, withSettings } from "./options.ts";
import { findWeb, localActor, stateOf } from "./running.ts";
import { tellAudit } from "./tell-audit.ts";
import { data, plain, table, tell } from "./terminal-output.ts";

const units: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "90s", "15m", "8h", "30d" -> milliseconds. */
export function parseDuration(written: string): number {
  const match = /^(\d{1,6})([smhd])$/.exec(written);
  const ms = match ? Number(match[1]) * (units[match[2] ?? ""] ?? 0) : 0;
  if (ms === 0)
    throw new InvalidArgumentError("Write a number and a unit, such as 15m, 8h or 30d.");
  return ms;
}

function parseName(written: string): string {
  const name = written.trim();
  if (name === "" || name.length > limits.nameChars)
    throw new InvalidArgumentError(`Give 1 to ${limits.nameChars} characters.`);
  return name;
}

function parseSession(written: string, before: string[] | undefined): string[] {
  if (!sessionIdSchema.safeParse(written).success)
    throw new InvalidArgumentError("Give a whole session id, as `cotty ls --json` shows it.");
  return [...(before ?? []), written];
}

export function tokenCommand(parent: Command): void {
  const token = parent
    .command("token")
    .summary("create, list and revoke bearer tokens")
    .description("Bearer tokens for agents and scripts.");
  withExamples(token, [
    ["cotty token create --role agent --name ci --expires 8h", ""],
    ["cotty token list", ""],
    ["cotty token revoke ci", ""],
  ]);
  createCommand(token);
  listCommand(token);
  revokeCommand(token);
}

function storeOf(command: Command): CredentialStore {
  return { folder: stateOf(configOf(command).stateDir).credentials, clock: systemClock };
}

async function auditOf(command: Command, what: string): Promise<void> {
  const { kind, id, name } = localActor();
  await tellAudit(stateOf(configOf(command).stateDir), {
    act: "token",
    actor: { kind, id, name },
    session: null,
    outcome: "done",
    what: what.slice(0, 200),
    request: null,
  });
}

function createCommand(token: Command): void {
  const command = token
    .command("create")
    .summary("make a token; it is shown once")
    .description("Make a token. It is shown once; only its hash is kept.")
    .addOption(
      new Option("--role <ROLE>", "owner: everything; agent: drive sessions; viewer: look only")
        .choices(roleSchema.options)
        .makeOptionMandatory(),
    )
    .requiredOption("--name <NAME>", "what people will see", parseName)
    .option(
      "--expires <D>",
      "end by itself after 15m, 8h, 30d … (default: until revoked)",
      parseDuration,
    )
    .option("--session <ID>", "only this session (repeatable)", parseSession)
    .option("--json", 'print {"token": …} instead of the bare token');
  withExamples(command, [
    ["cotty token create --role agent --name ci", "may drive sessions"],
    ["cotty token create --role viewer --name wall --expires 8h", "may only look"],
  ]);
  withSettings(command, ["stateDir"]).action(async () => {
    const wish = command.opts<{
      role: Role;
      name: string;
      expires?: number;
      session?: string[];
      json?: true;
    }>();
    const made = createToken(storeOf(command), {
      role: wish.role,
      name: wish.name,
      ...(wish.session ? { sessions: wish.session } : {}),
      ...(wish.expires === undefined ? {} : { ttlMs: wish.expires }),
    });
    const { id, name, role } = made.record;
    await auditOf(command, `made ${role} token ${id} (${name})`);
    const expires = iso(made.record.expiresAt);
    if (wish.json) data(JSON.stringify({ token: made.token, id, name, role, expires_at: expires }));
    else data(made.token);
    tell(
      `token ${id} for ${role} "${plain(name)}", ${expires ? `expires ${expires}` : "valid until revoked"}; it is not shown again`,
    );
    const dir = stateOf(configOf(command).stateDir);
    // Made for a server elsewhere, it would be refused there without a word of why.
    if (!findWeb(dir))
      tell(
        `no dashboard runs on ${plain(dir.root)}; the token is for one that does. Another state directory is named with --state-dir`,
      );
  });
}

function listCommand(token: Command): void {
  const command = token
    .command("list")
    .summary("show what tokens there are")
    .option("--json", "as JSON");
  withExamples(command, [["cotty token list --json | jq -r '.tokens[].name'", ""]]);
  withSettings(command, ["stateDir"]).action(() => {
    const tokens = listTokens(storeOf(command)).sort((a, b) => a.createdAt - b.createdAt);
    if (command.opts().json) {
      const rows = tokens.map(({ id, name, role, sessions, createdAt, expiresAt }) => ({
        id,
        name,
        role,
        sessions: sessions ?? null,
        created_at: iso(createdAt),
        expires_at: iso(expiresAt),
      }));
      data(JSON.stringify({ tokens: rows }));
    } else if (tokens.length === 0) {
      tell("no tokens; make one with `cotty token create --role agent --name NAME`");
    } else {
      const rows = tokens.map((one) => [
        one.id,
        one.role,
        plain(one.name),
        minute(one.createdAt) ?? "",
        minute(one.expiresAt) ?? "never",
      ]);
      data(table(["ID", "ROLE", "NAME", "CREATED", "EXPIRES"], rows));
    }
  });
}

function revokeCommand(token: Command): void {
  const command = token
    .command("revoke")
    .summary("end a token; its connections close within a second")
    .argument("<ID|NAME>", "the token's id, or its name if only one has it");
  withExamples(command, [["cotty token revoke ci", "by its name, or by its id"]]);
  withSettings(command, ["stateDir"]).action(async (wanted: string) => {
    const store = storeOf(command);
    const found = listTokens(store).filter((one) => one.id === wanted || one.name === wanted);
    const one = found.find((candidate) => candidate.id === wanted) ?? found[0];
    if (!one)
      throw new CliError(
        exitCodes.notFound,
        `no token ${JSON.stringify(wanted)}`,
        "List them with `cotty token list`.",
      );
    if (found.length > 1 && one.id !== wanted) {
      throw new CliError(
        exitCodes.usage,
        `${found.length} tokens are named ${JSON.stringify(wanted)}: ${found.map((each) => each.id).join(", ")}`,
        "Give the id.",
      );
    }
    revokeCredential(store, one.id);
    await auditOf(command, `revoked ${one.role} token ${one.id} (${one.name})`);
    tell(`revoked ${one.role} "${plain(one.name)}" (${one.id})`);
  });
}

function iso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

/** For a table: to the minute, in UTC as everywhere. */
function minute(ms: number | null): string | null {
  return iso(ms)?.slice(0, 16).replace("T", " ") ?? null;
}
