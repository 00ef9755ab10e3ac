// A session's log in a file (e2e/recordings/*.cast, the format of asciicast v2): output, resizes and the exit, each with its time; and what
// it becomes again in a fresh screen and journal (LG2).
import type { GridSize } from "#lib/protocol/geometry.ts";
import type { CommandRecord } from "#lib/protocol/journal.ts";
import { journalRig } from "./journal-rig.ts";
import type { SinkFrame } from "./memory-sink.ts";

export type LogEntry = { readonly atMs: number } & (
  | { kind: "output"; text: string }
  | { kind: "resize"; size: GridSize }
  | { kind: "exit" }
);

export interface Recording {
  readonly size: GridSize;
  /** Of the shell's own integration; empty: it had none. */
  readonly nonce: string;
  readonly entries: readonly LogEntry[];
}

export function parseRecording(text: string): Recording {
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const { width, height, env } = JSON.parse(head);
  return {
    size: { cols: width, rows: height },
    nonce: env?.COTTY_SHELL_NONCE ?? "",
    entries: lines.map((line) => {
      const [seconds, kind, data] = JSON.parse(line) as [number, string, string];
      const atMs = Math.round(seconds * 1_000);
      if (kind === "x") return { atMs, kind: "exit" };
      if (kind !== "r") return { atMs, kind: "output", text: data };
      const [cols = 0, rows = 0] = data.split("x").map(Number);
      return { atMs, kind: "resize", size: { cols, rows } };
    }),
  };
}

export function formatRecording({ size, nonce, entries }: Recording): string {
  const env = nonce === "" ? {} : { env: { COTTY_SHELL_NONCE: nonce } };
  const head = { version: 2, width: size.cols, height: size.rows, ...env };
  const lines = entries.map((entry) => {
    const seconds = entry.atMs / 1_000;
    if (entry.kind === "exit") return [seconds, "x", "0"];
    if (entry.kind === "output") return [seconds, "o", entry.text];
    return [seconds, "r", `${entry.size.cols}x${entry.size.rows}`];
  });
  return `${[head, ...lines].map((line) => JSON.stringify(line)).join("\n")}\n`;
}

/** Turns what a viewer is sent from offset 0 on into entries. */
export class LogTap {
  readonly entries: LogEntry[] = [];
  private readonly decoder = new TextDecoder();

  take(frame: SinkFrame, atMs: number): void {
    if (frame.kind === "bytes") {
      const text = this.decoder.decode(frame.bytes, { stream: true });
      if (text !== "") this.entries.push({ atMs, kind: "output", text });
    } else if (frame.kind === "message" && frame.message.type === "resized")
      this.entries.push({ atMs, kind: "resize", size: frame.message.size });
    else if (frame.kind === "message" && frame.message.type === "exited")
      this.entries.push({ atMs, kind: "exit" });
  }

  /** Of the shell's own integration, as it told it. */
  get nonce(): string {
    const text = this.entries.map((one) => (one.kind === "output" ? one.text : "")).join("");
    const [, payload = ""] = text.split("\x1b]633;E;");
    return /^[^\x07\x1b]*;([\w-]+)[\x07\x1b]/.exec(payload)?.[1] ?? "";
  }
}

/** What of a record is in the log: neither who typed nor when it was parsed, nor the system's word about directories. */
export type ReplayedRecord = Omit<
  CommandRecord,
  "started_at" | "ended_at" | "duration_ms" | "by" | "by_agent" | "cwd"
>;

export function withoutSurroundings(record: CommandRecord): ReplayedRecord {
  const { started_at, ended_at, duration_ms, by, by_agent, cwd, ...rest } = record;
  return rest;
}

export interface Replayed {
  readonly records: readonly ReplayedRecord[];
  /** What each of them printed. */
  readonly outputs: readonly string[];
  readonly lines: readonly string[];
}

/** `cut`: in pieces of so many characters, wherever that falls. */
export async function replay(recording: Recording, cut = 1 << 16): Promise<Replayed> {
  const { size, nonce, entries } = recording;
  const rig = journalRig({ size, scrollback: 5_000, nonce: nonce === "" ? null : nonce });
  for (const entry of entries) {
    if (entry.kind === "resize") rig.screen.resize(entry.size);
    else if (entry.kind === "exit") rig.journal.exited();
    else
      for (let at = 0; at < entry.text.length; at += cut)
        await rig.feed(entry.text.slice(at, at + cut));
  }
  const records = rig.all();
  const result = {
    records: records.map(withoutSurroundings),
    outputs: records.map(({ index }) => rig.output(index)),
    lines: rig.screen.text().lines,
  };
  rig.dispose();
  return result;
}
