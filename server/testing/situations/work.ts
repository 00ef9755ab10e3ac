// Programs that work: whatever they print or leave unprinted, they wait for nobody.
import { python, type Situation, sh } from "./situation.ts";

const works = (ms: number) => [{ busyMs: ms, expect: "running" }] as const;
const ends = (ms: number) => [{ busyMs: ms }, { expect: "exited" }] as const;

export const workSituations: readonly Situation[] = [
  {
    name: "sleep",
    command: ["sleep", "2"],
    steps: ends(1_800),
    waits: [{ step: 0, outcome: "exited", notBeforeMs: 1_800 }],
  },
  {
    name: "a compiler that says nothing",
    command: sh("timeout 2 sh -c 'while :; do :; done'"),
    steps: ends(1_800),
  },
  { name: "a build that waits for a disk", command: sh("sleep 2 | cat"), steps: ends(1_800) },
  {
    name: "make runs a job",
    command: ["make", "-s"],
    needs: ["make"],
    files: { Makefile: "all:\n\t@sleep 2\n" },
    steps: ends(1_800),
  },
  {
    name: "a progress bar",
    command: sh("for i in 1 2 3 4 5 6 7 8; do printf '\\r[%s%%] ' $i; sleep 0.25; done"),
    steps: ends(1_800),
  },
  {
    name: "a progress bar that pauses",
    command: sh("printf 'Downloading: 37%% '; sleep 2"),
    steps: ends(1_800),
  },
  {
    name: "a spinner",
    command: sh(
      "for i in 1 2 3 4 5; do for c in '|' / - '\\\\'; do printf '\\r%s working ' \"$c\"; sleep 0.1; done; done",
    ),
    steps: ends(1_700),
  },
  {
    name: "a spinner that listens for keys",
    command: python(
      "import select,sys,time\nfor i in range(25):\n  print('\\r'+'|/-\\\\'[i%4]+' working ',end='',flush=True);select.select([sys.stdin],[],[],0.08)",
    ),
    needs: ["python3"],
    steps: [{ busyMs: 1_500 }],
  },
  {
    name: "a line that ends in a colon",
    command: sh("printf 'Compiling: '; sleep 2"),
    steps: ends(1_800),
  },
  {
    name: "a line that ends in three dots",
    command: sh("printf 'Loading…'; sleep 2"),
    steps: ends(1_800),
  },
  {
    name: "a line that ends in a question",
    command: sh("printf 'Ready? [y/N] '; sleep 2"),
    steps: ends(1_800),
  },
  {
    name: "a line that looks like a prompt",
    command: sh("printf 'root@host:~# '; sleep 2"),
    steps: ends(1_800),
  },
  {
    name: "a line that looks like a prompt, in a shell",
    command: ["bash", "--norc", "-i"],
    steps: [
      { expect: "idle" },
      { keys: "printf 'x$ '; sleep 1.5\r", busyMs: 1_300 },
      { expect: "idle" },
    ],
  },
  {
    name: "dots with pauses",
    command: sh("for i in 1 2 3; do printf .; sleep 0.7; done"),
    steps: ends(1_900),
  },
  {
    name: "a server that says what it serves",
    command: ["/usr/bin/env", "python3", "-u", "-m", "http.server", "--bind", "127.0.0.1", "0"],
    needs: ["python3"],
    steps: works(2_000),
  },
  {
    name: "a chatty server",
    command: sh("while :; do echo request served; sleep 0.1; done"),
    steps: works(2_000),
  },
  {
    name: "a server that listens for keys",
    command: [
      "node",
      "-e",
      "process.stdin.resume();require('net').createServer().listen(0,'127.0.0.1',()=>console.log('ready, press h for help'))",
    ],
    steps: works(2_500),
  },
  {
    name: "tail -f",
    command: ["tail", "-f", "log"],
    files: { log: "started\n" },
    steps: works(2_000),
  },
  { name: "watch", command: ["watch", "-n", "1", "true"], needs: ["watch"], steps: works(2_000) },
  {
    name: "a pipe into a pager that has nothing yet",
    command: sh("{ sleep 1.5; seq 500; } | less"),
    needs: ["less"],
    steps: [{ busyMs: 1_300 }, { expect: "waiting_input" }],
  },
  {
    name: "a child that reads a pipe",
    command: sh("sleep 2 | while read x; do :; done"),
    steps: ends(1_800),
  },
  {
    name: "a flood",
    command: sh("timeout 2 yes"),
    steps: [{ busyMs: 1_700 }, { expect: "exited", withinMs: 9_000 }],
  },
  {
    name: "a thread takes keys while the program computes",
    command: python(
      "import sys,threading,time\nthreading.Thread(target=sys.stdin.readline,daemon=True).start()\nprint('Building: ',end='',flush=True);end=time.time()+3\nwhile time.time()<end: pass",
    ),
    needs: ["python3"],
    steps: [{ busyMs: 2_500 }],
  },
  {
    name: "a thread takes keys while the program prints",
    command: python(
      "import sys,threading,time\nthreading.Thread(target=sys.stdin.readline,daemon=True).start()\nfor i in range(10): print('step',i,flush=True);time.sleep(0.3)",
    ),
    needs: ["python3"],
    steps: [{ busyMs: 2_500 }],
  },
  {
    name: "progress of a program that takes keys and waits for a child",
    command: [
      "node",
      "-e",
      "process.stdin.resume();process.stdout.write('Downloading 37%');require('child_process').exec('sleep 3',()=>process.exit())",
    ],
    steps: [{ busyMs: 2_500 }],
  },
  {
    name: "progress of a program that takes keys and waits for a time",
    command: [
      "node",
      "-e",
      "process.stdin.resume();process.stdout.write('Compiling...');setTimeout(()=>process.exit(),3000)",
    ],
    steps: [{ busyMs: 2_500 }],
  },
  {
    name: "progress in a terminal inside of the terminal",
    command: ["script", "-qc", "printf '0%% [Working]'; sleep 2.5", "/dev/null"],
    needs: ["script"],
    steps: [{ busyMs: 2_300 }, { expect: "exited" }],
  },
  {
    name: "typing into what does not read",
    command: sh("sleep 2"),
    steps: [{ keys: "y\r", busyMs: 1_800 }, { expect: "exited" }],
  },
];
