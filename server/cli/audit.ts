// `cotty audit show | verify`: reads the audit's files (AU1). Works with or without a running server.
import { type Command, InvalidArgumentError, Option } from "commander";
import { type AuditEntry, type AuditQuery, auditActs } from "#lib/protocol/audit.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { Verification } from "#server/audit/verify.ts";
import { withExamples } from "./examples.ts";
import { CliError, exitCodes } from "./exit.ts";
import { configOf, withSettings } from "./options.ts";
import { stateOf } from "./running.ts";
import { data, paint, plain, table, tell } from "./terminal-output.ts";

export function auditCommand(parent: Command): void {
  const audit = parent
    .command("audit")
    .summary("show who did what, and that nothing was changed")
    .description("The audit: one line per act, refused ones too, each bound to the one before.");
  withExamples(audit, [
    ["cotty audit show --refused", "what was refused"],
    ["cotty audit verify", "that nothing was changed"],
  ]);
  showCommand(audit);
  verifyCommand(audit);
}

function folderOf(command: Command): string {
  return stateOf(configOf(command).stateDir).audit;
}

function parseLimit(written: string): number {
  const count = /^\d{1,3}$/.test(written) ? Number(written) : 0;
  if (count < 1 || count > limits.auditPage)
    throw new InvalidArgumentError(`Give a number from 1 to ${limits.auditPage}.`);
  return count;
}

function parseNumber(written: string): number {
  if (!/^\d{1,15}$/.test(written)) throw new InvalidArgumentError("Give an entry's number.");
  return Number(written);
}

function showCommand(audit: Command): void {
  const command = audit
    .command("show")
    .summary("the newest acts, oldest first")
    .argument("[ID]", "only this session")
    .option("--actor <NAME|ID>", "only what this person or agent did")
    .addOption(new Option("--act <ACT>", "only acts of this kind").choices(auditActs))
    .option("--refused", "only what was refused")
    .option("--before <N>", "only entries older than number N", parseNumber)
    .option("--limit <N>", "how many (default 50)", parseLimit, 50)
    .option("--json", "as JSON");
  withExamples(command, [
    ["cotty audit show", "the newest 50 acts"],
    ["cotty audit show ID --actor ci", "what one agent did there"],
  ]);
  withSettings(command, ["stateDir"]).action(async (session: string | undefined) => {
    const wish = command.opts<{
      actor?: string;
      act?: AuditQuery["act"];
      refused?: true;
      before?: number;
      limit: number;
      json?: true;
    }>();
    const { readAudit } = await import("#server/audit/read-audit.ts");
    const page = await readAudit(folderOf(command), {
      limit: wish.limit,
      ...(session === undefined ? {} : { session }),
      ...(wish.actor === undefined ? {} : { actor: wish.actor }),
      ...(wish.act === undefined ? {} : { act: wish.act }),
      ...(wish.refused ? { refused: "1" } : {}),
      ...(wish.before === undefined ? {} : { before: wish.before }),
    });
    if (wish.json) data(JSON.stringify(page));
    else if (page.entries.length === 0) tell("no such acts");
    else {
      data(table(["N", "TIME (UTC)", "ACTOR", "SESSION", "ACT", "WHAT"], page.entries.map(row)));
      if (page.before !== null) tell(`older ones: --before ${page.before}`);
    }
  });
}

function row(entry: AuditEntry): string[] {
  return [
    String(entry.n),
    entry.at.slice(0, 19).replace("T", " "),
    plain(entry.actor?.name ?? "-"),
    entry.session?.slice(0, 8) ?? "-",
    entry.act,
    plain(whatOf(entry)),
  ];
}

function whatOf(entry: AuditEntry): string {
  const typed =
    entry.bytes === undefined ? [] : [`${entry.bytes} bytes${entry.redacted ? " (not kept)" : ""}`];
  const again = entry.times === undefined ? "" : ` (${entry.times} times more)`;
  const refused = entry.outcome === "done" ? [] : [`refused: ${entry.outcome}${again}`];
  const parts = [entry.what, ...typed, entry.summary, entry.note && `“${entry.note}”`, ...refused];
  return parts.filter(Boolean).join("  ").slice(0, 200);
}

function verifyCommand(audit: Command): void {
  const command = audit
    .command("verify")
    .summary("read the whole chain; the first line that was changed is named")
    .option("--head <HASH>", "also prove that this head, noted earlier, is still in the chain")
    .option("--json", "as JSON");
  withExamples(command, [
    ["cotty audit verify", ""],
    ["cotty audit verify --head HASH", "with a head noted earlier"],
  ]);
  withSettings(command, ["stateDir"]).action(async () => {
    const { head, json } = command.opts<{ head?: string; json?: true }>();
    if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
      throw new CliError(exitCodes.usage, "a head is 64 hexadecimal digits");
    const { verifyAudit } = await import("#server/audit/verify.ts");
    const found = await verifyAudit(folderOf(command), head);
    const isSound = found.faults.length === 0 && (head === undefined || found.hasExpected);
    if (json) data(JSON.stringify({ ok: isSound, ...found }));
    else report(found, head);
    if (!isSound) throw new CliError(exitCodes.failed, "the audit is not what was written");
  });
}

function report(found: Verification, head: string | undefined): void {
  for (const { file, line, reason } of found.faults)
    tell(`${paint("red", "damaged")} ${file}:${line}: ${reason}`);
  if (found.torn)
    tell(`${paint("yellow", "torn")} ${found.torn.file}:${found.torn.line}: ${found.torn.reason}`);
  if (head !== undefined && !found.hasExpected)
    tell(`${paint("red", "missing")} no entry has the hash ${head}`);
  const from = found.first ? `, from number ${found.first} on` : "";
  data(`${found.entries} entries${from}; head ${found.head ?? "none"}`);
}
