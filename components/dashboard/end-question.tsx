"use client";
// Closing a session in which a program runs: hide it or end it. Nothing with a program in it ends by one press.
import { useRef } from "react";
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import PopoverPopup from "#components/ui/popover-popup.tsx";
import { useApp, useUi, useWorkspace } from "./app-context.tsx";
import { runningProgram } from "./session-status.ts";

export default function EndQuestion() {
  const app = useApp();
  const s = useStrings();
  const asked = useUi((state) => state.endQuestion);
  // Kept while the popover fades out.
  const last = useRef(asked);
  if (asked) last.current = asked;
  const id = last.current?.id ?? "";
  const isTab = useWorkspace((state) => state.tabs.includes(id));
  const info = app.infoOf(id);
  const close = () => app.ui.setState({ endQuestion: null });
  if (!last.current) return null;
  return (
    <PopoverPopup
      anchor={last.current.anchor}
      isOpen={asked !== null}
      onClose={close}
      title={s.tabs.runsTitle((info && runningProgram(info)) ?? info?.name ?? "")}
    >
      <p className="text-text-2">{s.tabs.runsText(info?.name ?? "")}</p>
      <div className="mt-3 flex justify-end gap-2">
        <Button size="banner" look="danger" onClick={() => app.actions.end(id)}>
          {s.tabs.end}
        </Button>
        <Button
          size="banner"
          look="primary"
          onClick={() => {
            close();
            if (isTab) app.actions.hide(id);
          }}
        >
          {isTab ? s.tabs.hide : s.tabs.keep}
        </Button>
      </div>
    </PopoverPopup>
  );
}
