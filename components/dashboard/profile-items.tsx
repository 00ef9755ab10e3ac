"use client";
// What a new terminal may be started as. Asked of the server each time the menu opens; what was last answered is shown meanwhile.
import { TriangleAlert } from "lucide-react";
import { useEffect, useState } from "react";
import { useStrings } from "#components/strings/strings.ts";
import {
  MenuGroup,
  MenuItem,
  MenuLabel,
  MenuNote,
  MenuSeparator,
} from "#components/ui/menu-items.tsx";
import { useApp, useUi } from "./app-context.tsx";
import { profileGroups } from "./profile-groups.ts";
import { ProfileIcon } from "./profile-icon.tsx";

export default function ProfileItems() {
  const app = useApp();
  const s = useStrings();
  const reply = useUi((state) => state.profiles);
  const [isFailed, setFailed] = useState(false);
  useEffect(() => {
    const asking = new AbortController();
    app.api.listProfiles({ signal: asking.signal }).then(
      (profiles) => {
        app.ui.setState({ profiles });
        setFailed(false);
      },
      () => {
        if (!asking.signal.aborted) setFailed(true);
      },
    );
    return () => asking.abort();
  }, [app]);

  if (!reply) return <MenuNote>{isFailed ? s.profiles.failed : s.common.loading}</MenuNote>;
  return (
    <>
      {profileGroups(reply.profiles).map(({ kind, profiles }) => (
        <MenuGroup key={kind}>
          <MenuLabel>{s.profiles.groups[kind]}</MenuLabel>
          {profiles.map((profile) => (
            <MenuItem
              key={profile.name}
              icon={<ProfileIcon name={profile.icon} />}
              aside={profile.is_default ? s.profiles.default : null}
              onSelect={() => void app.actions.newTerminal(profile.name)}
            >
              {profile.title}
            </MenuItem>
          ))}
        </MenuGroup>
      ))}
      {reply.problems.length > 0 ? (
        <>
          <MenuSeparator />
          {reply.problems.slice(0, 3).map(({ line, message }) => (
            <MenuNote key={`${line} ${message}`} icon={<TriangleAlert size={14} aria-hidden />}>
              {s.profiles.problem(line, message)}
            </MenuNote>
          ))}
          {reply.problems.length > 3 ? (
            <MenuNote>{s.profiles.moreProblems(reply.problems.length - 3)}</MenuNote>
          ) : null}
        </>
      ) : null}
    </>
  );
}
