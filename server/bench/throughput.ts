// (a) Bytes per second from a PTY through host and web to acknowledging viewers, the screen fed all the while.
import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "./figure.ts";
import { rawReadRate } from "./raw-pty.ts";
import { Stack, type Viewer } from "./stack.ts";

const MB = 1e6;

/** Text as build logs have it: numbered lines of about 60 characters, a colour now and then. */
function logText(bytes: number): Buffer {
  const lines: string[] = [];
  let size = 0;
  for (let n = 0; size < bytes; n += 1) {
    const line =
      n % 8 === 0
        ? `\x1b[32m[${n}]\x1b[0m compiling module number ${n * 7} of the program\r\n`
        : `[${n}] compiling module number ${n * 7} of the program, with warnings\r\n`;
    lines.push(line);
    size += line.length;
  }
  return Buffer.from(lines.join(""));
}

async function toViewers(
  stack: Stack,
  file: string,
  size: number,
  count: number,
): Promise<{ perViewer: number; total: number; resyncs: number }> {
  const session = await stack.create({
    command: ["/bin/sh", "-c", `stty raw -echo; read go; exec cat ${file}`],
    cols: 120,
    rows: 40,
  });
  const viewers: Viewer[] = [];
  for (let n = 0; n < count; n += 1) viewers.push(stack.attach(session));
  await Promise.all(viewers.map((viewer) => viewer.when(() => viewer.isLive)));
  const startedAt = performance.now();
  await stack.call("POST", `/sessions/${session.id}/input`, { input: [{ raw: "go\n" }] });
  await Promise.all(viewers.map((viewer) => viewer.when(() => viewer.offset >= size)));
  const seconds = (performance.now() - startedAt) / 1_000;
  const received = viewers.reduce((sum, viewer) => sum + viewer.bytes, 0);
  const resyncs = viewers.reduce((sum, viewer) => sum + viewer.resyncs, 0);
  for (const viewer of viewers) viewer.socket.terminate();
  await stack.close(session);
  return { perViewer: received / count / seconds, total: received / seconds, resyncs };
}

export async function throughput(): Promise<Figure[]> {
  const file = join(tmpdir(), `cotty-bench-${process.pid}.log`);
  const content = logText(120 * MB);
  writeFileSync(file, content);
  const raw = await rawReadRate(file, content.length);
  const stack = await Stack.start();
  try {
    const figures: Figure[] = [];
    for (const count of [1, 8, 32]) {
      const { perViewer, total, resyncs } = await toViewers(stack, file, content.length, count);
      const note = `${(perViewer / MB).toFixed(1)} MB/s each, ${(total / MB).toFixed(0)} MB/s in all; raw read ${(raw / MB).toFixed(1)} MB/s; ${resyncs} resyncs`;
      figures.push({
        name: `throughput-${count}`,
        value: perViewer / raw,
        unit: "x raw read",
        better: "higher",
        ...(count === 1 ? { aim: { min: 0.75 } } : {}),
        note,
      });
      if (count === 32)
        figures.push({
          name: "throughput-32-total",
          value: total / MB,
          unit: "MB/s",
          better: "higher",
          aim: { min: 200 },
          note,
        });
    }
    return figures;
  } finally {
    await stack.stop();
    rmSync(file, { force: true });
  }
}
