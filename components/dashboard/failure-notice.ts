// Tells the person about an act the server refused: what happened, why, and the id to quote.

import type { Strings } from "#components/strings/strings.ts";
import { notify } from "#components/ui/toast.tsx";
import { ApiError } from "#lib/client/api-error.ts";

export function failureText(error: unknown, s: Strings): string {
  if (!(error instanceof ApiError)) return String(error);
  if (error.failure.kind !== "refused") return error.message;
  const { detail, hint, instance } = error.failure.problem;
  return [detail, hint, s.session.errorId(instance)].filter(Boolean).join(" ");
}

export function noticeFailure(title: string, error: unknown, s: Strings): void {
  notify({ text: title, detail: failureText(error, s), durationMs: 8000 });
}
