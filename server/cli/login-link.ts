// One-time links: minted by `start` and `open`, opened in the browser where there is one.
import { spawn } from "node:child_process";
import { userInfo } from "node:os";
import { systemClock } from "#lib/base/clock.ts";
import { createLoginCode } from "#server/state/credential-store.ts";
import type { StateDir } from "#server/state/state-dir.ts";

/** The code travels in the fragment, which browsers never send (SE3). */
export function mintLink(dir: StateDir, url: string): string {
  const { code } = createLoginCode(
    { folder: dir.credentials, clock: systemClock },
    { name: userInfo().username || "owner" },
  );
  return `${url.replace(/\/$/, "")}/welcome/#code=${code}`;
}

function opener(): [string, string[]] | undefined {
  if (process.platform === "darwin") return ["open", []];
  if (process.platform === "win32") return ["cmd", ["/c", "start", ""]];
  if (process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return ["xdg-open", []];
  return undefined;
}

/** Opens `link` if a person sits at a screen here. A browser that cannot be started is no failure: the link is printed anyway. */
export function openInBrowser(link: string): void {
  const found = opener();
  if (!found || !process.stderr.isTTY) return;
  const [command, args] = found;
  const child = spawn(command, [...args, link], { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}
