// What people type at password prompts, from the first key to the last echo (CR3). Knows which keys are secret, hides their echo and
// remembers the value, so that its reprints can be hidden. Decides nothing about when a password is asked for.
import type { Clock } from "#lib/base/clock.ts";
import { limits } from "#lib/protocol/limits.ts";
import { EchoMask } from "./echo-mask.ts";
import type { SecretWords } from "./secret-words.ts";
import { TypedValue } from "./typed-value.ts";

/** As the activity knows it. */
export interface AskedSecret {
  /** The terminal itself hides what is typed: nothing comes back that would have to be hidden. */
  readonly isHidden: boolean;
  /** Which prompt it is: another number when the program asks again. */
  readonly prompt: number;
  /** The command that asks, as its shell told it; null: nobody told. */
  command(): string | null;
}

interface Prompt {
  number: number;
  isHidden: boolean;
  /** Keys that stood on the line when it was noticed. */
  ahead: string;
  /** What is hidden because of this prompt alone. */
  readonly values: Set<string>;
}

export class SecretTyping {
  private readonly echo = new EchoMask((payload) => this.withoutLine(payload));
  private readonly value = new TypedValue();
  /** The prompt that stands, or is not over yet; null: none. */
  private asked: Prompt | null = null;
  /** Lines that nobody had asked for when they were begun: a program that asks a moment later may have been meant. */
  private linesAhead: { text: string; atMs: number }[] = [];
  private isLineAwaited = false;

  constructor(
    private readonly words: SecretWords,
    private readonly clock: Clock,
  ) {}

  /** A password is asked for, or no more (null). To be told before what is typed then. */
  moved(asked: AskedSecret | null): void {
    if (!asked) {
      this.asked = null;
      this.echo.over();
      return;
    }
    if (this.asked) {
      // Between two keys nobody can tell for a moment.
      this.asked.isHidden ||= asked.isHidden;
      if (this.asked.number !== asked.prompt) {
        // What was typed at the one before stays hidden, whatever this one turns out to be.
        this.asked.number = asked.prompt;
        this.asked.values.clear();
      }
      return;
    }
    // Typed before anybody could know: it went to the terminal, and is hidden in whatever is read from here on.
    const ahead = this.value.open;
    const { isHidden, prompt: number } = asked;
    this.asked = { number, isHidden, ahead, values: new Set() };
    const sinceMs = this.clock.monotonic() - limits.typedAhead.ms;
    const command = asked.command()?.trim();
    for (const { text, atMs } of this.linesAhead)
      if (atMs >= sinceMs && text.trim() !== command) this.hide(text);
    this.hide(ahead);
    this.value.forget();
    this.linesAhead = [];
  }

  /**
   * A person typed: about to reach the program. Agents cannot while a password is asked for. `isAwaited`: somebody waits for a line, a
   * shell at its prompt or a program with a question; a line begun then is the answer to that.
   */
  typed(bytes: Uint8Array, isAwaited = false): void {
    if (this.value.open === "") this.isLineAwaited = isAwaited;
    const lines = this.value.typed(bytes);
    for (const line of lines) {
      if (this.asked) {
        this.hide(line);
        // Keys that had been typed ahead belong to it, or went to another program.
        if (this.asked.ahead !== "") this.hide(this.asked.ahead + line);
        this.asked.ahead = "";
      } else if (!this.isLineAwaited) {
        this.linesAhead.push({ text: line, atMs: this.clock.monotonic() });
        this.linesAhead = this.linesAhead.slice(-limits.typedAhead.lines);
      }
      this.isLineAwaited = false;
    }
    if (this.asked && !this.asked.isHidden) this.echo.typed(bytes, this.clock.monotonic());
  }

  /** A person said that the prompt that stands is none: of what was typed at earlier ones nothing is shown. */
  dismissed(): void {
    const { asked } = this;
    if (!asked) return;
    this.asked = null;
    this.echo.reset();
    this.words.forget(asked.values);
    this.value.forget();
  }

  /** Output, before anybody gets it. */
  filter(bytes: Uint8Array): Uint8Array {
    return this.echo.filter(bytes, this.clock.monotonic());
  }

  /** What a shell tells about the line that was typed: its text (633;E, and the forms of kitty and fish), a title made of a part of it. */
  private withoutLine(payload: string): string | null {
    // Shells cut the command that they put into a title.
    if (/^(?:633;E|[012])(?:;|$)/.test(payload)) return "";
    const begins = /^(?:133|633);C(?=;.*cmdline)/.exec(payload);
    if (begins) return begins[0];
    return this.words.hide(payload) === payload ? null : "";
  }

  dispose(): void {
    this.echo.reset();
    this.value.forget();
    this.linesAhead = [];
  }

  private hide(value: string): void {
    if (this.words.typed(value)) this.asked?.values.add(value);
  }
}
