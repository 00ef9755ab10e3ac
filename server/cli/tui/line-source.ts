// The pane's terminal over the line service (TC1): one connection, one session of its own.
import { connect, type Socket } from "node:net";
import * as z from "zod/mini";
import { Emitter } from "#lib/base/emitter.ts";
import type { GridSize } from "#lib/protocol/geometry.ts";
import { PaneScreen } from "./pane-screen.ts";
import type { Over, PaneTerminal, TerminalFacts, TerminalSource } from "./terminal-source.ts";

const lineSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("output"), data: z.string() }),
  z.object({ type: z.literal("prompt"), data: z.string() }),
  z.object({ type: z.literal("exit"), code: z.nullable(z.int()), signal: z.nullable(z.string()) }),
  z.object({ type: z.literal("error"), code: z.string(), data: z.string(), hint: z.string() }),
  z.object({ type: z.literal("session"), id: z.string(), name: z.string() }),
]);

export interface LineAddress {
  readonly host: string;
  readonly port: number;
  readonly token: string;
}

export function lineSource(address: LineAddress): TerminalSource {
  return {
    where: `${address.host}:${address.port}`,
    sessions: null,
    onSessions: new Emitter<void>().event,
    open: () => {
      throw new Error("a line connection leads to one terminal only");
    },
    create: async (size) => new LineTerminal(address, size),
    ready: async () => {},
    isGone: () => false,
    dispose() {},
  };
}

class LineTerminal implements PaneTerminal {
  private readonly changes = new Emitter<void>();
  private readonly ends = new Emitter<Over>();
  private readonly socket: Socket;
  private current: TerminalFacts;
  private rest = "";
  private over: Over | null = null;
  private size: GridSize;

  readonly screen: PaneScreen;
  readonly onChange = this.changes.event;
  readonly onOver = this.ends.event;

  constructor(address: LineAddress, size: GridSize) {
    this.size = size;
    this.screen = new PaneScreen(size);
    this.screen.onChange(() => this.changes.fire());
    this.current = {
      name: `${address.host}:${address.port}`,
      phase: "connecting",
      isIdle: null,
      keyboard: "",
      isPassword: false,
      link: "connecting",
      notice: "",
    };
    const socket = connect({ host: address.host, port: address.port });
    this.socket = socket;
    socket.setEncoding("utf8");
    socket.setNoDelay(true);
    socket.once("connect", () => {
      this.send({ type: "auth", token: address.token, ...size });
      this.become({ link: "live", phase: "running" });
    });
    socket.on("data", (chunk) => this.received(String(chunk)));
    socket.on("error", (error: NodeJS.ErrnoException) => {
      this.end({
        kind: "lost",
        text: `no answer from ${address.host}:${address.port} (${error.code ?? error.message})`,
      });
    });
    socket.on("close", () => this.end({ kind: "lost", text: "the connection has ended" }));
  }

  get facts(): TerminalFacts {
    return this.current;
  }

  type(text: string): void {
    this.become({ isIdle: null, phase: "running", notice: "" });
    this.send({ type: "stdin", data: text });
  }

  fit(size: GridSize): void {
    if (size.cols === this.size.cols && size.rows === this.size.rows) return;
    this.size = size;
    this.screen.resize(size);
    this.send({ type: "resize", ...size });
  }

  dispose(): void {
    this.over ??= { kind: "closed", text: "" };
    this.socket.destroy();
    this.screen.dispose();
  }

  private send(line: object): void {
    if (this.socket.writable) this.socket.write(`${JSON.stringify(line)}\n`);
  }

  private received(chunk: string): void {
    const parts = (this.rest + chunk).split("\n");
    this.rest = parts.pop() ?? "";
    for (const part of parts) this.take(part);
  }

  private take(text: string): void {
    const line = lineSchema.safeParse(parseJson(text)).data;
    // A line of a newer server is passed over.
    if (!line) return;
    switch (line.type) {
      case "output": {
        // Read on only when it is drawn: a flood waits in the server, not here.
        this.socket.pause();
        this.screen.write(line.data, () => this.socket.resume());
        break;
      }
      case "prompt":
        this.become({ isIdle: true, phase: "at its prompt" });
        break;
      case "exit":
        this.end({ kind: "exited", text: `ended: ${line.signal ?? `status ${line.code}`}` });
        break;
      case "error":
        this.become({ notice: `${line.data}. ${line.hint}` });
        if (
          ["UNAUTHENTICATED", "TOO_MANY_ATTEMPTS", "BAD_REQUEST"].includes(line.code) &&
          this.rest === ""
        )
          this.refusal = line.data;
        break;
      case "session":
        break;
    }
  }

  /** What the server said before it closed. */
  private refusal: string | null = null;

  private become(change: Partial<TerminalFacts>): void {
    this.current = { ...this.current, ...change };
    this.changes.fire();
  }

  private end(over: Over): void {
    if (this.over) return;
    this.over =
      this.refusal && over.kind === "lost" ? { kind: "refused", text: this.refusal } : over;
    this.become({ link: "over", phase: this.over.text, isIdle: true });
    this.ends.fire(this.over);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No line of ours.
    return undefined;
  }
}
