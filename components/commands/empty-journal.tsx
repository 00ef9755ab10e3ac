// Why a list of commands is empty, and what to do about it.
import { SquareTerminal } from "lucide-react";
import { useStrings } from "#components/strings/strings.ts";
import type { Integration } from "#lib/protocol/integration.ts";

export function EmptyJournal({ integration }: { integration: Integration }) {
  const s = useStrings();
  const { commands: c } = s;
  const [title, text, rest] =
    integration === "off"
      ? [c.off, c.offText, c.otherwise]
      : integration === "none"
        ? [c.noIntegration, c.noIntegrationText, c.otherwise]
        : [c.none, c.noneText, null];
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-2 overflow-y-auto p-6 text-center">
      <span className="flex size-10 items-center justify-center rounded-card bg-bg-2 text-text-3">
        <SquareTerminal size={20} strokeWidth={1.75} aria-hidden />
      </span>
      <h3 className="font-strong text-body text-text-1">{title}</h3>
      <p className="max-w-72 text-caption text-text-2">{text}</p>
      {rest ? <p className="max-w-72 text-caption text-text-3">{rest}</p> : null}
    </div>
  );
}
