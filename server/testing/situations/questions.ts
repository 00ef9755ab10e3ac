// Programs that ask their user something, and is no secret.
import { python, type Situation, type Step, sh } from "./situation.ts";

const asks: Step = { expect: "waiting_input", confidence: "exact" };
const asksUnsurely: Step = { expect: "waiting_input", confidence: "inferred" };
const bash = ["bash", "--norc", "-i"] as const;

export const questionSituations: readonly Situation[] = [
  {
    name: "read in a script",
    command: sh("read x; sleep 1"),
    steps: [asks, { keys: "yes\r", busyMs: 900 }, { expect: "exited" }],
    waits: [{ step: 0, outcome: "settled", confidence: "exact" }],
  },
  {
    name: "read in a script that printed nothing for a while",
    command: sh("sleep 1; read x"),
    steps: [{ busyMs: 800 }, asks],
    waits: [{ step: 0, outcome: "settled", confidence: "exact", notBeforeMs: 800 }],
  },
  {
    name: "read at a prompt of bash",
    command: bash,
    steps: [{ expect: "idle" }, { keys: "read x\r" }, asks, { keys: "a\r" }, { expect: "idle" }],
  },
  {
    name: "read at a prompt of fish, which edits the line like a command",
    command: ["fish", "--no-config"],
    needs: ["fish"],
    steps: [
      { expect: "idle", withinMs: 12_000 },
      { keys: "read x\r" },
      asksUnsurely,
      { keys: "idle " },
      asksUnsurely,
      { keys: "or not\r" },
      { expect: "idle" },
      { keys: "read -P 'Name? ' x\r" },
      asksUnsurely,
      { keys: "Ada\r", expect: "idle" },
    ],
    waits: [
      { step: 1, outcome: "settled", confidence: "inferred" },
      { step: 7, outcome: "settled", confidence: "inferred" },
    ],
  },
  {
    name: "read with a prompt",
    command: ["bash", "-c", "read -p 'Name: ' x; sleep 1"],
    steps: [asks, { keys: "Ada\r", busyMs: 900 }],
  },
  {
    name: "read with a time limit",
    command: ["bash", "-c", "read -t 4 x; sleep 3"],
    steps: [
      { expect: "waiting_input", withinMs: 3_500 },
      { expect: "running", withinMs: 8_000 },
    ],
  },
  {
    name: "read of one key",
    command: ["bash", "-c", "read -n1 -p 'Go on? ' x; sleep 1"],
    steps: [asks, { keys: "y", busyMs: 900 }],
  },
  {
    name: "two questions after each other",
    command: sh("printf 'A? '; read a; sleep 1; printf 'B? '; read b; sleep 1"),
    steps: [asks, { keys: "1\r", busyMs: 900 }, asks, { keys: "2\r", busyMs: 900 }],
  },
  {
    name: "both answers typed at once",
    command: sh("printf 'A? '; read a; sleep 1; printf 'B? '; read b; sleep 1; read c"),
    steps: [asks, { keys: "1\r2\r", busyMs: 1_900 }, asks],
  },
  {
    name: "a menu by select",
    command: ["bash", "-c", "select x in one two; do break; done; sleep 1"],
    steps: [asks, { keys: "1\r", busyMs: 900 }],
  },
  {
    name: "an installer's question",
    command: sh(
      "printf 'After this operation, 12 MB will be used.\\nDo you want to continue? [Y/n] '; read x; sleep 1",
    ),
    steps: [asks, { keys: "y\r", busyMs: 900 }],
  },
  {
    name: "rm asks before it removes",
    command: ["rm", "-i", "file"],
    files: { file: "" },
    steps: [asks, { keys: "n\r" }, { expect: "exited" }],
  },
  {
    name: "zsh without markers asks before it removes all files",
    command: ["zsh", "-f", "-i"],
    needs: ["zsh"],
    files: { one: "", two: "" },
    steps: [
      { expect: "idle" },
      { keys: "rm *\r", expect: "waiting_input", outcome: "settled" },
      { keys: "n", expect: "idle" },
    ],
  },
  {
    name: "zsh with our own integration asks whether a word is misspelled",
    command: ["zsh"],
    needs: ["zsh"],
    isIntegrated: true,
    files: { ".zshrc": "setopt correct\n" },
    steps: [
      { expect: "idle", confidence: "marker" },
      { keys: "lss\r", expect: "waiting_input", outcome: "settled" },
      { keys: "n", expect: "idle", confidence: "marker" },
    ],
  },
  {
    name: "a menu by select in zsh, at its prompt",
    command: ["zsh", "-f", "-i"],
    needs: ["zsh"],
    steps: [
      { expect: "idle" },
      { keys: "select x in a b; do break; done\r", expect: "waiting_input", outcome: "settled" },
      { keys: "1\r", expect: "idle", outcome: "command_done" },
    ],
  },
  {
    name: "bash asks before it lists what a word may become",
    command: bash,
    steps: [
      { expect: "idle" },
      { keys: "ls /usr/bin/\t\t", expect: "waiting_input", outcome: "settled" },
      { keys: "n", expect: "idle", outcome: "settled" },
    ],
  },
  {
    name: "whether a password shall be kept is no password",
    command: sh("printf 'Save password? [y/N]: '; read x; sleep 1"),
    steps: [asks, { keys: "n\r", busyMs: 900 }],
  },
  {
    name: "git asks for each hunk",
    command: sh(
      "git init -q . && git add file && git -c user.name=A -c user.email=a@b commit -qm one && echo more >>file && git add -p; sleep 1",
    ),
    needs: ["git"],
    files: { file: "one\n" },
    env: { GIT_PAGER: "cat" },
    steps: [asks, { keys: "?\r", ...asks }, { keys: "y\r", busyMs: 900 }],
  },
  {
    name: "a question in a terminal inside of the terminal, in no words",
    command: ["script", "-qc", "read x; sleep 1.2; read y", "/dev/null"],
    needs: ["script"],
    steps: [{ expect: "waiting_input" }, { keys: "a\r", busyMs: 1_000 }, asks],
  },
  {
    name: "xargs asks before each run",
    command: sh("echo a b | xargs -p -n1 sh -c 'sleep 1.2'"),
    steps: [asks, { keys: "y\r", busyMs: 1_000 }, asks, { keys: "n\r" }, { expect: "exited" }],
  },
  {
    name: "nano asks whether to save",
    command: ["nano", "file"],
    needs: ["nano"],
    steps: [
      { expect: "waiting_input" },
      { keys: "text\x18", expect: "waiting_input" },
      { keys: "n" },
      { expect: "exited" },
    ],
  },
  {
    name: "cat repeats what is typed",
    command: ["cat"],
    steps: [asks, { keys: "half" }, asks, { keys: " a line\r" }, asks],
  },
  {
    name: "python's input",
    command: python("import time; input('Name: '); time.sleep(1)"),
    needs: ["python3"],
    steps: [
      { ...asks, withinMs: 9_000 },
      { keys: "Ada\r", busyMs: 900 },
    ],
  },
  {
    name: "a user name is no secret",
    command: python("input('Username for https://example.org: ')"),
    needs: ["python3"],
    steps: [{ ...asks, withinMs: 9_000 }],
  },
  {
    name: "a question about passwords is no password",
    command: python("input('Password length: ')"),
    needs: ["python3"],
    steps: [{ ...asks, withinMs: 9_000 }],
  },
  {
    name: "perl reads a line",
    command: ["perl", "-e", "$|=1; print 'Line: '; <STDIN>; sleep 1"],
    needs: ["perl"],
    steps: [asks, { keys: "x\r", busyMs: 900 }],
  },
  {
    name: "node asks with readline",
    command: [
      "node",
      "-e",
      "const r=require('readline').createInterface({input:process.stdin,output:process.stdout});r.question('Name? ',()=>{r.close();setTimeout(()=>{},1000)})",
    ],
    steps: [
      { expect: "waiting_input", withinMs: 9_000 },
      { keys: "Ada\r", busyMs: 900 },
    ],
  },
  {
    name: "git commit opens an editor",
    command: sh(
      "git init -q . && git -c user.name=A -c user.email=a@b commit -q --allow-empty; sleep 1",
    ),
    needs: ["git", "vim"],
    env: { GIT_EDITOR: "vim -u NONE -N" },
    steps: [{ expect: "waiting_input", withinMs: 9_000 }],
  },
  {
    name: "a yes-no box by dialog",
    command: ["dialog", "--yesno", "Go on?", "8", "40"],
    needs: ["dialog"],
    steps: [{ expect: "waiting_input" }],
  },
  {
    name: "a menu by whiptail",
    command: ["whiptail", "--menu", "Which?", "12", "40", "3", "a", "one", "b", "two"],
    needs: ["whiptail"],
    steps: [{ expect: "waiting_input" }],
  },
  {
    name: "a chooser that reads keys in raw mode",
    command: python(
      "import sys,termios,tty,time\nfd=sys.stdin.fileno();old=termios.tcgetattr(fd);tty.setraw(fd)\nprint('> one\\r\\n  two\\r',end='',flush=True);sys.stdin.buffer.raw.read(1);termios.tcsetattr(fd,termios.TCSADRAIN,old);time.sleep(1)",
    ),
    needs: ["python3"],
    steps: [
      { ...asks, withinMs: 9_000 },
      { keys: "j", busyMs: 900 },
    ],
  },
  {
    name: "fzf",
    command: sh("printf 'one\\ntwo\\n' | fzf"),
    needs: ["fzf"],
    steps: [{ expect: "waiting_input" }],
  },
];
