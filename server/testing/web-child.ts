// A web process of its own, to be killed: `web-child STATE_ROOT PORT`. Prints its address once it listens.
import { openStateDir } from "#server/state/state-dir.ts";
import { startWeb } from "#server/web/start.ts";

const [root, port] = process.argv.slice(2);
if (!root || !port) throw new Error("usage: web-child.ts STATE_ROOT PORT");
const web = await startWeb({ state: openStateDir(root), siteFolder: null, tcpPort: Number(port) });
process.on("SIGTERM", () => void web.close().then(() => process.exit(0)));
console.log(web.url);
