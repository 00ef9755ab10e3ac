// The picture of a launch profile. Imported only by lazily loaded content.
import {
  Asterisk,
  Bird,
  Book,
  Bot,
  Brackets,
  CodeXml,
  Container,
  Database,
  DollarSign,
  Fish,
  FlaskConical,
  GitCommitHorizontal,
  Globe,
  Hexagon,
  type LucideIcon,
  MousePointer2,
  Percent,
  Plane,
  Rocket,
  Server,
  Sparkles,
  SquareTerminal,
  Wrench,
  Zap,
} from "lucide-react";
import type { ProfileIcon as ProfileIconName } from "#lib/protocol/profiles.ts";

const icons: Record<ProfileIconName, LucideIcon> = {
  terminal: SquareTerminal,
  shell: DollarSign,
  fish: Fish,
  percent: Percent,
  bot: Bot,
  asterisk: Asterisk,
  sparkles: Sparkles,
  code: CodeXml,
  brackets: Brackets,
  git: GitCommitHorizontal,
  zap: Zap,
  bird: Bird,
  cursor: MousePointer2,
  plane: Plane,
  hexagon: Hexagon,
  server: Server,
  database: Database,
  globe: Globe,
  container: Container,
  flask: FlaskConical,
  book: Book,
  wrench: Wrench,
  rocket: Rocket,
};

export function ProfileIcon({ name }: { name: ProfileIconName }) {
  const Icon = icons[name];
  return <Icon size={16} strokeWidth={1.75} aria-hidden />;
}
