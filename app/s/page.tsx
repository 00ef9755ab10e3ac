// `/s/?id=ID`: one session alone.
import { SingleSession } from "#components/dashboard/single-session.tsx";

export default function SingleSessionPage() {
  return <SingleSession />;
}
