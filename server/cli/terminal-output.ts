// Where the CLI writes: stdout is data, stderr is for people. Colour only on a terminal that wants it.
import { padded, widthOf } from "./text-width.ts";

const ansi = { bold: "1", dim: "2", red: "31", green: "32", yellow: "33", cyan: "36" } as const;

function wantsColour(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && process.env.NO_COLOR === undefined && process.env.TERM !== "dumb";
}

export function paint(
  style: keyof typeof ansi,
  text: string,
  stream: NodeJS.WriteStream = process.stderr,
): string {
  return wantsColour(stream) ? `\x1b[${ansi[style]}m${text}\x1b[0m` : text;
}

export function data(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Text of a program, with an end of line behind it where there is none. */
export function print(text: string): void {
  if (text !== "") process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** How the person calls us: in a checkout there is no `cotty` on the PATH. */
const calledAs = ["start", "cotty"].includes(process.env.npm_lifecycle_event ?? "")
  ? "npm run --silent cotty --"
  : "cotty";

/** What every command of this run was told with `--state-dir`, and so would have to be told again. */
let stateFlag = "";

export function nameStateDir(folder: string): void {
  stateFlag = ` --state-dir ${/^[\w./~+-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", "'\\''")}'`}`;
}

/** Commands in backticks are shown as the person would have to type them. */
export function tell(line: string): void {
  const typed = line.replace(
    /`cotty ([^`]*)`/g,
    (_, rest) => `\`${calledAs} ${rest}${stateFlag}\``,
  );
  process.stderr.write(`${typed}\n`);
}

/** Text of others (names, directories) on a person's terminal: no control characters. */
export function plain(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, "\u{fffd}");
}

/** Rows as aligned columns, two spaces apart, without trailing spaces. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(widthOf(title), ...rows.map((row) => widthOf(row[column] ?? ""))),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [header, ...rows].map(line).join("\n");
}
