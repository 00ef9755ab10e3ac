// Writes the audit: acts wait in memory, get their place in the chain when they are written, and never hold up what they tell of; only its answer
// waits for them (`settled`). While a disk refuses, or does not answer, they go on waiting, people are warned, and a `gap` line says so once it
// takes lines again; what finds no room is counted there.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { AuditAct } from "#lib/protocol/audit.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type LineWriter, listAuditFiles, openAuditFile, removeAuditFiles } from "./audit-files.ts";
import type { AuditSink } from "./audit-sink.ts";
import { type ChainHead, makeLine } from "./chain.ts";
import { findEnd } from "./chain-end.ts";

export interface AuditLogOptions {
  readonly folder: string;
  readonly clock: Clock;
  /** Told whenever `warning` changed. */
  readonly onWarning?: (warning: string | null) => void;
  /** In the place of the real file, for tests of a failing disk. */
  readonly openFile?: (folder: string, first: number) => Promise<LineWriter>;
  /** Smaller in tests. */
  readonly bounds?: { readonly fileBytes: number; readonly files: number };
}

interface Waiting {
  readonly act: AuditAct;
  readonly atMs: number;
}

/** Lines written at a time. */
const batchLines = 500;
const usualBounds = { fileBytes: limits.auditFileBytes, files: limits.auditFiles };

export class AuditLog implements AuditSink {
  private queue: Waiting[] = [];
  /** Of the chain on disk; null until it was looked at, and after a failure: nobody knows what the disk took. */
  private head: ChainHead | null = null;
  /** First entry of the file that is being written; null: the next line begins a new one. */
  private first: number | null = null;
  private file: LineWriter | null = null;
  /** Acts that found no room while the disk refused, and are to be told of in a gap line. */
  private lost = 0;
  private failure: { readonly reason: string; readonly sinceMs: number } | null = null;
  private writing: Promise<void> | null = null;
  private retry: Disposable | null = null;
  private isClosed = false;
  /** Acts that were put into the queue, and those of them that the kernel has. */
  private taken = 0;
  private kept = 0;
  private waiting: { readonly upTo: number; readonly resolve: () => void }[] = [];

  constructor(private readonly options: AuditLogOptions) {}

  /** A sentence while acts are not being kept; null: all is well. */
  get warning(): string | null {
    if (this.failure === null) return null;
    const { reason, sinceMs } = this.failure;
    return `the audit cannot be written since ${iso(sinceMs)} (${reason}); ${this.queue.length} acts wait in memory, ${this.lost} are lost`;
  }

  record(act: AuditAct, atMs: number = this.options.clock.now()): void {
    if (this.isClosed) return;
    if (this.queue.length >= limits.auditQueue) {
      this.lost += 1;
      return;
    }
    this.queue.push({ act, atMs });
    this.taken += 1;
    this.write();
  }

  /**
   * Resolves when the kernel has everything recorded so far: what it has survives a kill of this process. Null: it has. Never waits for a disk that
   * refuses or takes longer than `limits.auditPatienceMs`; people are warned of both.
   */
  settled(): Promise<void> | null {
    if (this.kept >= this.taken || this.failure) return null;
    return new Promise((resolve) => this.waiting.push({ upTo: this.taken, resolve }));
  }

  /** Resolves when everything recorded so far is in the file, or was given up. */
  async flush(): Promise<void> {
    while (this.writing) await this.writing;
  }

  /** What is waiting is written first. */
  async close(): Promise<void> {
    this.retry?.dispose();
    this.retry = null;
    if (this.queue.length > 0 || this.lost > 0) this.write();
    await this.flush();
    this.isClosed = true;
    (this.retry as Disposable | null)?.dispose();
    await this.file?.close().catch(() => {});
  }

  private write(): void {
    if (this.writing || this.retry) return;
    this.writing = this.drain().finally(() => {
      this.writing = null;
      // What came between the last look at the queue and now.
      if (this.queue.length > 0) this.write();
    });
  }

