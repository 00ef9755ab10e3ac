"use client";
// The name of a session, being edited in place. Enter and leaving keep it, Escape does not; both keys give the focus back.
import { useEffect, useRef } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { limits } from "#lib/protocol/limits.ts";
import { useApp } from "./app-context.tsx";

/** `onLeft`: Enter or Escape took the field away; whoever was edited says where the keyboard goes. Default: to what shows the name again. */
export function RenameField({
  id,
  name,
  onLeft,
}: {
  id: string;
  name: string;
  onLeft?: () => void;
}) {
  const app = useApp();
  const s = useStrings();
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);

  function left(keep: boolean) {
    const place = field.current?.parentElement;
    const around = place?.parentElement;
    finish(keep);
    if (onLeft) onLeft();
    // What held the field may have gone with it.
    else
      requestAnimationFrame(() =>
        (place?.isConnected ? place : around)?.querySelector<HTMLElement>("a, button")?.focus(),
      );
  }

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
        if (event.key === "Enter") left(true);
        if (event.key === "Escape") left(false);
      }}
      onPointerDown={(event) => event.stopPropagation()}
      className="h-6 w-full min-w-0 rounded-kbd border border-accent bg-bg-0 px-1 font-strong text-body text-text-1 outline-none pointer-coarse:text-[16px]"
    />
  );
}
