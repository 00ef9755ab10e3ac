// A request's body as JSON (HT2): size first, then type, then text, then strict JSON. Reads at most `limits.bodyBytes`, chunked or not.
import type { Clock } from "#lib/base/clock.ts";
import { TermError } from "#lib/protocol/errors.ts";
import { badFields } from "#lib/protocol/field-errors.ts";
import { limits } from "#lib/protocol/limits.ts";
import { parseStrictJson } from "./strict-json.ts";

/** undefined: the request has no body. Throws TermError TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST. */
export async function readJsonBody(
  request: Request,
  maxDepth: number = limits.jsonDepth,
): Promise<unknown> {
  const declared = Number(request.headers.get("content-length") ?? 0);
  if (declared > limits.bodyBytes) throw tooLarge();
  checkType(request.headers, declared > 0 || request.headers.has("transfer-encoding"));
  const bytes = await readBounded(request);
  if (bytes.length === 0) return undefined;
  checkType(request.headers, true);
  const result = parseStrictJson(decode(bytes), maxDepth);
  if (result.kind === "value") return result.value;
  const path = result.path === "" ? "body" : `body.${result.path}`;
  throw badFields([{ path, message: result.message }]);
}

/**
 * Reads and drops what is left of a body whose request was refused, as far as a body may go and for at most `maxMs`: an answer that is
 * sent while the other side still writes can be lost, because its next write fails before it reads.
 */
export async function discardBody(request: Request, clock: Clock, maxMs = 1_000): Promise<void> {
  if (request.bodyUsed || !request.body || request.body.locked) return;
  const reader = request.body.getReader();
  const deadline = clock.monotonic() + maxMs;
  let isLate = false;
  const timer = clock.after(maxMs, () => {
    isLate = true;
    reader.releaseLock();
  });
  try {
    for (let length = 0; length <= limits.bodyBytes && clock.monotonic() < deadline; ) {
      const { done, value } = await reader.read();
      if (done) return;
      length += value.length;
    }
  } catch {
    // Broken off, or late: there is nothing more to wait for.
  } finally {
    timer.dispose();
    if (!isLate) reader.releaseLock();
  }
}

function checkType(headers: Headers, hasBody: boolean): void {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new TermError(
      "UNSUPPORTED_MEDIA_TYPE",
      `the body's encoding ${shown(encoding)} is not taken`,
    );
  }
  const type = headers.get("content-type");
  if (type === null && !hasBody) return;
  if (type !== null && /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) return;
  throw new TermError(
    "UNSUPPORTED_MEDIA_TYPE",
    type === null ? "the body has no content type" : `the content type ${shown(type)} is not taken`,
  );
}

async function readBounded(request: Request): Promise<Uint8Array> {
  if (!request.body) return new Uint8Array(0);
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff);
    if (done) break;
    length += value.length;
    if (length > limits.bodyBytes) {
      // Left unread, not cancelled: cancelling would cut the connection before the answer is out. The adapter cuts it after that.
      reader.releaseLock();
      throw tooLarge();
    }
    parts.push(value);
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function brokenOff(): never {
  throw badFields([{ path: "body", message: "ended before its end" }]);
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw badFields([{ path: "body", message: "is not UTF-8" }]);
  }
}

function tooLarge(): TermError {
  return new TermError("TOO_LARGE", `a body may have at most ${limits.bodyBytes} bytes`);
}

function shown(header: string): string {
  return JSON.stringify(header.slice(0, 60));
}
