// A part of the page that is loaded when it is first shown. Where it cannot be — the server is away for a moment, or another version by now —
// the page stays as it is and says so, and the part appears when it has come. React's lazy alone would put an error in place of the page.
import { lazy } from "react";
import { liveStrings } from "#components/strings/strings.ts";
import { notify } from "./toast.tsx";

/** The first pause after a failure doubles up to the last. */
const pauseMs = { first: 1_000, last: 15_000 };

export const part: typeof lazy = (load) => lazy(() => untilLoaded(load));

async function untilLoaded<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  for (let pause = pauseMs.first; ; pause = Math.min(pause * 2, pauseMs.last)) {
    try {
      return await load();
    } catch {
      // Whatever the reason: the network, or a file that is no more.
      const { partMissing } = liveStrings.common;
      const action = { label: liveStrings.terminal.reload, run: () => location.reload() };
      if (pause === pauseMs.first) notify({ id: "part", text: partMissing, action });
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
