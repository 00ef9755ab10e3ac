// Flags as commander sees them, made from the settings table, and the way back to a Config.
import { type Command, Option } from "commander";
import { type Config, type Flags, readConfig } from "#server/config/config.ts";
import { type SettingName, settings } from "#server/config/settings.ts";
import { nameStateDir } from "./terminal-output.ts";

/** Adds the flags of `names` and `--config`. */
export function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const name of names) {
    const setting = settings[name];
    const option = new Option(
      "placeholder" in setting ? `${setting.flag} <${setting.placeholder}>` : setting.flag,
      setting.help,
    );
    if ("repeatable" in setting)
      option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    command.addOption(option);
  }
  return command.option("--config <FILE>", "read settings from this file");
}

/** The configuration of a command made with `withSettings`. Throws ConfigError. */
export function configOf(command: Command): Config {
  const given = command.opts<Record<string, string | string[] | boolean | undefined>>();
  const flags: Flags = {};
  for (const [name, setting] of Object.entries(settings)) {
    const attribute = new Option(setting.flag).attributeName();
    // Commander reads `--no-open` as the negation of an `open` that is true by default.
    const negated = setting.flag.startsWith("--no-");
    const value = given[attribute];
    if (value === undefined || (negated && value === true)) continue;
    flags[name as SettingName] = negated ? true : value;
  }
  if (typeof flags.stateDir === "string") nameStateDir(flags.stateDir);
  const path = given.config;
  return readConfig(flags, process.env, typeof path === "string" ? path : undefined);
}
