// Who typed what in one session, for people (attribution and injection history): a bounded ring, agents' bytes made visible, never the text of
// people and never what may be a password. Also tells viewers whose line it is, at a pace an eye can follow.
import type { Clock } from "#lib/base/clock.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import type { ServerMessage } from "#lib/protocol/attach.ts";
import { type Cursor, formatCursor, parseCursor } from "#lib/protocol/cursor.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { WriteEntry, WritesQuery, WritesReply } from "#lib/protocol/writes.ts";
import type { WrittenLine } from "#lib/protocol/written-lines.ts";
import { Coalesced } from "./coalesced.ts";
import type { LinePlaces } from "./line-places.ts";
import { type Hide, saidText, typedText } from "./typed-text.ts";
import type { Written } from "./written.ts";

type WrittenMessage = Extract<ServerMessage, { type: "written" }>;

export interface WriteHistoryParts {
  /** Where the cursor stands; null on a full-screen program's screen. */
  place(): Cursor | null;
  /** Where its lines are for viewers. */
  readonly lines: LinePlaces;
  tell(message: WrittenMessage): void;
  readonly hide: Hide;
}

const paceMs = 100;
/** Whose line it is does not change while one person types on: it is told again only in case a viewer lost it. */
const sameLineMs = 1_000;

export class WriteHistory implements Disposable {
  private entries: WriteEntry[] = [];
  private chars = 0;
  private next = 0;
  /** Of the newest entry: a person's next key may belong to it. */
  private newest: { readonly atMs: number; readonly seq: number | null } | null = null;
  private readonly pending = new Map<string, WrittenMessage>();
  /** The line and writer that were told last. */
  private told: { readonly key: string; readonly atMs: number } | null = null;
  private readonly pace: Coalesced;

  constructor(
    private readonly parts: WriteHistoryParts,
    private readonly clock: Clock,
  ) {
    this.pace = new Coalesced(clock, paceMs, () => this.tellPending());
  }

  wrote(written: Written): void {
    const { cause, isSecret } = written;
    // What a viewer's terminal emits by itself is nobody's typing.
    if (cause === "report") return;
    // A password is on no line, and nobody is told of its keys: their number and their pace are a part of it (CR3).
    const place = isSecret ? null : this.parts.place();
    if (!this.joined(written, place)) this.add(written, cause, place);
    if (place && cause !== "mouse") this.show(written, place);
  }

  list({ from, limit = limits.writes.listed }: WritesQuery): WritesReply {
    const oldest = this.next - this.entries.length;
    const first = Math.max(oldest, from ?? this.next - limit);
    const writes = this.entries.slice(first - oldest, first - oldest + limit);
    return { writes, oldest_n: oldest, next_n: this.next };
  }

  /** The lines that are still there, oldest first, each as its last writer's. */
  lines(): WrittenLine[] {
    const found = new Map<number, WrittenLine>();
    for (const { actor, cause, note, cursor } of this.entries.toReversed()) {
      if (cause === "mouse" || cursor === null) continue;
      const place = this.parts.lines.of(parseCursor(cursor));
      if (place === null || found.has(place.row)) continue;
      found.set(place.row, { ...place, ...actor, ...(note === undefined ? {} : { note }) });
      if (found.size === limits.writtenLines) break;
    }
    return [...found.values()].reverse();
  }

  dispose(): void {
    this.pace.dispose();
  }

  /** A change of size that is not on the screen yet may be on a viewer's already: a place counted from before it would lead nowhere. */
  private tellPending(): void {
    const { lines, tell } = this.parts;
    if (this.pending.size === 0) return;
    if (lines.isBehind) {
      this.pace.poke();
      return;
    }
    const messages = [...this.pending.values()];
    const key = [...this.pending.keys()].at(-1) ?? "";
    this.told = { key, atMs: this.clock.monotonic() };
    this.pending.clear();
    for (const message of messages) {
      const line = lines.of(parseCursor(message.at));
      tell(line === null ? message : { ...message, line });
    }
  }

  /** A person's keys on one line within a second are one entry, and all of a password are. */
  private joined({ actor, cause, bytes, isSecret }: Written, place: Cursor | null): boolean {
    const last = this.entries.at(-1);
    const { newest } = this;
    if (actor.kind === "agent" || !last || !newest || last.actor.id !== actor.id) return false;
    const isOld = !isSecret && this.clock.monotonic() - newest.atMs >= limits.typingEntryMs;
    const isSame = last.cause === cause && (last.bytes === null) === isSecret;
    if (isOld || !isSame || newest.seq !== (place?.seq ?? null)) return false;
    if (last.bytes !== null)
      this.entries[this.entries.length - 1] = { ...last, bytes: last.bytes + bytes.length };
    return true;
  }

  private add(written: Written, cause: WriteEntry["cause"], place: Cursor | null): void {
    const { actor, bytes, note, request, isSecret } = written;
    const isKept = actor.kind === "agent" && !isSecret;
    const text = isKept ? typedText(bytes, this.parts.hide) : null;
    this.entries.push({
      n: this.next,
      at: new Date(this.clock.now()).toISOString(),
      actor: { kind: actor.kind, id: actor.id, name: actor.name },
      cause,
      bytes: isSecret ? null : bytes.length,
      text,
      ...(note === undefined ? {} : { note: saidText(note, limits.noteChars, this.parts.hide) }),
      request,
      cursor: place && formatCursor(place),
    });
    this.next += 1;
    this.chars += text?.length ?? 0;
    this.newest = { atMs: this.clock.monotonic(), seq: place?.seq ?? null };
    const { kept, chars } = limits.writes;
    let surplus = 0;
    while (this.entries.length - surplus > kept || this.chars > chars) {
      this.chars -= this.entries[surplus]?.text?.length ?? 0;
      surplus += 1;
    }
    if (surplus > 0) this.entries = this.entries.slice(surplus);
  }

  private show({ actor, note }: Written, place: Cursor): void {
    const { kind, id, name } = actor;
    const key = `${id} ${place.seq}`;
    if (note === undefined && this.pending.size === 0 && this.isTold(key)) return;
    const caption =
      note === undefined
        ? this.pending.get(key)?.note
        : saidText(note, limits.noteChars, this.parts.hide);
    this.pending.delete(key);
    this.pending.set(key, {
      type: "written",
      kind,
      id,
      name,
      at: formatCursor(place),
      ...(caption === undefined ? {} : { note: caption }),
    });
    for (const old of this.pending.keys()) {
      if (this.pending.size <= limits.writtenFrames) break;
      this.pending.delete(old);
    }
    this.pace.poke();
  }

  private isTold(key: string): boolean {
    const { told } = this;
    return told?.key === key && this.clock.monotonic() - told.atMs < sameLineMs;
  }
}
