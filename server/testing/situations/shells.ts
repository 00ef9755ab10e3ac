// Shells at their prompts and what they run; with markers and without.
import type { Situation, Step } from "./situation.ts";

/** Markers as a prompt of one's own would have them. */
const markedRc = `PS1='\\[\\e]133;A\\a\\]$ \\[\\e]133;B\\a\\]'
PS0='\\e]133;C\\a'
PROMPT_COMMAND='printf "\\e]133;D;%s\\a" "$?"'
`;
const marked = {
  command: ["bash", "--rcfile", "rc", "-i"],
  files: { rc: markedRc },
} as const;
const bash = { command: ["bash", "--norc", "-i"] } as const;
const atPrompt: Step = { expect: "idle", confidence: "inferred" };
const atMarkedPrompt: Step = { expect: "idle", confidence: "marker" };

export const shellSituations: readonly Situation[] = [
  {
    name: "bash without markers runs a command",
    ...bash,
    steps: [atPrompt, { keys: "sleep 1; echo done\r", busyMs: 900 }, atPrompt],
    waits: [{ step: 1, outcome: "command_done", confidence: "inferred", notBeforeMs: 950 }],
  },
  {
    name: "bash with markers runs a command",
    ...marked,
    steps: [atMarkedPrompt, { keys: "sleep 1; echo done\r", busyMs: 900 }, atMarkedPrompt],
    waits: [{ step: 1, outcome: "command_done", confidence: "marker", notBeforeMs: 950 }],
  },
  {
    name: "bash with markers runs a silent loop of its own",
    ...marked,
    steps: [
      atMarkedPrompt,
      { keys: "end=$((SECONDS+3)); while ((SECONDS<end)); do :; done\r", busyMs: 1_500 },
      { ...atMarkedPrompt, withinMs: 8_000 },
    ],
  },
  {
    name: "bash without markers runs a silent loop of its own",
    ...bash,
    steps: [
      atPrompt,
      { keys: "end=$((SECONDS+3)); while ((SECONDS<end)); do :; done\r", busyMs: 1_500 },
      { ...atPrompt, withinMs: 8_000 },
    ],
  },
  {
    name: "an empty Enter at a prompt with markers",
    ...marked,
    steps: [atMarkedPrompt, { keys: "\r" }, atMarkedPrompt],
  },
  {
    name: "an empty Enter at a prompt without markers",
    ...bash,
    steps: [atPrompt, { keys: "\r" }, atPrompt],
  },
  {
    name: "Ctrl-C at a prompt with markers, and in a command",
    ...marked,
    steps: [
      atMarkedPrompt,
      { keys: "abc\x03" },
      atMarkedPrompt,
      { keys: "sleep 60\r", busyMs: 700 },
      { keys: "\x03" },
      atMarkedPrompt,
    ],
  },
  {
    name: "half a line at a prompt",
    ...bash,
    steps: [atPrompt, { keys: "echo half", outcome: "settled" }, atPrompt],
  },
  {
    name: "a search in the history runs nothing",
    ...bash,
    steps: [
      atPrompt,
      { keys: "echo one\r", expect: "idle", outcome: "command_done" },
      { keys: "\x12ech", expect: "idle", outcome: "settled" },
      { keys: "\r", expect: "idle", outcome: "command_done" },
    ],
  },
  {
    name: "a line that goes on, without markers: nothing is done before its end",
    ...bash,
    steps: [
      atPrompt,
      { keys: "cat <<EOF\r", expect: "idle", outcome: "settled" },
      { keys: "text\r", expect: "idle", outcome: "settled" },
      { keys: "EOF\r", expect: "idle", outcome: "command_done" },
    ],
  },
  {
    name: "a prompt of one's own that looks like a request for the rest",
    command: ["bash", "--norc", "-i"],
    files: { rc: "PS1='> '\n" },
    steps: [
      atPrompt,
      { keys: "bash --rcfile rc -i\r", expect: "idle" },
      { keys: "sleep 1\r", busyMs: 900, outcome: "command_done" },
      atPrompt,
    ],
  },
  {
    name: "a line that goes on, with markers",
    ...marked,
    steps: [atMarkedPrompt, { keys: "for i in 1 2; do\r" }, { expect: "idle", withinMs: 6_000 }],
  },
  {
    name: "a background job leaves the prompt alone",
    ...bash,
    steps: [atPrompt, { keys: "sleep 30 &\r" }, atPrompt],
  },
  {
    name: "waiting for a background job",
    ...bash,
    steps: [atPrompt, { keys: "sleep 1.5 & wait\r", busyMs: 1_300 }, atPrompt],
  },
  {
    name: "a stopped job",
    ...bash,
    steps: [atPrompt, { keys: "sleep 60\r", busyMs: 600 }, { keys: "\x1a" }, atPrompt],
  },
  {
    name: "a shell in a shell",
    ...bash,
    steps: [
      atPrompt,
      { keys: "bash --norc\r" },
      atPrompt,
      { keys: "sleep 1\r", busyMs: 900 },
      atPrompt,
    ],
  },
  {
    name: "zsh without markers",
    command: ["zsh", "-f", "-i"],
    needs: ["zsh"],
    steps: [atPrompt, { keys: "sleep 1; echo done\r", busyMs: 900 }, atPrompt],
  },
  {
    name: "fish without markers",
    command: ["fish", "--no-config"],
    needs: ["fish"],
    steps: [
      { expect: "idle", withinMs: 8_000 },
      { keys: "sleep 1; echo done\r", busyMs: 900 },
      { expect: "idle" },
    ],
  },
  {
    name: "fish without markers goes to another folder, fails, and is asked for nothing",
    command: ["fish", "--no-config"],
    needs: ["fish"],
    steps: [
      { expect: "idle", withinMs: 12_000 },
      { keys: "cd /usr/share\r", expect: "idle" },
      { keys: "false\r", expect: "idle" },
      { keys: "\r", expect: "idle" },
      { keys: "echo read", expect: "idle" },
      { keys: "\x03", expect: "idle" },
      { keys: "begin; sleep 1; cd /; end\r", busyMs: 900 },
      { expect: "idle" },
    ],
    waits: [{ step: 6, outcome: "command_done", confidence: "inferred", notBeforeMs: 950 }],
  },
  {
    name: "dash, which edits no lines",
    command: ["dash", "-i"],
    needs: ["dash"],
    env: { PS1: "$ " },
    steps: [atPrompt, { keys: "sleep 1; echo done\r", busyMs: 900 }, atPrompt],
  },
  {
    name: "half a line at a prompt of dash, and one that goes on",
    command: ["dash", "-i"],
    needs: ["dash"],
    env: { PS1: "$ " },
    steps: [
      atPrompt,
      { keys: "echo half", expect: "idle", outcome: "settled" },
      { keys: " \\\r", expect: "idle", outcome: "settled" },
      { keys: "whole\r", expect: "idle", outcome: "command_done" },
    ],
  },
  {
    name: "the shell ends no jobs unasked: a prompt, no question",
    ...bash,
    steps: [
      atPrompt,
      { keys: "sleep 60\r", busyMs: 600 },
      { keys: "\x1a" },
      atPrompt,
      { keys: "exit\r" },
      atPrompt,
    ],
  },
  {
    name: "typing ahead of a command",
    ...bash,
    steps: [atPrompt, { keys: "sleep 1\rsleep 1\r", busyMs: 1_900 }, atPrompt],
  },
  ...(["bash", "zsh", "fish"] as const).map(
    (name): Situation => ({
      name: `${name} with our own integration`,
      command: [name],
      needs: [name],
      isIntegrated: true,
      steps: [
        { ...atMarkedPrompt, withinMs: 12_000 },
        { keys: "sleep 1; echo done\r", busyMs: 900 },
        atMarkedPrompt,
        { keys: "cat\r" },
        { expect: "waiting_input", confidence: "exact" },
        { keys: "\x04", expect: "idle", confidence: "marker" },
        { keys: "\r" },
        atMarkedPrompt,
      ],
    }),
  ),
  {
    name: "bash with our own integration asks for a secret",
    command: ["bash"],
    isIntegrated: true,
    steps: [
      atMarkedPrompt,
      { keys: "read -s x\r" },
      { expect: "waiting_input", confidence: "exact", credential: "echo_off" },
      { keys: "hunter2\r", after: "credential", expect: "idle", confidence: "marker" },
    ],
  },
  {
    name: "exec replaces the shell",
    ...bash,
    steps: [
      atPrompt,
      { keys: "exec sleep 1.5\r", busyMs: 1_300 },
      { expect: "exited", confidence: "exact" },
    ],
  },
];
