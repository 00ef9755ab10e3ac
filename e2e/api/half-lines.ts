// What people leave on a shell's line, key by key, and whether it stands there unsent afterwards (DR1, DR3). Two hands on one line would make
// `rm -rf ls` of the first kind; the second kind must not keep the keyboard from an agent.

export type ShellName = "bash" | "zsh" | "fish" | "dash";

export interface HalfLine {
  readonly name: string;
  /** Typed one after another; what the screen has to show is waited for. */
  readonly steps: readonly (string | RegExp)[];
  readonly not?: readonly ShellName[];
}

const [left, up, down] = ["\x1b[D", "\x1b[A", "\x1b[B"];
const noHistory = ["dash"] as const;

/** The shell still has it. */
export const standing: readonly HalfLine[] = [
  { name: "a backslash", steps: ["rm -rf \\\r", /rm -rf \\\n/] },
  { name: "a quote", steps: ["rm -rf 'x\r", /rm -rf 'x\n/] },
  { name: "a quote, and a bit of its second row", steps: ["rm -rf 'x\r", /'x\n/, "y"] },
  { name: "a here-document", steps: ["cat <<E\r", /cat <<E/] },
  { name: "a loop", steps: ["for x in a\r", /for x in a\n/] },
  {
    name: "a row that was cut with C-u in a command of two",
    steps: ["rm \\\r", /rm \\\n/, "-rf\x15"],
  },
  { name: "Alt+Enter", steps: ["rm -rf \x1b\r", /rm -rf/], not: ["dash"] },
  {
    name: "C-u in the upper of two rows",
    steps: ["x\x1b\rrm -rf ", /rm -rf/, "\x1b[A\x15"],
    not: ["bash", "dash"],
  },
  // The kernel's and zsh's C-u take the whole line.
  {
    name: "C-u in its middle",
    steps: [`x rm -rf ${left.repeat(7)}\x15`, /[$%>#] rm -rf/],
    not: ["dash", "zsh"],
  },
  { name: "C-k in its middle", steps: [`rm -rf xx${left.repeat(2)}\x0b`, /rm -rf/] },
  { name: "C-w", steps: ["rm -rf xx\x17", /rm -rf/] },
  {
    name: "the line before, by arrow",
    steps: ["rm -f x\r", /rm -f x\n/, up, /rm -f x[\s\S]+rm -f x/],
    not: noHistory,
  },
  { name: "Alt+.", steps: ["rm -f x\r", /rm -f x\n/, "rm -rf \x1b.", /rm -rf x/], not: noHistory },
  { name: "a completed word", steps: ["rm -rf ke\t", /rm -rf ke/] },
  { name: "an open search", steps: ["rm -f x\r", /rm -f x\n/, "\x12"], not: noHistory },
  {
    name: "a paste of two lines",
    steps: ["\x1b[200~rm -rf \\\nx\x1b[201~", /rm -rf/],
    not: ["dash"],
  },
  {
    name: "typed ahead of a program",
    steps: ["sleep 1\rrm -rf \\\r", /[$%>#] (rm -rf \\\n|> ?$)/m],
  },
];

/** Nothing is left of it. */
export const over: readonly HalfLine[] = [
  { name: "a command", steps: ["echo o''ne\r", /^one$/m] },
  { name: "two commands at once", steps: ["echo o''ne\recho t''wo\r", /two$/m] },
  { name: "a command of two rows", steps: ["echo 'a\r", /'a\n/, "b'\r", /^b$/m] },
  { name: "C-c in the second row", steps: ["rm -rf \\\r", /rm -rf \\\n/, "\x03"] },
  { name: "C-c", steps: ["rm -rf x", /rm -rf x/, "\x03"] },
  { name: "Alt+#", steps: ["rm x", /rm x/, "\x1b#", /#rm x\n/], not: ["dash", "zsh"] },
  { name: "C-u", steps: ["rm -rf x", /rm -rf x/, "\x15"] },
  { name: "backspaces", steps: ["rm", /rm/, "\x7f\x7f"] },
  { name: "C-w", steps: ["rm", /rm/, "\x17"] },
  {
    name: "to the line before and back",
    steps: ["rm -f x\r", /rm -f x\n/, up, down],
    not: noHistory,
  },
  { name: "a search that was left", steps: ["\x12", "\x07"], not: ["dash", "fish"] },
  {
    name: "vim, stopped",
    steps: ["vim -u NONE --cmd 'set t_RV='\r", /VIM - Vi/, "\x1a", /topped|suspended/],
  },
  { name: "less, left with q", steps: ["LESS= less many\r", /^many$/m, "q", /less many\n/] },
  { name: "cat with half a quote", steps: ["cat\r", /cat\n/, "it's\r", /it's\n/] },
  {
    name: "a question",
    steps: ['sh -c \'read -r -p "Name: " x; echo "<$x>"\'\r', /^Name:/m, "Ada\r", /<Ada>/],
    not: ["dash"],
  },
];
