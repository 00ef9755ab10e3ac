// The probe (server/testing/probe.mjs) in a session, driven and read over HTTP alone: exactly which bytes a program receives.
import { join } from "node:path";
import type { ScreenText } from "#lib/protocol/screen.ts";
import type { Caller } from "./caller.ts";

const program = join(import.meta.dirname, "../../server/testing/probe.mjs");
/** No key, paste or mouse report makes these bytes. */
const end = "\u2402END\u2403";
const endHex = Buffer.from(end).toString("hex");

export class Probe {
  private constructor(
    private readonly caller: Caller,
    readonly id: string,
  ) {}

  /** `print`: modes that the program switches on first, with C escapes. A screen large enough to keep all that it will show. */
  static async start(caller: Caller, print = ""): Promise<Probe> {
    const command = [process.execPath, program, "--quit", "none"];
    const { id } = await caller.create({
      command: print === "" ? command : [...command, "--print", print],
      cols: 200,
      rows: 200,
    });
    await caller.untilText(id, "READY");
    return new Probe(caller, id);
  }

  post(path: "input" | "mouse", body: unknown): Promise<Response> {
    return this.caller.raw("POST", `/sessions/${this.id}/${path}`, body);
  }

  /** What the program received from everything that `act` sent: one character per byte, ESC as ^[ . */
  async received(act: () => Promise<unknown>): Promise<string> {
    const before = (await this.hex()).length;
    await act();
    await this.caller.input(this.id, { raw: end });
    await this.caller.untilScreen(this.id, "the end mark", (screen) =>
      hexOf(screen).slice(before).endsWith(endHex),
    );
    const hex = (await this.hex()).slice(before, -endHex.length);
    return Buffer.from(hex, "hex").toString("latin1").replaceAll("\x1b", "^[");
  }

  /** Sends one request that must succeed, and what it made the program receive. */
  sent(path: "input" | "mouse", body: unknown): Promise<string> {
    return this.received(async () => {
      const reply = await this.post(path, body);
      if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    });
  }

  close(): Promise<void> {
    return this.caller.close(this.id);
  }

  private async hex(): Promise<string> {
    return hexOf(await this.caller.screen(this.id));
  }
}

function hexOf({ lines }: ScreenText): string {
  const text = lines.join("");
  const start = text.indexOf("READY");
  return start < 0 ? "" : text.slice(start + "READY".length).replaceAll(/[^0-9a-f]/g, "");
}
