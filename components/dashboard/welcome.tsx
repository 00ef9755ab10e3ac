"use client";
// Trades the one-time code of the fragment for a login, and says what happened if that did not work.
import { useCallback, useEffect, useRef, useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { createCredentials, type LoginOutcome, takeLoginCode } from "#lib/client/credentials.ts";
import { browserKeyValue } from "#lib/client/key-value.ts";
import { NoticePage } from "./notice-page.tsx";
import { OpenCommands, SignedOut } from "./signed-out.tsx";

type State =
  | { kind: "signing_in" }
  | { kind: "no_code" }
  | { kind: "ended"; outcome: Exclude<LoginOutcome, { kind: "signed_in" }> };

export function Welcome() {
  const s = useStrings();
  const [state, setState] = useState<State>({ kind: "signing_in" });
  // Kept for another try when nobody answered; leaves with the page, and is in no address any more.
  const code = useRef<string | null>(null);
  const hasStarted = useRef(false);

  const signIn = useCallback(async () => {
    setState({ kind: "signing_in" });
    const keyValue = browserKeyValue(window, () => {
      // Without storage the login lasts as long as this page, which is about to leave: the workspace will say so.
    });
    const credentials = createCredentials({ keyValue, baseUrl: "" });
    try {
      if (code.current === null) {
        // Opened without a code: a browser that is signed in goes on, one that is not is told how.
        if (credentials.state() === "signed_out") setState({ kind: "no_code" });
        else location.replace("/");
        return;
      }
      const outcome = await credentials.login(code.current);
      if (outcome.kind === "signed_in") location.replace("/");
      else setState({ kind: "ended", outcome });
    } finally {
      credentials.dispose();
    }
  }, []);

  useEffect(() => {
    // A code works once: never two attempts for one opening of the page.
    if (hasStarted.current) return;
    hasStarted.current = true;
    code.current = takeLoginCode(window);
    void signIn();
    // A second link opened in this very tab changes the fragment only.
    const onHash = () => {
      const next = takeLoginCode(window);
      if (next === null) return;
      code.current = next;
      void signIn();
    };
    window.addEventListener("hashchange", onHash);
  }, [signIn]);

  if (state.kind === "signing_in")
    return (
      <main className="flex min-h-dvh items-center justify-center">
        <h1 className="after-300 font-normal text-lead text-text-2" role="status">
          {s.welcome.signingIn}
        </h1>
      </main>
    );
  if (state.kind === "no_code") return <SignedOut />;
  switch (state.outcome.kind) {
    case "link_used_or_expired":
      return (
        <NoticePage title={s.welcome.usedTitle} text={s.welcome.usedText}>
          <OpenCommands />
        </NoticePage>
      );
    case "too_many_attempts":
    case "unreachable":
      return (
        <NoticePage
          title={s.welcome.failTitle}
          text={state.outcome.kind === "unreachable" ? s.welcome.unreachable : s.welcome.tooMany}
        >
          <span>
            <Button look="primary" size="large" onClick={() => void signIn()}>
              {s.common.retry}
            </Button>
          </span>
        </NoticePage>
      );
    case "refused":
      return (
        <NoticePage title={s.welcome.failTitle} text={state.outcome.detail}>
          <p className="font-mono text-caption text-text-3">
            {s.session.errorId(state.outcome.instance)}
          </p>
        </NoticePage>
      );
  }
}
