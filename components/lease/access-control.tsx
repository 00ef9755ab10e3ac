"use client";
// What agents may do with a session, at the right end of its banner: three radios where there is room, two toggles of the same three
// states where there is not.
import { Lock, Unplug, Users } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { useApp, useMirror } from "#components/dashboard/app-context.tsx";
import { useStrings } from "#components/strings/strings.ts";
import { cx } from "#components/ui/cx.ts";
import { Tooltip } from "#components/ui/tooltip.tsx";
import type { Access } from "#lib/protocol/lease.ts";
import { may } from "#lib/protocol/roles.ts";

const levels = [
  { level: "collaborate", icon: Users },
  { level: "observe", icon: Lock },
  { level: "sealed", icon: Unplug },
] as const satisfies readonly { level: Access; icon: typeof Users }[];

const tones: Record<Access, string> = {
  collaborate: "aria-checked:bg-bg-3 aria-checked:text-text-1",
  observe: "aria-checked:bg-observe-fill aria-checked:text-observe",
  sealed: "aria-checked:bg-danger-fill aria-checked:text-danger",
};

/** `reason`: why it cannot be changed here; undefined: it can. */
export function AccessControl({
  id,
  access,
  ended,
}: {
  id: string;
  access: Access;
  ended: boolean;
}) {
  const app = useApp();
  const s = useStrings();
  const words = s.keyboard.access;
  const role = useMirror((state) => state.me?.actor.role ?? "owner");
  const isOffline = useMirror((state) => state.link.kind === "offline");
  const group = useRef<HTMLDivElement>(null);
  const reason = !may(role, "access.change")
    ? words.readOnly
    : ended
      ? words.ended
      : isOffline
        ? words.offline
        : undefined;
  const set = (level: Access) => {
    if (reason === undefined && level !== access) void app.keyboard.setAccess(id, level);
  };
  const hints: Record<Access, string> = {
    collaborate: words.collaborateHint,
    observe: words.observeHint,
    sealed: words.sealedHint,
  };

  function onKeyDown(event: KeyboardEvent) {
    const steps: Record<string, number> = {
      ArrowRight: 1,
      ArrowDown: 1,
      ArrowLeft: -1,
      ArrowUp: -1,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const at = levels.findIndex(({ level }) => level === access);
    const next = levels[(at + step + levels.length) % levels.length];
    if (!next) return;
    set(next.level);
    group.current?.querySelector<HTMLElement>(`[data-level="${next.level}"]`)?.focus();
  }

  return (
    <>
      <div
        ref={group}
        role="radiogroup"
        aria-label={words.label}
        aria-disabled={reason !== undefined}
        onKeyDown={onKeyDown}
        className="hidden h-[26px] shrink-0 items-stretch rounded-control border border-line bg-bg-1 p-px @min-[900px]:flex pointer-coarse:h-11"
      >
        {levels.map(({ level, icon: Icon }) => (
          <Tooltip key={level} content={reason ?? hints[level]} side="bottom">
            {/* biome-ignore lint/a11y/useSemanticElements: a radio button that looks like a segment. */}
            <button
              type="button"
              role="radio"
              aria-checked={level === access}
              aria-disabled={reason !== undefined}
              aria-description={reason ?? hints[level]}
              data-level={level}
              tabIndex={level === access ? 0 : -1}
              onClick={() => set(level)}
              className={cx(
                "inline-flex items-center gap-1.5 rounded-kbd px-2 text-caption nowrap text-text-2 transition-colors duration-120 focus-inset",
                reason === undefined ? "hover:text-text-1" : "cursor-not-allowed opacity-60",
                tones[level],
              )}
            >
              <Icon size={14} strokeWidth={1.75} aria-hidden />
              {words[level]}
            </button>
          </Tooltip>
        ))}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: two buttons, no form. */}
      <div
        role="group"
        aria-label={words.label}
        className="flex shrink-0 items-center gap-0.5 @min-[900px]:hidden"
      >
        <Toggle
          label={words.lock}
          hint={reason ?? words.observeHint}
          isOn={access === "observe"}
          isDisabled={reason !== undefined}
          onTone="bg-observe-fill text-observe"
          onToggle={() => set(access === "observe" ? "collaborate" : "observe")}
        >
          <Lock size={16} strokeWidth={1.75} aria-hidden />
        </Toggle>
        <Toggle
          label={words.plug}
          hint={reason ?? words.sealedHint}
          isOn={access === "sealed"}
          isDisabled={reason !== undefined}
          onTone="bg-danger-fill text-danger"
          onToggle={() => set(access === "sealed" ? "collaborate" : "sealed")}
        >
          <Unplug size={16} strokeWidth={1.75} aria-hidden />
        </Toggle>
      </div>
    </>
  );
}

function Toggle(props: {
  label: string;
  hint: string;
  isOn: boolean;
  isDisabled: boolean;
  onTone: string;
  onToggle: () => void;
  children: React.ReactNode;
}) {
  return (
    <Tooltip content={props.hint} side="bottom">
      <button
        type="button"
        aria-label={props.label}
        aria-pressed={props.isOn}
        aria-disabled={props.isDisabled}
        aria-description={props.hint}
        onClick={() => (props.isDisabled ? undefined : props.onToggle())}
        className={cx(
          "inline-flex size-[var(--control-icon)] items-center justify-center rounded-control transition-colors duration-120",
          props.isOn ? props.onTone : "text-text-3 hover:text-text-1",
          props.isDisabled && "cursor-not-allowed opacity-60",
        )}
      >
        {props.children}
      </button>
    </Tooltip>
  );
}
