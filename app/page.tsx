// `/`: the workspace. `?s=ID` opens that session, `&view=max` maximised.
import { Workspace } from "#components/dashboard/workspace.tsx";

export default function WorkspacePage() {
  return <Workspace />;
}
