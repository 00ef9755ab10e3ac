// What a new terminal may be started as (OP6).
import type { Handlers } from "./operation-handlers.ts";

export const profileHandlers = {
  listProfiles: ({ core }) => core.profiles(),
} satisfies Handlers;
