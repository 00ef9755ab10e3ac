"use client";
// The name of a session, being edited in place. Enter and leaving keep it, Escape does not.
import { useEffect, useRef } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { limits } from "#lib/protocol/limits.ts";
import { useApp } from "./app-context.tsx";

export function RenameField({ id, name }: { id: string; name: string }) {
  const app = useApp();
  const s = useStrings();
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  function finish(keep: boolean) {
    if (isDone.current) return;
    isDone.current = true;
    app.ui.setState({ renaming: null });
    if (keep && field.current) void app.actions.rename(id, field.current.value);
  }

  return (
    <input
      ref={field}
      aria-label={s.session.nameLabel}
      defaultValue={name}
      maxLength={limits.nameChars}
      spellCheck={false}
      autoComplete="off"
      onBlur={() => finish(true)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === "Enter") finish(true);
        if (event.key === "Escape") finish(false);
      }}
      onPointerDown={(event) => event.stopPropagation()}
      className="h-6 w-full min-w-0 rounded-kbd border border-accent bg-bg-0 px-1 font-strong text-body text-text-1 outline-none pointer-coarse:text-[16px]"
    />
  );
}