  private async drain(): Promise<void> {
    try {
      // A turn later: what comes in the same turn goes out in one write.
      await Promise.resolve();
      while (this.queue.length > 0 || this.lost > 0) {
        const slow = this.options.clock.after(limits.auditPatienceMs, () =>
          this.failed({ code: "no answer" }),
        );
        await this.writeBatch().finally(() => slow.dispose());
      }
      this.recovered();
    } catch (error) {
      await this.file?.close().catch(() => {});
      this.file = null;
      // What the disk took of it is only known from the disk.
      this.head = null;
      this.failed(error);
      this.retry = this.options.clock.after(limits.auditRetryMs, () => {
        this.retry = null;
        this.write();
      });
    }
  }

  private async writeBatch(): Promise<void> {
    const { folder, clock, openFile = openAuditFile, bounds = usualBounds } = this.options;
    const notes: AuditAct[] = [];
    let { head } = this;
    if (!head) {
      const end = await findEnd(folder);
      head = end.head;
      this.first = end.first;
      if (end.tornBytes > 0) notes.push(torn(end.tornBytes));
    }
    if (this.file && this.file.size >= bounds.fileBytes) {
      await this.file.close();
      this.file = null;
      this.first = null;
    }
    const files = this.first === null ? listAuditFiles(folder) : [];
    // With the one that begins now.
    const surplus = files.slice(0, Math.max(0, files.length + 1 - bounds.files));
    const oldest = surplus.length > 0 ? (files[surplus.length]?.first ?? head.next) : null;
    if (oldest !== null) notes.push(retired(oldest));
    this.first ??= head.next;
    this.file ??= await openFile(folder, this.first);
    const { lost, failure } = this;
    const batch = this.queue.slice(0, batchLines);
    if (failure || lost > 0) notes.push(gap(failure, this.queue.length, lost));
    const acts = [...notes.map((act) => ({ act, atMs: clock.now() })), ...batch];
    let text = "";
    for (const { act, atMs } of acts) {
      const made = makeLine(act, atMs, head);
      text += `${made.line}\n`;
      head = made.head;
    }
    await this.file.append(text);
    // Only now: what was not written has no place in the chain.
    this.head = head;
    this.lost -= lost;
    this.queue.splice(0, batch.length);
    this.kept += batch.length;
    this.release(this.kept);
    this.recovered();
    removeAuditFiles(surplus);
  }

  private release(upTo: number): void {
    const { waiting } = this;
    if (waiting.length === 0) return;
    this.waiting = waiting.filter((one) => one.upTo > upTo);
    for (const one of waiting) if (one.upTo <= upTo) one.resolve();
  }

  private failed(error: unknown): void {
    this.release(Number.POSITIVE_INFINITY);
    const reason = (error as NodeJS.ErrnoException).code ?? String(error);
    if (reason === this.failure?.reason) return;
    this.failure = { reason, sinceMs: this.failure?.sinceMs ?? this.options.clock.now() };
    this.options.onWarning?.(this.warning);
  }

  private recovered(): void {
    if (this.failure === null) return;
    this.failure = null;
    this.options.onWarning?.(null);
  }
}

function gap(
  failure: { readonly reason: string; readonly sinceMs: number } | null,
  waiting: number,
  lost: number,
): AuditAct {
  const why = failure ? `not writable since ${iso(failure.sinceMs)} (${failure.reason}): ` : "";
  return note("gap", `${why}${waiting} acts were kept in memory and follow, ${lost} are lost`);
}

function torn(bytes: number): AuditAct {
  return note("gap", `the last line was torn; its ${bytes} bytes were removed`);
}

/** Told before the files go, so that a chain that begins later says why (T127). */
function retired(oldest: number): AuditAct {
  return note("retention", `entries before number ${oldest} are removed`);
}

function note(act: "gap" | "retention", what: string): AuditAct {
  return { act, actor: null, session: null, outcome: "done", what, request: null };
}

function iso(wallMs: number): string {
  return new Date(wallMs).toISOString();
}
