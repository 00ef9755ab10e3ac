// One terminal in the caller's process: what agents and people do with it, each in their own name. Refusals are thrown as TermError with the
// code that the API would answer.
import type { InputItem } from "#lib/protocol/input.ts";
import type { OutputReply } from "#lib/protocol/journal.ts";
import type { Access, Lease } from "#lib/protocol/lease.ts";
import { type ScreenText, wholeScreen } from "#lib/protocol/screen.ts";
import type { SessionInfo, SignalName } from "#lib/protocol/session.ts";
import type { Act, ActReply, Verdict, WaitRequest } from "#lib/protocol/wait.ts";
import type { SessionPortApi } from "#server/host/session/session-port-api.ts";
import type { Origin } from "./registry.ts";

export interface WriteOptions {
  /** Default: agent. */
  readonly origin?: Origin;
  /** Whether Enter follows a text. Default: true; for a list of items nothing is added. */
  readonly submit?: boolean;
  /** Shown to people, never typed. */
  readonly note?: string;
  /** What becomes of a person's unsent text. */
  readonly ifDraft?: "clear" | "keep";
}

export class Terminal {
  /** @internal */
  constructor(
    /** As lists name it. */
    readonly id: string,
    private readonly port: (origin: Origin) => SessionPortApi,
  ) {}

  info(): SessionInfo {
    return this.port("human").info();
  }

  /** A text, submitted with Enter, or a batch of texts and keys. All or nothing. */
  async write(input: string | readonly InputItem[], options: WriteOptions = {}): Promise<void> {
    const { origin = "agent", submit = true, note, ifDraft } = options;
    const items: InputItem[] =
      typeof input === "string"
        ? [{ text: input }, ...(submit ? [{ key: "Enter" }] : [])]
        : [...input];
    await this.port(origin).write(items, { note, ifDraft });
  }

  /** Types nothing. Without `for`: until the command is done, input is wanted, or nothing happens any more. */
  wait(request: WaitRequest = {}, signal?: AbortSignal): Promise<Verdict> {
    return this.port("agent").wait(request, signal);
  }

  /** Type, wait and read, in the agent's name. */
  act(request: Act, signal?: AbortSignal): Promise<ActReply> {
    return this.port("agent").act(request, {}, signal);
  }

  /** The screen as an agent reads it, or as a person. */
  async snapshot(origin: Origin = "agent"): Promise<ScreenText> {
    return wholeScreen(await this.port(origin).readScreen({}));
  }

  /** What was printed after a place; `verdict.next` and `reply.next` are such places. */
  output(since?: string): Promise<OutputReply> {
    return this.port("agent").readOutput(since === undefined ? {} : { since });
  }

  /** The last lines of it. */
  tail(lines: number): Promise<OutputReply> {
    return this.port("agent").readOutput({ tail: lines });
  }

  resize(size: { readonly cols: number; readonly rows: number }, origin: Origin = "agent"): void {
    this.port(origin).resize(size);
  }

  signal(name: SignalName, origin: Origin = "agent"): void {
    this.port(origin).signal(name);
  }

  /** The keyboard is the person's until they hand it back. */
  takeOver(): Lease {
    return this.port("human").keyboard("take_over");
  }

  handBack(): Lease {
    return this.port("human").keyboard("hand_back");
  }

  lease(): Lease {
    return this.port("human").lease();
  }

  /** In force when it returns; what agents wait for ends with `sealed`. */
  setAgentAccess(level: Access): SessionInfo {
    return this.port("human").setAccess(level);
  }

  /** Ends its processes and removes it. */
  close(): Promise<void> {
    return this.port("human").close("HUP");
  }
}
