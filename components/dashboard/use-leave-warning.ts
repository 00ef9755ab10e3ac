// A mistyped Ctrl+W costs a question while a program runs in an open terminal, or the keyboard is kept or a line half typed there; otherwise
// leaving is free.
import { useEffect } from "react";
import { useApp } from "./app-context.tsx";
import { runningProgram } from "./session-status.ts";

export function useLeaveWarning(): void {
  const app = useApp();
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      const { sessions, link, me } = app.mirror.getState();
      if (link.kind === "signed_out") return;
      const isBusy = app.workspace.getState().tabs.some((id) => {
        const info = sessions[id];
        if (info === undefined || info.exited) return false;
        const { holder, cause, draft, actor_id } = info.lease;
        const isMine = holder === "human" && actor_id !== null && actor_id === me?.actor.id;
        // What was kept or half typed would go back to agents, or wait for somebody who is not there.
        if (isMine && (cause !== "typing" || draft !== null)) return true;
        return runningProgram(info) !== null;
      });
      if (isBusy) event.preventDefault();
    };
    window.addEventListener("beforeunload", onBeforeUnload);
    return () => window.removeEventListener("beforeunload", onBeforeUnload);
  }, [app]);
}
