// What an agent was last shown of a session, to the letter, for people who want to look through its eyes. Pure but for the one view kept.
import type { Actor } from "#lib/protocol/actor.ts";
import { limits } from "#lib/protocol/limits.ts";
import type { ScreenReply } from "#lib/protocol/screen.ts";
import type { ActReply, Verdict } from "#lib/protocol/wait.ts";
import type { AgentView } from "#lib/protocol/writes.ts";
import type { CommandOutput } from "./read-commands.ts";

export class LastAgentView {
  private view: AgentView | null = null;

  get current(): AgentView | null {
    return this.view;
  }

  /** `text` null: nothing was in the reply, so the agent still sees what it saw. */
  showed(
    agent: Actor,
    from: AgentView["from"],
    text: string | null,
    request: string | null,
    wallMs: number,
  ): void {
    if (text === null) return;
    const max = limits.agentViewChars;
    this.view = {
      at: new Date(wallMs).toISOString(),
      agent: { id: agent.id, name: agent.name },
      request,
      from,
      text: text.slice(0, max),
      truncated: text.length > max,
    };
  }
}

export function screenShown(reply: ScreenReply): string | null {
  if ("unchanged" in reply) return null;
  return "text" in reply ? reply.text : (reply.raw ?? reply.html ?? reply.lines.join("\n"));
}

export function commandShown({ output }: CommandOutput): string {
  return output.text;
}

export function verdictShown({ output }: Verdict): string | null {
  return output?.text ?? null;
}

export function actShown({ screen, delta, command, wait }: ActReply): string | null {
  if (screen) return screenShown(screen);
  return delta?.text ?? command?.output.text ?? verdictShown(wait);
}
