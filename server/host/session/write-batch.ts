// A batch of the API, typed (IN1, IN7): encoded whole or refused, held against the longest line that a terminal takes, and given to the hand as
// one unit. Knows nothing of what becomes of it on its way; the hand does.
import { TermError } from "#lib/protocol/errors.ts";
import type { Held, InputItem } from "#lib/protocol/input.ts";
import { limits } from "#lib/protocol/limits.ts";
import { type EncodedInput, encodeInput } from "#server/host/input/encode-input.ts";
import { backlog, type Hand } from "./hand.ts";
import { refuseClosed } from "./in-order.ts";
import type { Permission } from "./permission.ts";
import type { Session } from "./session.ts";
import type { WriteOptions } from "./session-port-api.ts";

export interface Writing {
  readonly session: Session;
  readonly permission: Permission;
  readonly hand: Hand;
  /** Id of the request that acts; null: none. */
  readonly request: string | null;
}

/**
 * `type` in its turn: at once, but before the first prompt of a shell (IN8). What is wrong with the batch, or with who types it, is said before
 * that, and has to be asked again after it.
 */
export async function inTurn<T>(
  writing: Writing,
  items: readonly InputItem[],
  options: WriteOptions,
  type: (held?: Held) => Promise<T>,
): Promise<T> {
  const { session } = writing;
  const { firstPrompt } = session;
  if (firstPrompt.isOver) return type();
  const { unit } = recorded(writing, options, () => {
    const batch = encoded(writing, items, options);
    if (batch.unit.length > firstPrompt.roomBytes) throw backlog(batch.unit);
    return batch;
  });
  return firstPrompt.run(writing.permission.actor.id, unit, (held) => {
    refuseClosed(session);
    return type(held);
  });
}

/** Resolves as SessionPortApi.write does, and refuses what that refuses. */
export async function writeBatch(
  writing: Writing,
  items: readonly InputItem[],
  options: WriteOptions,
): Promise<void> {
  const { session, hand } = writing;
  const encode = () => recorded(writing, options, () => encoded(writing, items, options));
  let batch = encode();
  const { line } = session.keyboard;
  const lineBytes = line.longestWith(batch.unit);
  if (lineBytes > limits.canonicalLineBytes) {
    const tty = await session.ttySettings();
    if (tty.kind === "known" && tty.canonical)
      recorded(writing, options, () => {
        throw lineTooLong(lineBytes);
      });
    line.forget();
    // Whatever was decided before the wait may be wrong after it (B112).
    batch = encode();
  }
  const { ifDraft, note, request = writing.request ?? undefined } = options;
  const { unit, gaps: pauses, ends } = batch;
  await hand.type({ cause: "input", unit, pauses, ends, ifDraft, note, request });
}

/** A refusal is an entry of the audit. */
function recorded<T>(
  { session, permission, request }: Writing,
  { note }: WriteOptions,
  run: () => T,
): T {
  return session.traces.trail.refusals(permission.actor, { act: "write", request, note }, run);
}

function encoded(
  { session, permission }: Writing,
  items: readonly InputItem[],
  { gapMs, ifDraft }: WriteOptions,
): Extract<EncodedInput, { ok: true }> {
  permission.demand("type", ifDraft);
  const { journal, screen } = session;
  // A shell that said it edits a line takes Enter as Enter; the gap is for programs that guess (IN4).
  const gap = gapMs ?? (journal.state === "input" ? 0 : undefined);
  const batch = encodeInput(items, screen.modes, gap);
  if (batch.ok) return batch;
  const { code, error } = batch;
  throw new TermError(code, `${error.path}: ${error.message}`, { errors: [error] });
}

function lineTooLong(bytes: number): TermError {
  return new TermError(
    "LINE_TOO_LONG",
    `the program reads whole lines of at most ${limits.canonicalLineBytes} bytes, and this one would have ${bytes}; nothing was typed`,
  );
}
