// A setting that cannot be used, whoever reads it.

/** The message names the value's source, the value and what would be right. Exit code 2. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
