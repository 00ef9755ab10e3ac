"use client";
// The tokens there are, the newest on top: whose, for what, when last used; each can be ended here.
import { useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { ApiError } from "#lib/client/api-error.ts";
import type { TokenInfo } from "#lib/protocol/tokens.ts";
import { useApp } from "./app-context.tsx";
import { noticeFailure } from "./failure-notice.ts";
import { useNow } from "./use-now.ts";

export function TokenList({
  tokens,
  onChange,
}: {
  tokens: readonly TokenInfo[];
  onChange: () => void;
}) {
  const s = useStrings();
  const now = useNow(30_000);
  const ago = (time: string) => s.format.ago(now - Date.parse(time));
  if (tokens.length === 0) return <p className="text-text-2">{s.connect.noTokens}</p>;
  return (
    <ul className="flex flex-col">
      {[...tokens].reverse().map((token) => (
        <li
          key={token.id}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t py-2 first:border-t-0"
        >
          <div className="min-w-40 flex-1">
            <p className="truncate font-strong text-body">
              {token.name}
              <span className="ml-2 font-normal text-caption text-text-3">
                {s.connect.roleNames[token.role]}
              </span>
            </p>
            <p className="text-caption text-text-3 tnum">
              {s.connect.made(ago(token.created_at))}
              {" · "}
              {token.last_used_at === null
                ? s.connect.neverUsed
                : s.connect.lastUsed(ago(token.last_used_at))}
              {token.expires_at === null
                ? null
                : ` · ${s.connect.expires(s.format.date(new Date(token.expires_at)))}`}
            </p>
          </div>
          <RevokeButton token={token} onRevoked={onChange} />
        </li>
      ))}
    </ul>
  );
}

/** Ending a token cannot be undone, so the first press only asks. */
function RevokeButton({ token, onRevoked }: { token: TokenInfo; onRevoked: () => void }) {
  const app = useApp();
  const s = useStrings();
  const [isAsking, setAsking] = useState(false);
  const revoke = async () => {
    setAsking(false);
    try {
      await app.api.revokeToken({ params: { id: token.id } });
    } catch (error) {
      // Ended elsewhere in the meantime: what was wanted.
      if (!(error instanceof ApiError) || error.code !== "TOKEN_NOT_FOUND")
        noticeFailure(s.connect.revokeFailed, error, s);
    }
    onRevoked();
  };
  if (!isAsking)
    return (
      <Button
        size="banner"
        aria-label={s.connect.revokeNamed(token.name)}
        onClick={() => setAsking(true)}
      >
        {s.connect.revoke}
      </Button>
    );
  return (
    <span className="flex items-center gap-2">
      <Button size="banner" look="quiet" onClick={() => setAsking(false)}>
        {s.common.cancel}
      </Button>
      <Button
        size="banner"
        look="danger"
        autoFocus
        aria-label={s.connect.revokeReally(token.name)}
        onClick={() => void revoke()}
      >
        {s.connect.revokeNow}
      </Button>
    </span>
  );
}
