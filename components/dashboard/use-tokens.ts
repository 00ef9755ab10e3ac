"use client";
// The tokens of this server, asked for again and again while somebody looks at them: that is how a first call shows.
import { useCallback, useEffect, useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import type { TokenInfo } from "#lib/protocol/tokens.ts";
import { useApp } from "./app-context.tsx";
import { failureText } from "./failure-notice.ts";

export type TokenList =
  | { kind: "loading" }
  | { kind: "known"; tokens: readonly TokenInfo[] }
  | { kind: "failed"; detail: string };

const everyMs = 2_000;

export function useTokens(isAllowed: boolean): { list: TokenList; refresh: () => void } {
  const app = useApp();
  const s = useStrings();
  const [list, setList] = useState<TokenList>({ kind: "loading" });
  /** Changed to ask now. */
  const [turn, setTurn] = useState(0);
  const refresh = useCallback(() => setTurn((last) => last + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks at once.
  useEffect(() => {
    if (!isAllowed) return;
    const asking = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      try {
        // A page that nobody sees learns of it when it is seen again.
        if (!document.hidden) {
          const { tokens } = await app.api.listTokens({ signal: asking.signal });
          setList({ kind: "known", tokens });
        }
      } catch (error) {
        if (asking.signal.aborted) return;
        setList((last) =>
          last.kind === "known" ? last : { kind: "failed", detail: failureText(error, s) },
        );
      }
      if (!asking.signal.aborted) timer = setTimeout(ask, everyMs);
    };
    void ask();
    return () => {
      asking.abort();
      clearTimeout(timer);
    };
  }, [app, s, isAllowed, turn]);
  return { list, refresh };
}
