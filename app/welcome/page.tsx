// `/welcome/#code=CODE`: signing in.
import { Welcome } from "#components/dashboard/welcome.tsx";

export default function WelcomePage() {
  return <Welcome />;
}
