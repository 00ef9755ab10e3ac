"use client";
// What a new server shows: two things to do, each of them real. It can be put away and brought back.
import { Bot, SquareTerminal, X } from "lucide-react";
import { useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import { Kbd } from "#components/ui/kbd.tsx";
import { useApp, useMirror } from "./app-context.tsx";
import {
  NewTerminalButton,
  newTerminalKeys,
  useNewTerminalReason,
} from "./new-terminal-button.tsx";

const dismissedKey = "cotty.start.dismissed";

export default function EmptyWorkspace() {
  const app = useApp();
  const s = useStrings();
  const cwd = useMirror((state) => state.me?.server.cwd);
  const reason = useNewTerminalReason();
  const [isDismissed, setDismissed] = useState(() => app.keyValue.get(dismissedKey) === "1");
  const dismiss = (yes: boolean) => {
    setDismissed(yes);
    if (yes) app.keyValue.set(dismissedKey, "1");
    else app.keyValue.remove(dismissedKey);
  };

  if (isDismissed)
    return (
      <div className="flex h-full flex-col items-center justify-center gap-3 p-6 text-center">
        <p className="text-text-2">{s.rail.none}</p>
        <NewTerminalButton look="primary" />
        {reason ? (
          <p className="max-w-md text-caption text-text-2">
            <InlineCode text={reason} />
          </p>
        ) : null}
        <Button look="quiet" size="banner" onClick={() => dismiss(false)}>
          {s.empty.show}
        </Button>
      </div>
    );

  return (
    <div className="h-full overflow-y-auto">
      <div className="relative mx-auto flex min-h-full max-w-[784px] flex-col justify-center px-4 py-8 tablet:px-8">
        <h1 className="text-hero text-balance">{s.app.tagline}</h1>
        <p className="mt-2 max-w-[60ch] text-lead text-text-2 text-pretty">{s.empty.lead}</p>
        <div className="mt-6 flex flex-col gap-4">
          <section className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-tile border border-line bg-bg-1 p-5">
            <div className="min-w-64 flex-1">
              <CardTitle icon={<SquareTerminal size={18} strokeWidth={1.75} />}>
                {s.empty.open}
              </CardTitle>
              <p className="mt-1 break-words text-text-2">
                {cwd ? s.empty.openText(cwd) : s.empty.openTextNoCwd}
              </p>
            </div>
            <div className="flex items-center gap-3">
              {reason ? null : <Kbd keys={newTerminalKeys} />}
              <NewTerminalButton look="primary" size="large" label={s.empty.open} />
            </div>
            {reason ? (
              <p className="w-full rounded-control bg-attention-fill px-3 py-2 text-caption text-text-1">
                <InlineCode text={reason} />
              </p>
            ) : null}
          </section>
          <section className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-tile border border-line bg-bg-1 p-5">
            <div className="min-w-64 flex-1">
              <CardTitle icon={<Bot size={18} strokeWidth={1.75} />}>{s.empty.agent}</CardTitle>
              <p className="mt-1 text-text-2">{s.empty.agentText}</p>
            </div>
            <Button size="large" onClick={() => app.ui.setState({ isConnectOpen: true })}>
              {s.connect.title}
            </Button>
          </section>
        </div>
        <span className="absolute top-3 right-3">
          <IconButton label={s.empty.dismiss} onClick={() => dismiss(true)}>
            <X size={16} strokeWidth={1.75} />
          </IconButton>
        </span>
      </div>
    </div>
  );
}

function CardTitle({ icon, children }: { icon: React.ReactNode; children: React.ReactNode }) {
  return (
    <h2 className="flex items-center gap-2 text-title">
      <span className="text-accent" aria-hidden>
        {icon}
      </span>
      {children}
    </h2>
  );
}
