// The phase of a session, derived from one observation (PH1): the first rung that holds decides. Pure; its order is its meaning.
import type { Phase } from "#lib/protocol/session.ts";
import type { Confidence } from "#lib/protocol/wait.ts";
import { hasLineEditor, isShellAtPrompt, isShellName, type Observation } from "./observation.ts";

export interface PhaseVerdict {
  readonly phase: Phase;
  readonly confidence: Confidence;
  readonly rung: string;
  /** Sentence for people and models. */
  readonly because: string;
}

interface Rung {
  readonly name: string;
  readonly decide: (seen: Observation) => Omit<PhaseVerdict, "rung"> | null;
}

/** Before this a program has hardly begun to run. */
const startMs = 250;
/** A program that waits for others too (ssh, a server) is taken to wait for its user when it says nothing more behind a prompt. */
const mixedQuietMs = 500;
const timedQuietMs = 250;
/** Where nobody can look, silence behind a prompt must do. */
const silentMs = 1_500;
const silentShellMs = 300;

/** In order: the first that holds decides. */
export const phaseLadder: readonly Rung[] = [
  {
    name: "exited",
    decide: ({ lifecycle }) =>
      lifecycle === "exited" || lifecycle === "closed"
        ? { phase: "exited", confidence: "exact", because: "the process has ended" }
        : null,
  },
  {
    name: "starting",
    decide: ({ lifecycle, read, ageMs }) =>
      lifecycle === "starting" &&
      // One that is gone after a while has been there: it is about to have ended.
      (read.kind === "unknown" || (read.kind !== "reading" && ageMs < startMs))
        ? { phase: "starting", confidence: "exact", because: "nothing was printed yet" }
        : null,
  },
  {
    name: "line_unanswered",
    // A program that runs is an answer of shells that tell their prompts alone.
    decide: ({ isLineUnanswered, read, foreground }) =>
      isLineUnanswered && (read.kind !== "not_reading" || foreground?.isShell)
        ? running("inferred", "a line was sent and nothing has answered it yet")
        : null,
  },
  {
    name: "shell_prompt",
    // A shell that tells its prompts and not its commands stays "at the prompt" while a loop of its own runs: then it does not read.
    decide: (seen) =>
      isShellAtPrompt(seen) && seen.shell !== "unknown" && seen.read.kind !== "not_reading"
        ? {
            phase: "idle",
            confidence: "marker",
            because: `the shell announced its prompt and ${seen.foreground?.name} has the terminal`,
          }
        : null,
  },
  {
    name: "marked_prompt",
    // Where the system does not tell who is in front, the markers have the word.
    decide: ({ foreground, shell }) =>
      foreground === null && (shell === "prompt" || shell === "input" || shell === "idle")
        ? { phase: "idle", confidence: "marker", because: "the shell announced its prompt" }
        : null,
  },
  {
    name: "stale_read",
    decide: ({ read, isReadFresh }) =>
      (read.kind === "reading" || read.kind === "hidden") && !isReadFresh
        ? running("inferred", "what was typed may not have reached the program yet")
        : null,
  },
  {
    name: "shell_reads",
    decide: (seen) =>
      isShellAtPrompt(seen) && seen.read.kind === "reading"
        ? idle(
            seen.shellLine.isContinued
              ? `${seen.read.program} asks for the rest of a command`
              : `${seen.read.program} has the terminal and edits a line`,
          )
        : null,
  },
  {
    name: "shell_asks",
    // Its prompt comes in pieces: in the middle of it, it would look like another line.
    decide: ({ isOtherLine, read, quietMs }) =>
      isOtherLine && read.kind === "reading" && isShellName(read.program) && quietMs >= timedQuietMs
        ? waiting("inferred", `${read.program} edits a line that looks like none of its prompts`)
        : null,
  },
  {
    name: "plain_shell_prompt",
    // dash reads lines at its prompt as any program does: only the prompt itself tells.
    decide: ({ read, foreground, shell, cursorLine, shellLine }) =>
      read.kind === "reading" &&
      read.how === "blocked" &&
      shell === "unknown" &&
      foreground?.isShell &&
      !foreground.runsScript &&
      isShellName(read.program) &&
      !hasLineEditor(foreground.name) &&
      (shellLine.isAtPlainPrompt || plainPrompt.test(cursorLine))
        ? idle(`${read.program} reads a line behind what looks like its prompt`)
        : null,
  },
  {
    name: "password",
    decide: ({ credential, read }) =>
      credential?.isAsked && read.kind !== "not_reading"
        ? waiting(
            read.kind === "reading" && read.how === "blocked" ? "exact" : "inferred",
            `a password is asked for (${passwordWords[credential.source]})`,
          )
        : null,
  },
  {
    name: "blocked_read",
    decide: ({ read }) =>
      read.kind === "reading" && read.how === "blocked"
        ? waiting("exact", `${read.program} (pid ${read.pid}) is blocked reading the terminal`)
        : null,
  },
  {
    name: "full_screen",
    decide: ({ read, altScreen, quietMs }) =>
      read.kind === "reading" &&
      altScreen &&
      (read.how !== "mixed" || (quietMs >= mixedQuietMs && !carriers.test(read.program)))
        ? waiting("inferred", `${read.program} draws the whole screen and waits for keys`)
        : null,
  },
  {
    name: "timed_read",
    decide: ({ read, quietMs, cursorLine }) =>
      read.kind === "reading" &&
      read.how === "timed" &&
      quietMs >= timedQuietMs &&
      // The `read` of a shell with a time limit needs no prompt.
      ((cursorLine.trim() !== "" && !tellsProgress(cursorLine)) || isShellName(read.program))
        ? waiting(
            "inferred",
            `${read.program} waits for the terminal, with a timeout, and is silent behind its prompt`,
          )
        : null,
  },
  {
    name: "mixed_read",
    decide: ({ read, quietMs, cursorLine, isCursorAtEnd }) =>
      read.kind === "reading" &&
      read.how === "mixed" &&
      quietMs >= mixedQuietMs &&
      isCursorAtEnd &&
      looksLikePrompt(cursorLine)
        ? waiting(
            "inferred",
            `${read.program} waits for the terminal among others, and is silent behind a prompt`,
          )
        : null,
  },
  {
    name: "not_reading",
    decide: ({ read, foreground }) =>
      read.kind === "not_reading"
        ? running(
            "exact",
            `${foreground?.name ?? "the program"} runs and does not wait for the terminal`,
          )
        : null,
  },
  {
    name: "silent_shell",
    decide: ({ foreground, shell, quietMs, cursorLine }) =>
      foreground?.isSessionLeader &&
      foreground.isShell &&
      shell === "unknown" &&
      quietMs >= silentShellMs &&
      shellPrompt.test(cursorLine)
        ? idle("the shell has the terminal and is silent behind its prompt")
        : null,
  },
  {
    name: "silent_prompt",
    decide: ({ read, quietMs, cursorLine, isCursorAtEnd, shell }) =>
      (read.kind === "unknown" || (read.kind === "hidden" && read.isSleeping)) &&
      quietMs >= silentMs &&
      isCursorAtEnd &&
      question.test(cursorLine) &&
      !tellsProgress(cursorLine)
        ? waiting(
            "inferred",
            `silence behind a question${shell === "running" ? " of a command" : ""}`,
          )
        : null,
  },
  {
    name: "silent_plain_prompt",
    decide: ({ read, quietMs, cursorLine, isCursorAtEnd, shell }) =>
      read.kind === "unknown" &&
      shell === "unknown" &&
      quietMs >= silentMs &&
      isCursorAtEnd &&
      shellPrompt.test(cursorLine) &&
      !tellsProgress(cursorLine)
        ? idle("silence behind what looks like a prompt")
        : null,
  },
  {
    name: "running",
    decide: () => running("inferred", "nothing says that it waits"),
  },
];

