// What a new terminal may be started as (OP6).
import { profilesReplySchema } from "../profiles.ts";
import { operation } from "./operation.ts";
import { noBody, none } from "./sessions.ts";

export const listProfiles = operation({
  name: "list_profiles",
  method: "GET",
  path: "/profiles",
  summary:
    "Shells and agent programs found on this machine, and the owner's own profiles; names for create_session.",
  action: "profile.list",
  by: "host",
  params: none,
  query: none,
  body: noBody,
  status: 200,
  reply: profilesReplySchema,
  errors: [],
});
