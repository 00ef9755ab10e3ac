"use client";
// In the bar on top of every page, while the server cannot write its audit (AU1): that it is so, what to do, and the way to the audit.
// A pill and no strip: nothing may resize the terminals because a disk is full.
import { TriangleAlert } from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { cx } from "#components/ui/cx.ts";
import { Popover } from "#components/ui/popover.tsx";
import { may } from "#lib/protocol/roles.ts";
import { useApp, useMirror } from "./app-context.tsx";

/** `isIcon`: there is room for no word, as in a phone's bar above a session. */
export function AuditPill({ isIcon = false }: { isIcon?: boolean }) {
  const s = useStrings();
  const words = s.keyboard.audit.trouble;
  const isBroken = useMirror((state) => state.me?.server.audit_warning !== undefined);
  return (
    <>
      {/* Always there: a live region that comes with its text says nothing. The text is the same while it lasts. */}
      <span role="status" data-audit-said className="sr-only">
        {isBroken ? `${words.headline} ${words.lead}` : ""}
      </span>
      {isBroken ? (
        <Popover
          title={words.headline}
          trigger={
            <button
              type="button"
              data-audit-trouble
              aria-label={words.headline}
              className={cx(
                "inline-flex h-7 shrink-0 items-center gap-1.5 rounded-full bg-attention-fill px-2.5 text-caption font-strong text-attention nowrap transition-colors duration-120 hover:brightness-110 pointer-coarse:h-11",
                isIcon && "min-w-11 justify-center",
              )}
            >
              <TriangleAlert size={14} strokeWidth={2} aria-hidden />
              {isIcon ? null : <span className="max-tablet:hidden">{words.pill}</span>}
            </button>
          }
        >
          <AuditTrouble />
        </Popover>
      ) : null}
    </>
  );
}

function AuditTrouble() {
  const app = useApp();
  const s = useStrings();
  const words = s.keyboard.audit.trouble;
  const detail = useMirror((state) => state.me?.server.audit_warning);
  const mayRead = useMirror((state) => may(state.me?.actor.role ?? "owner", "audit.read"));
  return (
    <div className="flex w-80 max-w-full flex-col gap-2 pt-1 text-body">
      <p className="text-text-1">{words.lead}</p>
      <p className="text-text-2">{words.todo}</p>
      <p className="break-words font-mono text-caption text-text-3">{detail}</p>
      {mayRead ? (
        <Button
          size="banner"
          className="self-end"
          onClick={() => app.ui.setState({ isAuditOpen: true })}
        >
          {words.open}
        </Button>
      ) : null}
    </div>
  );
}