export function phaseOf(seen: Observation): PhaseVerdict {
  for (const { name, decide } of phaseLadder) {
    const verdict = decide(seen);
    if (verdict) return { ...verdict, rung: name };
  }
  throw new Error("invariant: the last rung always holds");
}

/** `user@host:~$ `, `>>> `, `(gdb) `: an ending that prompts have and sentences do not. */
const shellPrompt = /[$#%>❯»➜λ)\]]\s?$/u;
const plainPrompt = /[$#%>]\s?$/u;
/** They show what others print, in whatever way: only a prompt tells that these wait. */
const carriers = /^(tmux|screen|ssh|mosh|telnet|docker|podman|kubectl|script|expect)\b/;
/** A question that says so itself; a colon alone is none (WT8). */
const question = /(\?|\[[^\]]{1,20}\]|\([^)]{1,20}\))\s?:?\s?$/u;

/** What programs that work end a line with: `37%`, `[ 37%]`, `0% [Working]`, `eta 0:12`. Not a prompt `srv1% `. */
const progress =
  /(?:(?:^|[\s([|])\d{1,3}(?:\.\d+)?%(?: ?[\])])?|^\s*\d{1,3}% \[[^\]]*\]|\beta:? [\d:]+s?\)?)\s*$/iu;
/** `(attempt 1)`, `[3/5]`, `(12 files)`; a choice is `[1-5]`. */
const count = /[[(]\s*(?:\p{L}+ )?\d+(?!\d|\s*-\s*\d)[^\])]*[\])]\s*$/u;
/** `Compiling...`; python and node ask for the rest of a line with dots alone, and others end so what they ask. */
const dots = /[\p{L}\d)\]](?:\.{3}|…)\s*$/u;
const asking = /\?|\b(?:press|hit|enter|type|choose|select)\b/i;

function tellsProgress(line: string): boolean {
  return progress.test(line) || ((dots.test(line) || count.test(line)) && !asking.test(line));
}

function looksLikePrompt(line: string): boolean {
  return (shellPrompt.test(line) || question.test(line)) && !tellsProgress(line);
}

const passwordWords = {
  echo_off: "what is typed is not shown",
  prompt: "the line ends in a known prompt",
  manual: "somebody said so",
} as const;

function running(confidence: Confidence, because: string): Omit<PhaseVerdict, "rung"> {
  return { phase: "running", confidence, because };
}

function waiting(confidence: Confidence, because: string): Omit<PhaseVerdict, "rung"> {
  return { phase: "waiting_input", confidence, because };
}

function idle(because: string): Omit<PhaseVerdict, "rung"> {
  return { phase: "idle", confidence: "inferred", because };
}
