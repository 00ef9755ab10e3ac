// How a terminal treats what is typed into it: line by line or byte by byte, shown or hidden (IN7). Node cannot ask, and the host starts
// nothing while terminals exist (docs/decisions/007), so one small shell is started before the first terminal and asks `stty`. When it
// dies the answer is "unknown" from then on: it is never started again.
import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { limits } from "#lib/protocol/limits.ts";
import { heldTerminals } from "./terminal-descriptor.ts";

export type TtySettings =
  | {
      readonly kind: "known";
      /** ICANON: the kernel keeps a line until it is ended, and drops what is over `limits.canonicalLineBytes`. */
      readonly canonical: boolean;
      readonly echo: boolean;
    }
  | { readonly kind: "unknown"; readonly reason: string };

export interface TtySettingsReader {
  /** `tty`: the device's path, e.g. `/dev/pts/3`. Never throws; about 8 ms. */
  read(tty: string | null): Promise<TtySettings>;
  /** Ends the helper and waits for its end. Idempotent. */
  close(): Promise<void>;
}

/** What stands in where there is no helper. */
export function unknownTtySettings(reason: string): TtySettingsReader {
  return { read: async () => unknown(reason), close: async () => {} };
}

/** Only before the first terminal exists; afterwards, and off Linux, every answer is unknown. */
export function startTtySettings(clock: Clock): TtySettingsReader {
  if (process.platform !== "linux") return unknownTtySettings("only Linux is asked");
  if (heldTerminals().size > 0) {
    return unknownTtySettings("terminals existed before the helper could be started");
  }
  return new SttyHelper(clock);
}

/**
 * Reads `NUMBER PATH` lines. It is no session leader, so opening a terminal makes it nobody's controlling terminal, and it holds one only
 * while stty looks. It ends when its input does, whatever signals reach the host's group meanwhile.
 */
const script = `trap '' HUP INT QUIT TERM
while read -r number tty; do stty -a <"$tty" 2>/dev/null; echo "end $number"; done`;

interface Question extends Disposable {
  readonly number: number;
  answer(settings: TtySettings): void;
}

class SttyHelper implements TtySettingsReader {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private questions: Question[] = [];
  private lastNumber = 0;
  /** Late answers count as open until they come: a helper that hangs is not fed for ever. */
  private lastAnswered = 0;
  private text = "";
  /** Why nothing is asked any more. */
  private over: string | null = null;

  constructor(private readonly clock: Clock) {
    this.child = spawn("/bin/sh", ["-c", script], {
      stdio: ["pipe", "pipe", "ignore"],
      cwd: "/",
      env: { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C" } as unknown as NodeJS.ProcessEnv,
    });
    const { stdin, stdout } = this.child;
    this.ended = new Promise((resolve) => {
      const end = (why: string) => {
        this.stop(why);
        resolve();
      };
      this.child.once("exit", () => end("the helper has ended"));
      this.child.once("error", (error) => end(`the helper did not start: ${error.message}`));
    });
    stdin?.on("error", () => this.stop("the helper takes no questions"));
    stdout?.setEncoding("latin1");
    stdout?.on("data", (chunk: string) => this.received(chunk));
    // A library's caller may end while a host is open; the helper sees the end of its input then.
    this.child.unref();
    (stdin as { unref?(): void } | null)?.unref?.();
    (stdout as { unref?(): void } | null)?.unref?.();
  }

  read(tty: string | null): Promise<TtySettings> {
    if (this.over !== null) return Promise.resolve(unknown(this.over));
    // The path is a line of the helper's input.
    if (tty === null || !/^\/dev\/[\w/]{1,100}$/.test(tty)) {
      return Promise.resolve(unknown("the terminal has no device of its own"));
    }
    if (this.lastNumber - this.lastAnswered >= limits.ttyQuestions) {
      return Promise.resolve(unknown("too many questions at a time"));
    }
    const number = ++this.lastNumber;
    return new Promise((resolve) => {
      const late = this.clock.after(limits.ttyQuestionMs, () =>
        this.settle(number, unknown("no answer in time")),
      );
      this.questions.push({ number, answer: resolve, dispose: () => late.dispose() });
      this.child.stdin?.write(`${number} ${tty}\n`);
    });
  }

  async close(): Promise<void> {
    this.stop("the host is ending");
    this.child.stdin?.end();
    // In the middle of a question it would end after it; there is nothing that it could leave undone.
    this.child.kill("SIGKILL");
    await this.ended;
  }

  private received(chunk: string): void {
    this.text += chunk;
    for (let mark = endMark.exec(this.text); mark; mark = endMark.exec(this.text)) {
      this.lastAnswered = Number(mark[1]);
      this.settle(this.lastAnswered, parseStty(this.text.slice(0, mark.index)));
      this.text = this.text.slice(mark.index + mark[0].length);
    }
    // A stty that says so much is none that we know.
    if (this.text.length > maxAnswerChars) this.text = this.text.slice(-maxAnswerChars);
  }

  private settle(number: number, settings: TtySettings): void {
    const question = this.questions.find((each) => each.number === number);
    if (!question) return;
    this.questions = this.questions.filter((each) => each !== question);
    question.dispose();
    question.answer(settings);
  }

  private stop(why: string): void {
    this.over ??= why;
    for (const { number } of this.questions) this.settle(number, unknown(why));
  }
}

const endMark = /^end (\d+)\n/m;
const maxAnswerChars = 16 * 1024;

/** From the words of `stty -a`: a setting that is off has a minus in front. */
export function parseStty(text: string): TtySettings {
  const words = new Set(text.split(/[\s;]+/));
  const canonical = words.has("icanon");
  const echo = words.has("echo");
  if (!canonical && !words.has("-icanon")) return unknown("stty did not say");
  if (!echo && !words.has("-echo")) return unknown("stty did not say");
  return { kind: "known", canonical, echo };
}

function unknown(reason: string): TtySettings {
  return { kind: "unknown", reason };
}
