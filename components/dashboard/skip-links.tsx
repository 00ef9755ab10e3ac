"use client";
// The first tab stops of the page.
import { useStrings } from "#components/strings/strings.ts";
import { useApp, useSettings, useWorkspace } from "./app-context.tsx";

export function SkipLinks() {
  const app = useApp();
  const s = useStrings();
  const active = useWorkspace((state) => (state.isDrawerOpen ? state.active : null));
  const isOn = useSettings((state) => state.screenReader);
  return (
    <div>
      {active === null ? (
        <a className="skip-link" href="#main">
          {s.skip.toSessions}
        </a>
      ) : (
        <button type="button" className="skip-link" onClick={() => app.focusTerminal(active)}>
          {s.skip.toTerminal}
        </button>
      )}
      <button
        type="button"
        className="skip-link"
        onClick={() => app.settings.getState().change({ screenReader: !isOn })}
      >
        {isOn ? s.skip.screenReaderOff : s.skip.screenReader}
      </button>
    </div>
  );
}
