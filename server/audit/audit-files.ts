// The files of the audit: one being written, older ones beside it, named by their first entry (AU1). Whole lines or nothing.
import { constants, createReadStream, mkdirSync, readdirSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDWR, O_RDONLY } = constants;
const namePattern = /^audit-(\d{12})\.jsonl$/;

export interface AuditFile {
  readonly path: string;
  /** Number of its first entry. */
  readonly first: number;
}

/** Oldest first. */
export function listAuditFiles(folder: string): AuditFile[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return names
    .flatMap((name) => {
      const first = namePattern.exec(name)?.[1];
      return first === undefined ? [] : [{ path: join(folder, name), first: Number(first) }];
    })
    .sort((a, b) => a.first - b.first);
}

/** Where lines go. The audit's own tests put a failing disk in its place. */
export interface LineWriter {
  /** All of `text` is in the file when it resolves; when it rejects, nothing of it is. */
  append(text: string): Promise<void>;
  readonly size: number;
  close(): Promise<void>;
}

export function auditFileName(first: number): string {
  return `audit-${String(first).padStart(12, "0")}.jsonl`;
}

export async function openAuditFile(folder: string, first: number): Promise<LineWriter> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, auditFileName(first));
  const handle = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  const { size } = await handle.stat();
  return new FileLines(handle, size);
}

class FileLines implements LineWriter {
  constructor(
    private readonly handle: FileHandle,
    private written: number,
  ) {}

  get size(): number {
    return this.written;
  }

  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    try {
      let done = 0;
      while (done < bytes.length) done += (await this.handle.write(bytes, done)).bytesWritten;
      this.written += bytes.length;
    } catch (error) {
      // A full disk may have taken half a line.
      await this.handle.truncate(this.written).catch(() => {});
      throw error;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

export function removeAuditFiles(files: readonly AuditFile[]): void {
  for (const { path } of files) rmSync(path, { force: true });
}

/** One line of a file, without its newline. Bytes: what is no UTF-8 must not look like something else. */
export interface AuditLine {
  readonly line: Buffer;
  /** Nothing but a newline ends a line; this one has none. */
  readonly isTorn: boolean;
}

const newlineByte = 0x0a;

/** The text of a file in pieces, from its end to its beginning. */
async function* piecesBackward(path: string, pieceBytes = 64 * 1024): AsyncGenerator<Buffer> {
  const handle = await open(path, O_RDONLY | O_NOFOLLOW);
  try {
    let end = (await handle.stat()).size;
    while (end > 0) {
      const begin = Math.max(0, end - pieceBytes);
      const piece = Buffer.alloc(end - begin);
      await handle.read(piece, 0, piece.length, begin);
      yield piece;
      end = begin;
    }
  } finally {
    await handle.close();
  }
}

/** Newest first. */
export async function* linesBackward(path: string): AsyncGenerator<AuditLine> {
  let rest = Buffer.alloc(0);
  let isTorn = true;
  for await (const piece of piecesBackward(path)) {
    let end = piece.length;
    while (end > 0) {
      const newline = piece.lastIndexOf(newlineByte, end - 1);
      if (newline < 0) break;
      const line = Buffer.concat([piece.subarray(newline + 1, end), rest]);
      rest = Buffer.alloc(0);
      if (line.length > 0) yield { line, isTorn };
      isTorn = false;
      end = newline;
    }
    rest = Buffer.concat([piece.subarray(0, end), rest]);
  }
  if (rest.length > 0) yield { line: rest, isTorn };
}

/** Oldest first. */
export async function* linesForward(path: string): AsyncGenerator<AuditLine> {
  let rest: Buffer[] = [];
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    let begin = 0;
    for (;;) {
      const newline = piece.indexOf(newlineByte, begin);
      if (newline < 0) break;
      yield { line: Buffer.concat([...rest, piece.subarray(begin, newline)]), isTorn: false };
      rest = [];
      begin = newline + 1;
    }
    if (begin < piece.length) rest.push(piece.subarray(begin));
  }
  const line = Buffer.concat(rest);
  if (line.length > 0) yield { line, isTorn: true };
}
