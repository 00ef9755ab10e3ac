// Regular expressions of clients, tried in a thread of their own with a time limit (WT1): one that takes for ever takes nothing from the host.
// A thread, never a process (docs/decisions/007).
import { Worker } from "node:worker_threads";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";
import { computedMs, ownNumber } from "./thread-time.ts";

/** As text, so that it needs no file beside the bundle. */
const program = `
const { parentPort } = require("node:worker_threads");
const known = new Map();
parentPort.on("message", ({ pattern, text }) => {
  let regex = known.get(pattern);
  if (!regex) {
    regex = new RegExp(pattern, "mu");
    if (known.size >= 256) known.clear();
    known.set(pattern, regex);
  }
  const found = regex.exec(text);
  parentPort.postMessage(found && { index: found.index, length: found[0].length });
});
parentPort.postMessage({ thread: ${ownNumber} });
`;

export interface PatternMatch {
  readonly index: number;
  readonly length: number;
}

export type PatternAnswer =
  | { readonly kind: "found"; readonly match: PatternMatch }
  | { readonly kind: "absent" }
  /** It did not end in time, or could not be tried. */
  | { readonly kind: "refused"; readonly because: string };

interface Question {
  readonly pattern: string;
  readonly text: string;
  readonly answer: (answer: PatternAnswer) => void;
  /** Longer, and behind those that waited meanwhile. */
  isSecondTry: boolean;
}

/** What is being tried: since when, by the clock and by the thread's own time (null where nothing tells that). */
interface Trial {
  readonly question: Question;
  readonly askedMs: number;
  readonly computedMs: number | null;
}

const secondTry = 5;
const lookMs = 5;

/** Undefined when the pattern is one; else what is wrong with it. */
export function patternFault(pattern: string): string | undefined {
  try {
    new RegExp(pattern, "mu");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export class PatternThread implements Disposable {
  private worker: Worker | null = null;
  private isReady = false;
  private thread: number | null = null;
  private readonly waiting: Question[] = [];
  private trial: Trial | null = null;
  private deadline: Disposable | null = null;
  private isDisposed = false;

  constructor(private readonly clock: Clock) {}

  try(pattern: string, text: string): Promise<PatternAnswer> {
    return new Promise((answer) => {
      this.waiting.push({ pattern, text, answer, isSecondTry: false });
      this.next();
    });
  }

  dispose(): void {
    this.isDisposed = true;
    this.stop();
    const left = [...(this.trial ? [this.trial.question] : []), ...this.waiting.splice(0)];
    this.trial = null;
    for (const { answer } of left) answer({ kind: "refused", because: "the host is stopping" });
  }

  private next(): void {
    if (this.trial || this.isDisposed) return;
    const question = this.waiting[0];
    if (!question) return;
    const worker = this.running();
    if (!this.isReady) return;
    this.waiting.shift();
    this.trial = {
      question,
      askedMs: this.clock.monotonic(),
      computedMs: computedMs(this.thread),
    };
    this.watch(this.trial, limits.waitRegexMs * (question.isSecondTry ? secondTry : 1));
    worker.postMessage({ pattern: question.pattern, text: question.text });
  }

  private running(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(program, {
      eval: true,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    this.worker = worker;
    worker.unref();
    worker.on("message", (message: { thread: number | null } | PatternMatch | null) => {
      if (this.worker !== worker) return;
      if (message && "thread" in message) {
        this.isReady = true;
        this.thread = message.thread;
      } else this.done(message ? { kind: "found", match: message } : { kind: "absent" });
      this.next();
    });
    worker.on("error", (error) => {
      if (this.worker !== worker) return;
      this.stop();
      this.done({ kind: "refused", because: error.message });
      this.next();
    });
    return worker;
  }

  /** `allowedMs`: of the thread's own time where that is known. What the processors did elsewhere is not the pattern's fault. */
  private watch(trial: Trial, allowedMs: number): void {
    const look = () => {
      const now = computedMs(this.thread);
      const passedMs = this.clock.monotonic() - trial.askedMs;
      const usedMs =
        now === null || trial.computedMs === null || passedMs >= limits.waitRegexPatienceMs
          ? passedMs
          : now - trial.computedMs;
      if (usedMs >= allowedMs) this.overrun(trial.question, allowedMs);
      else this.deadline = this.clock.after(Math.max(lookMs, allowedMs - usedMs), look);
    };
    this.deadline = this.clock.after(allowedMs, look);
  }

  private overrun(question: Question, ms: number): void {
    this.stop();
    this.trial = null;
    if (question.isSecondTry)
      question.answer({ kind: "refused", because: `it takes longer than ${ms} ms` });
    else this.waiting.push({ ...question, isSecondTry: true });
    this.next();
  }

  private done(answer: PatternAnswer): void {
    this.deadline?.dispose();
    const { trial } = this;
    this.trial = null;
    trial?.question.answer(answer);
  }

  private stop(): void {
    this.deadline?.dispose();
    void this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
  }
}
