// `npm run build`: dist/ and out/, when stale.
import { ensureBuilt } from "./steps/build.mjs";
import { ensureInstalled } from "./steps/install.mjs";

await ensureInstalled();
await ensureBuilt();
