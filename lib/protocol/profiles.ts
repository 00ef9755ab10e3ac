// Launch profiles (OP6): what a new terminal may be started as. Found on the machine, or written by its owner in the config file.
import * as z from "zod/mini";
import { limits } from "./limits.ts";

/** Pictures the dashboard has. An owner picks one by name; the rest belongs to programs that are known. */
export const profileIcons = [
  "terminal",
  "shell",
  "fish",
  "percent",
  "bot",
  "asterisk",
  "sparkles",
  "code",
  "brackets",
  "git",
  "zap",
  "bird",
  "cursor",
  "plane",
  "hexagon",
  "server",
  "database",
  "globe",
  "container",
  "flask",
  "book",
  "wrench",
  "rocket",
] as const;
export const profileIconSchema = z.enum(profileIcons);
export type ProfileIcon = z.infer<typeof profileIconSchema>;

/** What `create_session` takes as `profile`. A session without a name is called like it, so it can be shown and holds no path. */
export const profileNameSchema = z
  .string()
  .check(
    z.trim(),
    z.minLength(1),
    z.maxLength(limits.nameChars),
    z.regex(/^[^\p{C}/]+$/u, "has a slash or characters that cannot be shown"),
  );

export const profileSchema = z.object({
  name: profileNameSchema,
  /** For people; the name itself where the owner wrote it. */
  title: z.string(),
  kind: z.enum(["shell", "agent", "own"]),
  /** A newer server may have more than this client knows: shown as a terminal. */
  icon: z.catch(profileIconSchema, "terminal"),
  command: z.array(z.string()),
  /** null: where sessions start anyway. */
  cwd: z.nullable(z.string()),
  /** Names of the variables it sets; the values stay on the server. */
  env: z.array(z.string()),
  /** What a session without a profile and a command starts. */
  is_default: z.boolean(),
});
export type Profile = z.infer<typeof profileSchema>;

/** Why something written in the config file is not offered. */
export const profileProblemSchema = z.object({
  /** In the config file, from 1; null when the file as a whole cannot be read. */
  line: z.nullable(z.int()),
  message: z.string(),
});
export type ProfileProblem = z.infer<typeof profileProblemSchema>;

export const profilesReplySchema = z.object({
  profiles: z.array(profileSchema),
  problems: z.array(profileProblemSchema),
});
export type ProfilesReply = z.infer<typeof profilesReplySchema>;
