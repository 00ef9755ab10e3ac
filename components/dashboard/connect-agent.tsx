"use client";
// How an agent gets in: a token of its own, then one of several ways to use it. The token is in this component's state only and goes with it.
import { useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { CodeBox } from "#components/ui/code-box.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import { may } from "#lib/protocol/roles.ts";
import type { CreatedToken, CreateToken } from "#lib/protocol/tokens.ts";
import {
  type AgentWay,
  agentWays,
  noToken,
  type Snippet,
  snippets,
  tokenCommand,
} from "./agent-commands.ts";
import { useMirror } from "./app-context.tsx";
import { TokenForm } from "./token-form.tsx";
import { TokenList } from "./token-list.tsx";
import { TokenShown } from "./token-shown.tsx";
import { useTokens } from "./use-tokens.ts";

export function ConnectAgent({ origin }: { origin: string }) {
  const s = useStrings();
  const isAllowed = useMirror(({ me }) => !me || may(me.actor.role, "token.manage"));
  const { list, refresh } = useTokens(isAllowed);
  const [way, setWay] = useState<AgentWay>("claude");
  const [role, setRole] = useState<CreateToken["role"]>("agent");
  const [made, setMade] = useState<CreatedToken | null>(null);
  const tokens = list.kind === "known" ? list.tokens : [];
  const hasCalled =
    made !== null && tokens.some(({ id, last_used_at }) => id === made.id && last_used_at !== null);
  const access = { origin, token: made?.token ?? noToken, canWrite: role === "agent" };
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <section className="flex min-w-0 flex-col gap-3">
        <h3 className="font-strong text-body">{s.connect.stepToken}</h3>
        {!isAllowed ? (
          <>
            <p className="text-text-2">{s.connect.notAllowed}</p>
            <CodeBox code={tokenCommand} label={s.connect.stepToken} />
          </>
        ) : made ? (
          <TokenShown made={made} hasCalled={hasCalled} onAnother={() => setMade(null)} />
        ) : (
          <TokenForm
            role={role}
            onRole={setRole}
            onMade={(token) => {
              setMade(token);
              refresh();
            }}
          />
        )}
      </section>
      <section className="flex min-w-0 flex-col gap-3">
        <h3 className="font-strong text-body">{s.connect.stepUse}</h3>
        <div className="-my-1 overflow-x-auto py-1">
          <Segmented
            label={s.connect.ways}
            value={way}
            onChange={setWay}
            options={agentWays.map((value) => ({ value, label: s.connect.way[value] }))}
          />
        </div>
        {snippets(way, access).map((snippet) => (
          <SnippetBox key={snippet.text} snippet={snippet} isPreview={!made && isAllowed} />
        ))}
      </section>
      {isAllowed ? (
        <section className="flex min-w-0 flex-col gap-2">
          <h3 className="font-strong text-body">{s.connect.tokens}</h3>
          {list.kind === "known" ? <TokenList tokens={tokens} onChange={refresh} /> : null}
          {list.kind === "loading" ? <p className="text-text-2">{s.common.loading}</p> : null}
          {list.kind === "failed" ? <p className="text-text-2">{list.detail}</p> : null}
        </section>
      ) : null}
    </div>
  );
}

function SnippetBox({ snippet, isPreview }: { snippet: Snippet; isPreview: boolean }) {
  const s = useStrings();
  const label = s.connect.snippet[snippet.text];
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <p className="text-caption text-text-2">{label}</p>
      <CodeBox
        code={snippet.code}
        label={label}
        {...(isPreview && snippet.code.includes(noToken) ? { why: s.connect.revealFirst } : {})}
      />
    </div>
  );
}
