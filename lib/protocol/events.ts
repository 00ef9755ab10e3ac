// What happens to sessions, as `GET /events` tells it (EV1): one union, told apart by `type`. A client passes over types that it
// does not know.
import * as z from "zod/mini";
import { assertNever } from "#lib/base/assert.ts";
import { sessionIdSchema } from "./ids.ts";
import { limits } from "./limits.ts";
import { type SessionInfo, sessionInfoSchema } from "./session.ts";

/** Opaque, and ordered as a string within one life of the host. Ids of another life are recognised and answered with `gap`. */
export const eventIdSchema = z.string().check(z.minLength(1), z.maxLength(limits.eventIdChars));

const common = { id: eventIdSchema, at: z.iso.datetime(), session: sessionIdSchema };
const { name, tags, title, phase, viewers, cols, rows, cwd, foreground } = sessionInfoSchema.shape;
const { exit_code, signal } = sessionInfoSchema.shape;
// A present event is complete: the defaults are for what older hosts leave out.
const lease = sessionInfoSchema.shape.lease.def.innerType;
const access = sessionInfoSchema.shape.access.def.innerType;
const credential = sessionInfoSchema.shape.credential.def.innerType;
const need = sessionInfoSchema.shape.need.def.innerType;
const agent = sessionInfoSchema.shape.agent.def.innerType;
const last_command = sessionInfoSchema.shape.last_command.def.innerType;
const integration = sessionInfoSchema.shape.integration.def.innerType;

export const sessionNewsSchema = z.discriminatedUnion("type", [
  z.object({ ...common, type: z.literal("session_created"), info: sessionInfoSchema }),
  z.object({ ...common, type: z.literal("renamed"), name }),
  z.object({ ...common, type: z.literal("tagged"), tags }),
  /** At most one per second and session; the last one is never left out. */
  z.object({ ...common, type: z.literal("title"), title }),
  z.object({ ...common, type: z.literal("phase"), phase }),
  z.object({ ...common, type: z.literal("viewers"), viewers }),
  z.object({ ...common, type: z.literal("resized"), cols, rows }),
  /** Another holder, cause or draft; not each keystroke that only moves `until`. */
  z.object({ ...common, type: z.literal("lease"), lease }),
  z.object({ ...common, type: z.literal("access"), access }),
  z.object({ ...common, type: z.literal("credential"), credential }),
  z.object({ ...common, type: z.literal("need"), need }),
  /** Another agent acts here, or it began or ceased to type. */
  z.object({ ...common, type: z.literal("agent"), agent }),
  /** A command began or ended, or the shell began to announce them. */
  z.object({ ...common, type: z.literal("command"), last_command, integration }),
  /** Another program is in front, or it went to another directory. */
  z.object({ ...common, type: z.literal("foreground"), foreground, cwd }),
  /** At most one per second and session. */
  z.object({ ...common, type: z.literal("bell") }),
  z.object({
    ...common,
    type: z.literal("exited"),
    exit_code,
    signal,
    exited_at: z.iso.datetime(),
  }),
  /** Forgotten: nothing of it can be read any more. */
  z.object({ ...common, type: z.literal("closed") }),
]);
export type SessionNews = z.infer<typeof sessionNewsSchema>;
export type NewsType = SessionNews["type"];

export const newsTypes = sessionNewsSchema.def.options.flatMap(
  ({ shape }) => shape.type.def.values,
);

/** What happened from `from` up to `to` is not kept any more. `from` is the id that the client gave; what follows `to` follows. */
export const gapSchema = z.object({
  type: z.literal("gap"),
  id: eventIdSchema,
  at: z.iso.datetime(),
  from: z.string(),
  to: eventIdSchema,
});

/** The data of one event of the stream. */
export const streamEventSchema = z.union([sessionNewsSchema, gapSchema]);
export type StreamEvent = z.infer<typeof streamEventSchema>;

type WithoutPlace<News> = News extends SessionNews ? Omit<News, "id" | "at"> : never;
/** News before it has its place in the order. */
export type NewsBody = WithoutPlace<SessionNews>;

/** Which event tells that a field changed; null: it never does. A new field of SessionInfo needs its row here. */
export const newsOfField = {
  id: null,
  pid: null,
  command: null,
  created_at: null,
  profile: null,
  secrets: null,
  name: "renamed",
  tags: "tagged",
  title: "title",
  phase: "phase",
  viewers: "viewers",
  cols: "resized",
  rows: "resized",
  cwd: "foreground",
  foreground: "foreground",
  exited: "exited",
  exit_code: "exited",
  signal: "exited",
  exited_at: "exited",
  lease: "lease",
  access: "access",
  credential: "credential",
  need: "need",
  agent: "agent",
  last_command: "command",
  integration: "command",
} as const satisfies Record<keyof SessionInfo, NewsType | null>;

/** What an event changes in what is known of its session; null when it is about its being there at all. */
export function patchOf(news: SessionNews): Partial<SessionInfo> | null {
  switch (news.type) {
    case "session_created":
    case "closed":
      return null;
    case "bell":
      return {};
    case "renamed":
      return { name: news.name };
    case "tagged":
      return { tags: news.tags };
    case "title":
      return { title: news.title };
    case "phase":
      return { phase: news.phase };
    case "viewers":
      return { viewers: news.viewers };
    case "resized":
      return { cols: news.cols, rows: news.rows };
    case "foreground":
      return { foreground: news.foreground, cwd: news.cwd };
    case "lease":
      return { lease: news.lease };
    case "access":
      return { access: news.access };
    case "credential":
      return { credential: news.credential };
    case "need":
      return { need: news.need };
    case "agent":
      return { agent: news.agent };
    case "command":
      return { last_command: news.last_command, integration: news.integration };
    case "exited":
      return {
        exited: true,
        exit_code: news.exit_code,
        signal: news.signal,
        exited_at: news.exited_at,
      };
    default:
      return assertNever(news);
  }
}
