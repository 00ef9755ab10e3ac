// Pagers, editors, monitors and interpreters: they wait for keys, each in its own way.
import type { Situation, Step } from "./situation.ts";

const waits: Step = { expect: "waiting_input" };
const exactly: Step = { expect: "waiting_input", confidence: "exact" };
const long = Array.from({ length: 300 }, (_, i) => `line ${i}`).join("\n");

export const programSituations: readonly Situation[] = [
  {
    name: "less",
    command: ["less", "file"],
    needs: ["less"],
    files: { file: long },
    steps: [exactly, { keys: " " }, exactly],
  },
  {
    name: "more",
    command: ["more", "file"],
    needs: ["more"],
    files: { file: long },
    steps: [exactly, { keys: " " }, exactly],
  },
  { name: "man", command: ["man", "bash"], needs: ["man"], steps: [{ ...waits, withinMs: 9_000 }] },
  {
    name: "vim",
    command: ["vim", "-u", "NONE", "-N", "file"],
    needs: ["vim"],
    steps: [waits, { keys: "ihello" }, waits],
  },
  {
    name: "vim runs a command",
    command: ["vim", "-u", "NONE", "-N", "file"],
    needs: ["vim"],
    steps: [waits, { keys: ":!sleep 1.5\r", busyMs: 1_300 }, waits],
  },
  { name: "nano", command: ["nano", "file"], needs: ["nano"], steps: [waits] },
  { name: "top", command: ["top", "-d", "30"], needs: ["top"], steps: [waits] },
  { name: "htop", command: ["htop"], needs: ["htop"], steps: [waits] },
  {
    name: "gdb",
    command: ["gdb", "-q", "-nx"],
    needs: ["gdb"],
    steps: [{ ...exactly, withinMs: 9_000 }],
  },
  {
    name: "sqlite3",
    command: ["sqlite3"],
    needs: ["sqlite3"],
    steps: [exactly, { keys: "select 1;\r" }, exactly],
  },
  {
    name: "bc",
    command: ["bc", "-q"],
    needs: ["bc"],
    steps: [exactly, { keys: "2^10\r" }, exactly],
  },
  {
    name: "less follows a file",
    command: ["less", "+F", "file"],
    needs: ["less"],
    files: { file: long },
    steps: [{ busyMs: 1_500, expect: "running" }, { keys: "\x03" }, exactly],
  },
  {
    name: "gdb pauses what it prints",
    command: ["gdb", "-q", "-nx", "-ex", "set height 10", "-ex", "help all"],
    needs: ["gdb"],
    steps: [
      { ...exactly, withinMs: 9_000 },
      { keys: "\r", ...exactly },
      { keys: "q\r", ...exactly },
    ],
  },
  {
    name: "sqlite3 asks for the rest, and computes",
    command: ["sqlite3"],
    needs: ["sqlite3"],
    steps: [
      exactly,
      { keys: "with recursive c(x) as (select 1 union all\r", ...exactly },
      { keys: "select x+1 from c where x<8000000) select count(*) from c;\r", busyMs: 700 },
      { ...exactly, withinMs: 20_000 },
    ],
  },
  {
    name: "the REPL of python asks for the rest of a block",
    command: ["/usr/bin/env", "python3", "-q"],
    needs: ["python3"],
    steps: [
      { ...exactly, withinMs: 9_000 },
      { keys: "if True:\r", ...exactly },
      { keys: "  import time; time.sleep(1.2)\r\r", busyMs: 1_000 },
      exactly,
    ],
  },
  {
    name: "the REPL of python",
    command: ["/usr/bin/env", "python3", "-q"],
    needs: ["python3"],
    steps: [
      { ...exactly, withinMs: 9_000 },
      { keys: "import time; time.sleep(1.2)\r", busyMs: 1_000 },
      exactly,
      { keys: '"password: ' },
      exactly,
    ],
  },
  {
    name: "the REPL of node",
    command: ["node", "-i"],
    steps: [
      { ...waits, withinMs: 12_000 },
      { keys: "for (const t = Date.now(); Date.now() - t < 1500;);\r", busyMs: 1_200 },
      waits,
    ],
  },
  {
    name: "a shell inside tmux",
    command: ["tmux", "-L", "situation", "-f", "conf", "new-session", "exec bash --norc -i"],
    needs: ["tmux"],
    files: { conf: "set -g status off\n" },
    steps: [{ ...waits, withinMs: 9_000 }, { keys: "exit\r" }, { expect: "exited" }],
  },
  {
    name: "bash under expect",
    command: ["expect", "-c", "spawn -noecho bash --norc -i; interact"],
    needs: ["expect"],
    steps: [{ ...waits, withinMs: 9_000 }],
  },
];
