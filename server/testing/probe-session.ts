// A session with the probe in it, driven through the host's HTTP API: what a request sends, and exactly which bytes the program got.
import { join } from "node:path";
import type { Actor } from "#lib/protocol/actor.ts";
import { apiBase } from "#lib/protocol/operations/operation.ts";
import type { HostReply } from "#server/state/host-endpoint.ts";
import type { AttachClientDouble } from "./attach-client-double.ts";
import { type TestHost, testAgent } from "./test-host.ts";

export interface ProbeOptions {
  /** What the probe prints first, with C escapes, e.g. `\\x1b[?1003h`. */
  readonly print?: string;
  readonly args?: readonly string[];
  readonly cols?: number;
  readonly rows?: number;
}

const probe = join(import.meta.dirname, "probe.mjs");
/** No key, paste or mouse report makes these bytes. */
const end = "\u2402END\u2403";
const endHex = Buffer.from(end).toString("hex");

export class ProbeSession {
  private constructor(
    private readonly host: TestHost,
    readonly id: string,
    readonly viewer: AttachClientDouble,
  ) {}

  /** Its modes are on the screen when this resolves. */
  static async start(host: TestHost, options: ProbeOptions = {}): Promise<ProbeSession> {
    const { print, args = ["--quit", "none"], cols = 80, rows = 24 } = options;
    const printed = print === undefined ? [] : ["--print", print];
    const command = [process.execPath, probe, ...args, ...printed];
    const { id } = await host.request("createSession", { body: { command, cols, rows } });
    const viewer = host.attach(id, { query: "?readonly=1&since=0" });
    await viewer.until("the probe", () => viewer.text.includes("READY"), 30_000);
    const session = new ProbeSession(host, id, viewer);
    // A read of the screen waits until everything printed so far is on it.
    await host.raw("GET", `${apiBase}/sessions/${id}/screen`);
    return session;
  }

  post(path: "input" | "mouse", body: unknown, actor: Actor = testAgent): Promise<HostReply> {
    return this.host.raw("POST", `${apiBase}/sessions/${this.id}/${path}`, { actor, body });
  }

  /** Posts and answers with the status, which must be 200. */
  async sent(path: "input" | "mouse", body: unknown): Promise<void> {
    const reply = await this.post(path, body);
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
  }

  /** What the program received from everything sent by `act`, as one hex string; nothing else was sent meanwhile. */
  async received(act: () => Promise<unknown>): Promise<string> {
    const before = this.hex.length;
    await act();
    await this.sent("input", { input: [{ raw: end }] });
    await this.viewer.until(
      "the end mark",
      () => this.hex.length >= before + endHex.length && this.hex.endsWith(endHex),
      30_000,
    );
    return this.hex.slice(before, -endHex.length);
  }

  /** The same, as text with one character per byte and ^[ for ESC. */
  async receivedText(act: () => Promise<unknown>): Promise<string> {
    const bytes = Buffer.from(await this.received(act), "hex");
    return bytes.toString("latin1").replaceAll("\x1b", "^[");
  }

  /** Everything so far as the program's reads, hex each. */
  get reads(): string[] {
    const [, after = ""] = this.viewer.text.split("READY\r\n");
    return after
      .split("\r\n")
      .map((line) => line.replaceAll(/[^0-9a-f]/g, ""))
      .filter((line) => line !== "");
  }

  private get hex(): string {
    return this.reads.join("");
  }

  async close(): Promise<void> {
    await this.host.request("closeSession", {
      params: { id: this.id },
      query: { signal: "KILL" },
    });
  }
}
