// Shells and agent programs that a new terminal may be started as, wherever they are found. A row here is all that one more takes.
import type { ProfileIcon } from "#lib/protocol/profiles.ts";

export interface KnownProgram {
  /** As it is called on PATH; the profile's name too. */
  readonly program: string;
  readonly title: string;
  readonly icon: ProfileIcon;
}

export const knownShells: readonly KnownProgram[] = [
  { program: "bash", title: "Bash", icon: "shell" },
  { program: "zsh", title: "Zsh", icon: "percent" },
  { program: "fish", title: "Fish", icon: "fish" },
  { program: "nu", title: "Nushell", icon: "terminal" },
  { program: "sh", title: "sh", icon: "shell" },
];

export const knownAgents: readonly KnownProgram[] = [
  { program: "claude", title: "Claude Code", icon: "asterisk" },
  { program: "codex", title: "Codex", icon: "code" },
  { program: "gemini", title: "Gemini CLI", icon: "sparkles" },
  { program: "opencode", title: "opencode", icon: "brackets" },
  { program: "aider", title: "Aider", icon: "git" },
  { program: "amp", title: "Amp", icon: "zap" },
  { program: "goose", title: "Goose", icon: "bird" },
  { program: "cursor-agent", title: "Cursor Agent", icon: "cursor" },
  { program: "copilot", title: "GitHub Copilot CLI", icon: "plane" },
  { program: "qwen", title: "Qwen Code", icon: "hexagon" },
  { program: "crush", title: "Crush", icon: "bot" },
  { program: "droid", title: "Droid", icon: "bot" },
];
