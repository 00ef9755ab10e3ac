// The page's half of a browser login (SE3): the key kept per origin, the one-time code taken out of the fragment, and whether
// this page is signed in. The cookie is the browser's business; the code and the key never enter a URL, a log or an error.
import { Emitter, type Event } from "#lib/base/emitter.ts";
import type { Disposable } from "#lib/base/lifecycle.ts";
import { pageKeyHeader } from "#lib/protocol/actor.ts";
import type { ApiClient } from "./api-client.ts";
import { ApiError } from "./api-error.ts";
import type { KeyValue } from "./key-value.ts";
import { createPageClient } from "./page-client.ts";

const storageKey = "cotty.key";

/** `unknown`: a key is there and no answer has confirmed or refused it. */
export type SignIn = "unknown" | "signed_in" | "signed_out";

export type LoginOutcome =
  | { kind: "signed_in" }
  /** The link was used before or its two minutes are over. */
  | { kind: "link_used_or_expired" }
  | { kind: "too_many_attempts"; retryAfterMs: number | null }
  | { kind: "unreachable" }
  | { kind: "refused"; detail: string; instance: string };

export interface Credentials extends Disposable {
  readonly onChange: Event<SignIn>;
  state(): SignIn;
  /** For createPageClient. */
  headers(): Record<string, string>;
  login(code: string): Promise<LoginOutcome>;
  /** Ends the login on the server if it can be reached, and forgets the key in any case. */
  logout(): Promise<void>;
  /** For createPageClient's onUnauthenticated: the server knows this login no more. */
  lost(): void;
  /** An authenticated call worked. */
  confirmed(): void;
}

export interface CredentialsOptions {
  keyValue: KeyValue;
  baseUrl: string;
  fetch?: typeof fetch;
}

export function createCredentials(options: CredentialsOptions): Credentials {
  const { keyValue } = options;
  const changes = new Emitter<SignIn>();
  let state: SignIn = keyValue.get(storageKey) === null ? "signed_out" : "unknown";
  const become = (next: SignIn) => {
    if (next === state) return;
    state = next;
    changes.fire(next);
  };
  const headers = (): Record<string, string> => {
    const key = keyValue.get(storageKey);
    return key === null ? {} : { [pageKeyHeader]: key };
  };
  const api: ApiClient = createPageClient({
    baseUrl: options.baseUrl,
    headers,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });
  // Another tab signed in or out: same browser, same login.
  const external = keyValue.onExternalChange((key) => {
    if (key !== storageKey && key !== "") return;
    become(keyValue.get(storageKey) === null ? "signed_out" : "signed_in");
  });

  return {
    onChange: changes.event,
    state: () => state,
    headers,
    async login(code) {
      try {
        const { key } = await api.login({ body: { code } });
        keyValue.set(storageKey, key);
        become("signed_in");
        return { kind: "signed_in" };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    async logout() {
      try {
        await api.logout();
      } catch (error) {
        // Unreachable or already signed out: the key is forgotten here, and the login ends by its own expiry.
        if (!(error instanceof ApiError)) throw error;
      } finally {
        keyValue.remove(storageKey);
        become("signed_out");
      }
    },
    lost() {
      keyValue.remove(storageKey);
      become("signed_out");
    },
    confirmed() {
      become("signed_in");
    },
    dispose() {
      external.dispose();
      changes.dispose();
    },
  };
}

function outcomeOf(error: unknown): LoginOutcome {
  if (!(error instanceof ApiError)) throw error;
  if (error.failure.kind !== "refused") return { kind: "unreachable" };
  const { problem } = error.failure;
  if (problem.code === "LOGIN_CODE_INVALID" || problem.code === "BAD_REQUEST")
    return { kind: "link_used_or_expired" };
  if (problem.code === "TOO_MANY_ATTEMPTS")
    return { kind: "too_many_attempts", retryAfterMs: problem.retry_after_ms ?? null };
  return { kind: "refused", detail: problem.detail, instance: problem.instance };
}

/**
 * The one-time code of `#CODE` or `#code=CODE`. Takes it out of the address and of the history entry at once, before
 * anything is sent, so that it is neither bookmarked nor shown.
 */
export function takeLoginCode(view: Pick<Window, "location" | "history">): string | null {
  const { location, history } = view;
  const fragment = location.hash.replace(/^#/, "");
  if (fragment === "") return null;
  const named = new URLSearchParams(fragment).get("code");
  const code = named ?? (/^[\w~.-]{8,200}$/.test(fragment) ? fragment : null);
  if (code === null) return null;
  history.replaceState(history.state, "", `${location.pathname}${location.search}`);
  return code;
}
