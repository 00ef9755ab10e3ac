"use client";
// "Connect an agent" above the page, from wherever it was asked for.
import { useStrings } from "#components/strings/strings.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useApp, useUi } from "./app-context.tsx";
import { ConnectAgent } from "./connect-agent.tsx";

export default function ConnectDialog() {
  const app = useApp();
  const s = useStrings();
  const isOpen = useUi((state) => state.isConnectOpen);
  const close = () => app.ui.setState({ isConnectOpen: false });
  return (
    <Dialog
      open={isOpen}
      onClose={close}
      wide
      // A press beside it must not take away a token that is shown once.
      staysOnPressOutside
      title={s.connect.title}
      description={s.connect.lead}
      actions={<Button onClick={close}>{s.common.close}</Button>}
    >
      <div className="-mx-5 min-h-0 overflow-y-auto overscroll-contain px-5 py-1">
        <ConnectAgent origin={location.origin} />
      </div>
    </Dialog>
  );
}
