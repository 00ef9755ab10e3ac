// Runs the TUI on the person's terminal: takes it, draws with ink, and gives it back as it was after any ending. A bundle of its own, so that no
// other command loads React (scripts/steps/build.mjs).
import { EventEmitter } from "node:events";
import { render } from "ink";
import { LocalTerminal } from "../raw-attach/local-terminal.ts";
import { modesOff } from "../raw-attach/restore.ts";
import type { Remote } from "../remote.ts";
import { ApiSource } from "./api-source.ts";
import { type LineAddress, lineSource } from "./line-source.ts";
import { type Leaving, TuiModel } from "./tui-model.ts";
import { TuiView } from "./tui-view.tsx";

export interface TuiOptions {
  readonly target:
    | { kind: "api"; remote: Remote; id?: string }
    | { kind: "line"; address: LineAddress };
  readonly isPlain: boolean;
}

/** What a failure of the server's was is kept as it came: whoever called us knows what to make of it. */
export async function runTui({ target, isPlain }: TuiOptions): Promise<Leaving> {
  const source = target.kind === "api" ? new ApiSource(target.remote) : lineSource(target.address);
  const terminal = new LocalTerminal(() => `${modesOff}\x1b[?1049l${modesOff}\x1b[23;0t`);
  const model = new TuiModel(source, terminal.size);
  let version = 0;
  model.onChange(() => {
    version += 1;
  });
  const left = new Promise<Leaving>((resolve) => {
    model.onLeave(resolve);
    terminal.onSignal(() => resolve({ kind: "asked" }));
    terminal.onClosed(() => resolve({ kind: "asked" }));
  });
  terminal.onBytes((bytes) => model.typed(bytes));
  terminal.enter();
  terminal.write("\x1b[?1049h\x1b[H\x1b[2J\x1b[?2004h");
  const screen = new InkScreen(terminal);
  terminal.onResize((size) => {
    terminal.write("\x1b[2J\x1b[H");
    model.resize(size);
    screen.emit("resize");
  });
  terminal.onContinued(() => {
    terminal.write("\x1b[?1049h\x1b[H\x1b[2J\x1b[?2004h");
    screen.emit("resize");
  });
  const drawing = render(<TuiView model={model} version={() => version} isPlain={isPlain} />, {
    stdout: screen as unknown as NodeJS.WriteStream,
    stdin: process.stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    maxFps: 30,
  });
  void model.start(target.kind === "api" ? target.id : undefined);
  const leaving = await left;
  // Ink's last words belong to the screen that is about to go.
  screen.isOpen = false;
  drawing.unmount();
  terminal.dispose();
  model.dispose();
  source.dispose();
  return leaving;
}

/** The terminal as ink knows one. Closed, it swallows what ink still has to say when the process ends. */
class InkScreen extends EventEmitter {
  isOpen = true;
  readonly isTTY = true;

  constructor(private readonly terminal: LocalTerminal) {
    super();
  }

  get columns(): number {
    return this.terminal.size.cols;
  }

  get rows(): number {
    return this.terminal.size.rows;
  }

  write(text: string): boolean {
    if (this.isOpen) this.terminal.write(text);
    return true;
  }
}
