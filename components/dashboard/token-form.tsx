"use client";
// Makes a token: a name, what it may do, how long it lives.
import { KeyRound } from "lucide-react";
import { useId, useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { CodeBox } from "#components/ui/code-box.tsx";
import { Segmented } from "#components/ui/segmented.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { ApiError } from "#lib/client/api-error.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { CreatedToken, CreateToken } from "#lib/protocol/tokens.ts";
import { useApp } from "./app-context.tsx";
import { noticeFailure } from "./failure-notice.ts";

const dayMs = 24 * 3_600_000;
const lifetimes = { week: 7 * dayMs, quarter: 90 * dayMs, revoked: undefined } as const;
type Lifetime = keyof typeof lifetimes;

export function TokenForm({
  role,
  onRole,
  onMade,
}: {
  role: CreateToken["role"];
  onRole: (role: CreateToken["role"]) => void;
  onMade: (made: CreatedToken) => void;
}) {
  const app = useApp();
  const s = useStrings();
  const nameId = useId();
  const [name, setName] = useState(s.connect.defaultName);
  const [lifetime, setLifetime] = useState<Lifetime>("revoked");
  const [isMaking, setMaking] = useState(false);
  const [isStale, setStale] = useState(false);
  const make = async () => {
    if (isMaking || name.trim() === "") return;
    setMaking(true);
    const ttlMs = lifetimes[lifetime];
    try {
      const body = { name, role, ...(ttlMs === undefined ? {} : { expires_in_ms: ttlMs }) };
      onMade(await app.api.createToken({ body }));
    } catch (error) {
      if (error instanceof ApiError && error.code === "REAUTH") setStale(true);
      else noticeFailure(s.connect.makeFailed, error, s);
    } finally {
      setMaking(false);
    }
  };
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="flex min-w-40 flex-1 flex-col gap-1">
          <label htmlFor={nameId} className="text-caption font-strong text-text-2">
            {s.connect.name}
          </label>
          <TextField
            id={nameId}
            value={name}
            maxLength={limits.nameChars}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
        <Choice label={s.connect.role}>
          <Segmented
            label={s.connect.role}
            value={role}
            onChange={onRole}
            options={[
              { value: "agent", label: s.connect.roles.agent },
              { value: "viewer", label: s.connect.roles.viewer },
            ]}
          />
        </Choice>
        <Choice label={s.connect.lifetime}>
          <Segmented
            label={s.connect.lifetime}
            value={lifetime}
            onChange={setLifetime}
            options={[
              { value: "week", label: s.connect.lifetimes.week },
              { value: "quarter", label: s.connect.lifetimes.quarter },
              { value: "revoked", label: s.connect.lifetimes.revoked },
            ]}
          />
        </Choice>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          type="submit"
          look="primary"
          disabled={isMaking}
          reason={name.trim() === "" ? s.connect.nameNeeded : undefined}
        >
          <KeyRound size={16} strokeWidth={1.75} aria-hidden />
          {s.connect.reveal}
        </Button>
        <p className="min-w-40 flex-1 text-caption text-text-2">{s.connect.roleHints[role]}</p>
      </div>
      {isStale ? (
        <div role="alert" className="flex min-w-0 flex-col gap-1.5">
          <p className="text-text-2">{s.connect.signInAgain}</p>
          <CodeBox code="cotty open" label={s.connect.signInCommand} />
        </div>
      ) : null}
    </form>
  );
}

function Choice({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-1">
      <span className="text-caption font-strong text-text-2" aria-hidden>
        {label}
      </span>
      {children}
    </div>
  );
}
