// Launch profiles as the new-terminal menu orders them. Pure.
import type { Profile } from "#lib/protocol/profiles.ts";

const order = ["shell", "agent", "own"] as const satisfies readonly Profile["kind"][];

export interface ProfileGroup {
  readonly kind: Profile["kind"];
  readonly profiles: readonly Profile[];
}

/** Shells, agents, the owner's; each in the server's order, empty ones left out. */
export function profileGroups(profiles: readonly Profile[]): ProfileGroup[] {
  return order
    .map((kind) => ({ kind, profiles: profiles.filter((profile) => profile.kind === kind) }))
    .filter((group) => group.profiles.length > 0);
}
