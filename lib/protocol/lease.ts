// The keyboard (LS), access (AC), password prompts (CR) and who is needed, as the wire shows them.
import * as z from "zod/mini";
import { limits } from "./limits.ts";

export const politenessSchema = z.enum(["polite", "immediate", "ask"]);
/**
 * How another person's keys may take the keyboard from its holder (LS9): the second key within two seconds, the first one, or none. Taking
 * it over by name is always possible.
 */
export type Politeness = z.infer<typeof politenessSchema>;

export const leaseSchema = z.object({
  /** Who may type now. `agent`: every agent with access, until a person types. */
  holder: z.enum(["agent", "human"]),
  /** Why a person has it; null for agents. */
  cause: z.nullable(z.enum(["typing", "takeover", "hold", "credential"])),
  /** Name of the person; null for agents, and for `credential` until somebody types. */
  actor: z.nullable(z.string()),
  /** Id of that person's credential: a client knows itself by it. */
  actor_id: z.nullable(z.string()),
  /** When it goes back to agents if nothing is typed; null: not by itself, or not while a draft stands. */
  until: z.nullable(z.iso.datetime()),
  /** The same from now, for countdowns that do not trust clocks. */
  remaining_ms: z.nullable(z.int()),
  /** Rises with every change of holder. */
  epoch: z.int(),
  /** Text that a person has typed and not sent stands on the line (DR1). Never the text. */
  draft: z.nullable(z.object({ age_ms: z.int() })),
  /** Name of the agent whose unsent text stands on the line since a person took over (5.4 of the look). */
  left_by: z.nullable(z.string()),
  /** What the person who has it asks of other people's keys; null: nobody has it, or a password is asked for. */
  politeness: z._default(z.nullable(politenessSchema), null),
});
export type Lease = z.infer<typeof leaseSchema>;

export const freeLease: Lease = {
  holder: "agent",
  cause: null,
  actor: null,
  actor_id: null,
  until: null,
  remaining_ms: null,
  epoch: 0,
  draft: null,
  left_by: null,
  politeness: null,
};

export const accessSchema = z.enum(["collaborate", "observe", "sealed"]);
/** What agents may do with a session (AC1). */
export type Access = z.infer<typeof accessSchema>;

export const credentialSchema = z.object({
  /** How it was recognised: the terminal hides what is typed while a program reads; a known prompt; a person said so. */
  source: z.enum(["echo_off", "prompt", "manual"]),
  since: z.iso.datetime(),
});
/** A password is asked for (CR1). */
export type Credential = z.infer<typeof credentialSchema>;

export const needReasons = ["password", "question", "failed", "finished", "stalled"] as const;
export const needSchema = z.object({
  reason: z.enum(needReasons),
  since: z.iso.datetime(),
  /** The agent's words, or ours about the evidence; at most 140 characters. */
  detail: z.string(),
  /** Agent that asked (`request_human`); null: noticed. */
  by: z.nullable(z.string()),
});
/** Why a session needs a person. */
export type Need = z.infer<typeof needSchema>;

/** What an agent is told once, with its first read after a person had the keyboard. */
export const handoverSchema = z.object({
  since: z.iso.datetime(),
  until: z.iso.datetime(),
  /** Names of those who had it. */
  by: z.array(z.string()),
  /** What ran meanwhile, the newest ten; `exit_code` null: it runs, or nobody knows. null: this shell announces no commands. */
  commands: z.nullable(
    z.array(z.object({ command: z.nullable(z.string()), exit_code: z.nullable(z.int()) })),
  ),
  cwd_from: z.string(),
  cwd_to: z.string(),
  lines_of_output: z.int(),
  /** Program that was in front at the end, where it is not the shell. */
  open_program: z.nullable(z.string()),
});
export type Handover = z.infer<typeof handoverSchema>;

/** The agent that acts in a session. */
export const actingAgentSchema = z.object({
  /** Who last typed, looked or waited here. */
  name: z.string(),
  /** It typed within the last seconds. */
  typing: z.boolean(),
});
export type ActingAgent = z.infer<typeof actingAgentSchema>;

export const leaseActionSchema = z.strictObject({
  /**
   * `take_over`: the keyboard until it is handed back. `hold`: the same for one that typing took. `hand_back`: to agents, now.
   * `clear_line`: take away the unsent text. `dismiss`: an agent's call for a person. `treat_as_secret`, `not_a_password`: correct the
   * detection of password prompts. `ask`: tell whoever has it that one would like it.
   */
  action: z.enum([
    "take_over",
    "hold",
    "hand_back",
    "clear_line",
    "dismiss",
    "treat_as_secret",
    "not_a_password",
    "ask",
  ]),
});
export type LeaseAction = z.infer<typeof leaseActionSchema>;

export const setAccessSchema = z.strictObject({ level: accessSchema });
export const requestHumanSchema = z.strictObject({
  reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.needChars)),
});
